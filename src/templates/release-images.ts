import type { Proxmox } from "../proxmox/client.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import type { Place } from "./place.ts";
import type { Left, Undo } from "./undo.ts";

const patienceMs = 60_000;
const pauseMs = 3000;

export interface EndOfRun {
  wasEnded: boolean;
  /** What of it could not be removed. */
  left: readonly Left[];
}

/**
 * Removes the images that this run had downloaded. Another run may be importing from one at this moment: its VM is
 * locked until it has read the whole image, so that is waited for. A run which comes later and finds the image gone
 * downloads it anew.
 */
export async function releaseImages(proxmox: Proxmox, place: Place, undo: Undo, run: EndOfRun): Promise<Left[]> {
  if (undo.pending.length === 0) return [];
  // A run that was ended has no time to be patient.
  const until = proxmox.clock.now() + (run.wasEnded ? 0 : patienceMs);
  // A VM of this run's own that a killed import has left locked reads nothing any more.
  const ownVms = new Set(run.left.flatMap(({ remnant }) => (remnant.kind === "vm" ? [remnant.vmid] : [])));
  const imports = (row: GuestRow) => row.node === place.node && row.lock === "create" && !ownVms.has(row.vmid);
  try {
    while (proxmox.clock.now() < until && (await listGuests(proxmox)).some(imports)) {
      await proxmox.clock.sleep(pauseMs, proxmox.signal);
    }
  } catch {
    // Whether somebody imports cannot be told; an import that has begun keeps its open file all the same.
  }
  return await undo.run(proxmox);
}
