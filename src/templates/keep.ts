import type { Target } from "../distributions/target.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { waitForTask } from "../proxmox/task.ts";
import { readStatus, stopVm, updateConfig, readConfigIfThere } from "../proxmox/vm.ts";
import { deleteLine } from "./claim.ts";
import { leaseNotes, readNotes } from "./notes.ts";
import { type Remnant } from "./remnant.ts";
import type { Undo } from "./undo.ts";

const reasonLimit = 600;

/**
 * Leaves a failed build's VM for inspection, and after a smoke test the clone with its candidate, on whose disk it hangs:
 * switched off, without its seed, the reason in its notes. Later runs refuse to build the target until it is gone.
 * @param replaces a template stands beside it, which a deletion by the target's name would take in
 * @returns a line for the person; nothing when there is no VM that could be kept, which is then cleaned up as usual
 */
export async function keepVm(
  proxmox: Proxmox,
  target: Target,
  pool: string,
  undo: Undo,
  reason: string,
  replaces: boolean,
): Promise<string | undefined> {
  const vms = undo.pending.filter((remnant) => remnant.kind === "vm").toReversed();
  const kept: (Remnant & { kind: "vm" })[] = [];
  for (const vm of vms) if (await keepOne(proxmox, vm, undo, reason)) kept.push(vm);
  if (kept.length === 0) return undefined;
  const names = kept.map(({ vmid }) => `VM ${vmid}`).join(" and ");
  const removal = replaces ? kept.map(({ vmid }) => `qm destroy ${vmid} --purge`).join("; ") : deleteLine(target, pool);
  return `${names} on node ${kept[0]?.node} ${kept.length > 1 ? "were" : "was"} kept for inspection, switched off; remove ${kept.length > 1 ? "them" : "it"} with: ${removal}`;
}

async function keepOne(proxmox: Proxmox, vm: Remnant & { kind: "vm" }, undo: Undo, reason: string): Promise<boolean> {
  try {
    const config = await readConfigIfThere(proxmox, vm.node, vm.vmid);
    const lease = readNotes(config?.description)?.lease;
    if (!config || lease?.build !== vm.build || config.lock !== undefined) return false;
    if ((await readStatus(proxmox, vm.node, vm.vmid)).status === "running") {
      await waitForTask(proxmox, await stopVm(proxmox, vm.node, vm.vmid), { doing: `switching VM ${vm.vmid} off` });
    }
    const seeded = ["ide0", "ide2", "scsi2"].filter(
      (drive) => lease.seed !== undefined && isOn(config[drive], lease.seed),
    );
    await updateConfig(proxmox, vm.node, vm.vmid, {
      description: leaseNotes({ ...lease, state: "kept", reason: reason.slice(0, reasonLimit) }),
      ...(seeded.length > 0 ? { delete: seeded.join(",") } : {}),
    });
    undo.release(vm);
    return true;
  } catch {
    // Keeping is a courtesy: what cannot be kept is cleaned up like any other failed build.
    return false;
  }
}

function isOn(drive: unknown, volume: string): boolean {
  return typeof drive === "string" && drive.startsWith(volume);
}
