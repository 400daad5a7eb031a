import { ownTag, targetOfTags, type Target } from "../distributions/target.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import { isWholeTemplate, type VmConfig, readConfigIfThere } from "../proxmox/vm.ts";
import { manifestDigest, type Manifest } from "./manifest.ts";
import { readNotes } from "./notes.ts";
import type { ListRequest } from "./upkeep-requests.ts";

/** One row of the list. */
export interface Listed {
  target: Target;
  vmid: number;
  node: string;
  pool: string | undefined;
  tags: readonly string[];
  /** Absent where its node does not answer. */
  name: string | undefined;
  storage: string | undefined;
  state: "template" | "broken" | "unreachable";
  manifest: Manifest | undefined;
  digest: string | undefined;
}

/**
 * The templates of a pool, or of all: one call, and one more per row. VMs which merely inherited a template's tags,
 * as clones do, are left out.
 * @throws Failure
 */
export async function listTemplates(proxmox: Proxmox, request: ListRequest): Promise<Listed[]> {
  const rows = (await listGuests(proxmox)).filter(
    (row) =>
      row.tags.includes(ownTag) &&
      (request.pool === undefined || row.pool === request.pool) &&
      targetOfTags(row.tags) !== undefined,
  );
  const listed = await Promise.all(rows.map((row) => readRow(proxmox, row)));
  return listed
    .filter((row) => row !== undefined)
    .sort((a, b) => a.target.name.localeCompare(b.target.name, "en", { numeric: true }) || a.vmid - b.vmid);
}

async function readRow(proxmox: Proxmox, row: GuestRow): Promise<Listed | undefined> {
  const target = targetOfTags(row.tags);
  if (!target) return undefined;
  const base = { target, vmid: row.vmid, node: row.node, pool: row.pool, tags: row.tags };
  let config: VmConfig | undefined;
  try {
    config = await readConfigIfThere(proxmox, row.node, row.vmid);
  } catch {
    // A node that does not answer must not hide the templates of the others.
    return {
      ...base,
      name: row.name,
      storage: undefined,
      state: "unreachable",
      manifest: undefined,
      digest: undefined,
    };
  }
  if (!config?.template) return undefined;
  const manifest = readNotes(config.description)?.manifest;
  return {
    ...base,
    name: config.name,
    storage: config.scsi0?.split(":")[0],
    state: isWholeTemplate(config) ? "template" : "broken",
    manifest,
    digest: manifest && manifestDigest(manifest),
  };
}
