import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import type { Ready } from "./claim.ts";
import type { Context } from "./context.ts";
import { planTarget } from "./plan.ts";
import { publish } from "./publish.ts";
import { targetOfManifest } from "./retired.ts";

/** A publication takes milliseconds: what still waits after this long was left by a crash. */
const patienceMs = 2000;

/**
 * Finishes publications that a crash has interrupted: whole templates whose notes hold their final manifest, but which
 * have no tags. Answers the listing as it is afterwards.
 */
export async function recoverPublications(
  context: Context,
  ready: readonly Ready[],
  pool: string,
): Promise<readonly GuestRow[]> {
  const { proxmox, reporter } = context;
  await proxmox.clock.sleep(patienceMs, proxmox.signal);
  for (const { row, manifest } of ready) {
    const target = targetOfManifest(manifest);
    const guests = await listGuests(proxmox);
    if (!target || !isStillUntagged(guests, row)) continue;
    const plan = await planTarget(proxmox, target, guests, { pool, node: undefined });
    await publish(
      proxmox,
      { node: row.node, vmid: row.vmid, target, manifest },
      plan.action === "reuse" ? plan.found : undefined,
    );
    reporter.note(
      `Published ${target.title}, VM ${row.vmid} on node ${row.node}: it was proven and ready when run ${manifest.run} ended`,
    );
  }
  return await listGuests(proxmox);
}

function isStillUntagged(guests: readonly GuestRow[], row: GuestRow): boolean {
  return guests.some((one) => one.vmid === row.vmid && one.node === row.node && one.tags.length === 0);
}
