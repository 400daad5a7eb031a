import type { Target } from "../distributions/target.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { waitForTask } from "../proxmox/task.ts";
import { readStatus, stopVm, updateConfig } from "../proxmox/vm.ts";
import { deleteLine } from "./claim.ts";
import { leaseNotes, readNotes } from "./notes.ts";
import { readConfigIfThere } from "./remnant.ts";
import type { Undo } from "./undo.ts";

const reasonLimit = 600;

/**
 * Leaves a failed build's VM for inspection: switched off, without its seed, the reason in its notes. Later runs refuse
 * to build the target until it is gone.
 * @returns a line for the person; nothing when there is no VM that could be kept, which is then cleaned up as usual
 */
export async function keepVm(
  proxmox: Proxmox,
  target: Target,
  pool: string,
  undo: Undo,
  reason: string,
): Promise<string | undefined> {
  const vm = undo.pending.find((remnant) => remnant.kind === "vm");
  if (!vm) return undefined;
  try {
    const config = await readConfigIfThere(proxmox, vm.node, vm.vmid);
    const lease = readNotes(config?.description)?.lease;
    if (!config || lease?.build !== vm.build || config.lock !== undefined) return undefined;
    if ((await readStatus(proxmox, vm.node, vm.vmid)).status === "running") {
      await waitForTask(proxmox, await stopVm(proxmox, vm.node, vm.vmid), { doing: `switching VM ${vm.vmid} off` });
    }
    const seeded = ["ide2", "scsi2"].filter((drive) => lease.seed !== undefined && isOn(config[drive], lease.seed));
    await updateConfig(proxmox, vm.node, vm.vmid, {
      description: leaseNotes({ ...lease, state: "kept", reason: reason.slice(0, reasonLimit) }),
      ...(seeded.length > 0 ? { delete: seeded.join(",") } : {}),
    });
    undo.release(vm);
    return `VM ${vm.vmid} on node ${vm.node} was kept for inspection, switched off; remove it with: ${deleteLine(target, pool)}`;
  } catch {
    // Keeping is a courtesy: what cannot be kept is cleaned up like any other failed build.
    return undefined;
  }
}

function isOn(drive: unknown, volume: string): boolean {
  return typeof drive === "string" && drive.startsWith(volume);
}
