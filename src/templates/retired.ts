import { distributions } from "../distributions/index.ts";
import { kubeadmTarget, onNode, talosTarget, ubuntuTarget, type Target } from "../distributions/target.ts";
import type { Proxmox } from "../proxmox/client.ts";
import type { GuestRow } from "../proxmox/cluster.ts";
import { isWholeTemplate, type VmConfig, readConfigIfThere } from "../proxmox/vm.ts";
import type { Manifest } from "./manifest.ts";
import { readNotes } from "./notes.ts";

/** A template that a newer build of the same target has replaced: whole, but without its target's tags. */
export interface Retired {
  row: GuestRow;
  config: VmConfig;
  manifest: Manifest;
  target: Target;
}

export const retiredTag = "kubehenge-retired";

/** What a template is tagged with when a newer build takes its place: no selector of any target matches these. */
export function retiredTags(manifest: Pick<Manifest, "build">): readonly string[] {
  return [`kubehenge-build-${manifest.build}`, retiredTag];
}

/** The target that a manifest describes. */
export function targetOfManifest(manifest: Manifest): Target | undefined {
  const general = generalTarget(manifest);
  return general && manifest.node !== undefined ? onNode(general, manifest.node) : general;
}

function generalTarget({ distribution, version, ubuntuRelease }: Manifest): Target | undefined {
  if (!(distribution in distributions)) return undefined;
  if (distribution === "talos") return talosTarget(version);
  if (distribution === "kubeadm")
    return ubuntuRelease === undefined ? undefined : kubeadmTarget(version, ubuntuRelease);
  return ubuntuTarget(distribution as "rke2" | "k3s", version);
}

/** The retired templates of a pool, the newest first. One call per row. */
export async function readRetired(
  proxmox: Proxmox,
  guests: readonly GuestRow[],
  pool: string | undefined,
): Promise<Retired[]> {
  const rows = guests.filter((row) => row.tags.includes(retiredTag) && (pool === undefined || row.pool === pool));
  const read = await Promise.all(rows.map((row) => readOne(proxmox, row)));
  return read.filter((one) => one !== undefined).sort((a, b) => b.manifest.created.localeCompare(a.manifest.created));
}

async function readOne(proxmox: Proxmox, row: GuestRow): Promise<Retired | undefined> {
  const config = await readConfigIfThere(proxmox, row.node, row.vmid);
  const manifest = config && readNotes(config.description)?.manifest;
  const target = manifest && targetOfManifest(manifest);
  // A clone inherits the tags; only a whole template can come back.
  return config && manifest && target && isWholeTemplate(config) ? { row, config, manifest, target } : undefined;
}
