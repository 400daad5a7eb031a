import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import type { Context } from "./context.ts";
import { planTarget } from "./plan.ts";
import { publish, setTags } from "./publish.ts";
import { retiredTags, targetOfManifest } from "./retired.ts";
import type { Ready } from "./untagged.ts";

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
    const present = plan.action === "reuse" ? plan.found : undefined;
    if (present?.config.protection) {
      await setTags(proxmox, row, retiredTags(manifest));
      reporter.note(
        `VM ${row.vmid} on node ${row.node} was ready to become ${target.title} when run ${manifest.run} ended. It is kept as a retired build, since the present one, VM ${present.row.vmid}, is pinned`,
      );
      continue;
    }
    await publish(proxmox, { node: row.node, vmid: row.vmid, target, manifest }, present);
    reporter.note(
      `Published ${target.title}, VM ${row.vmid} on node ${row.node}: it was proven and ready when run ${manifest.run} ended`,
    );
  }
  return await listGuests(proxmox);
}

function isStillUntagged(guests: readonly GuestRow[], row: GuestRow): boolean {
  return guests.some((one) => one.vmid === row.vmid && one.node === row.node && one.tags.length === 0);
}
