import type { Proxmox } from "../proxmox/client.ts";
import type { GuestRow } from "../proxmox/cluster.ts";
import { isNodeDown, ProxmoxError } from "../proxmox/error.ts";
import { isWholeTemplate, readConfigIfThere, type VmConfig } from "../proxmox/vm.ts";
import type { Lease } from "./lease.ts";
import type { Manifest } from "./manifest.ts";
import { readNotes } from "./notes.ts";

/** A VM in the pool whose notes say that it is being built, or was kept after a failure. */
export interface Claim {
  row: GuestRow;
  config: VmConfig;
  lease: Lease;
}

/** A whole template whose notes hold its final manifest, but which has no tags: a crash interrupted its publication. */
export interface Ready {
  row: GuestRow;
  config: VmConfig;
  manifest: Manifest;
}

/** What the VMs without tags in a pool are to this product: build VMs bear no tags until they are published. */
export interface Untagged {
  claims: readonly Claim[];
  ready: readonly Ready[];
}

/** One call for each VM without tags in the pool. */
export async function readUntagged(
  proxmox: Proxmox,
  guests: readonly GuestRow[],
  pool: string | undefined,
  apart?: number,
): Promise<Untagged> {
  const rows = guests.filter(
    (row) =>
      row.pool !== undefined &&
      (pool === undefined || row.pool === pool) &&
      row.tags.length === 0 &&
      row.vmid !== apart,
  );
  const read = await Promise.all(rows.map(async (row) => ({ row, config: await readIfReachable(proxmox, row) })));
  const claims: Claim[] = [];
  const ready: Ready[] = [];
  for (const { row, config } of read) {
    if (!config) continue;
    const note = readNotes(config.description);
    if (note?.lease) claims.push({ row, config, lease: note.lease });
    else if (note?.manifest && isWholeTemplate(config)) ready.push({ row, config, manifest: note.manifest });
  }
  return { claims, ready };
}

/** Nothing for a VM on a node that is down: whatever builds there does not go on, and must not keep others from building. */
async function readIfReachable(proxmox: Proxmox, { node, vmid }: GuestRow): Promise<VmConfig | undefined> {
  try {
    return await readConfigIfThere(proxmox, node, vmid);
  } catch (error) {
    if (error instanceof ProxmoxError && isNodeDown(error)) return undefined;
    throw error;
  }
}
