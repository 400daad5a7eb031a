import { Failure } from "../failure/failure.ts";
import { cloneLinked } from "../proxmox/clone.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { nextVmid } from "../proxmox/cluster.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { taskStart } from "../proxmox/task.ts";
import { readConfig, readStatus, startVm, updateConfig, type VmConfig, readConfigIfThere } from "../proxmox/vm.ts";
import type { Parameters } from "../proxmox/client.ts";
import type { BuildVm } from "./create-vm.ts";
import { type Remnant } from "./remnant.ts";
import type { Undo } from "./undo.ts";
import { confirmWrite, runTask } from "./write.ts";
import { isOurs, readOwnConfig } from "./own-vm.ts";

/** A linked clone of a candidate, on its way through the smoke test. */
export interface Clone {
  node: string;
  vmid: number;
  /** Also its host name. */
  name: string;
  remnant: Remnant & { kind: "vm" };
  /** When its creation was started, in seconds by the server's clock. */
  createdAt: number;
}

const attempts = 12;

/**
 * Makes a linked clone of the candidate. It inherits the candidate's notes, and with them the lease by which the undo,
 * the post step and later runs know it.
 * @throws ProxmoxError, TaskFailure
 */
export async function cloneCandidate(proxmox: Proxmox, vm: BuildVm, pool: string, undo: Undo): Promise<Clone> {
  const { node, remnant: candidate } = vm;
  const name = `kubehenge-smoke-${candidate.build}`;
  for (let attempt = 1; ; attempt += 1) {
    const vmid = await nextVmid(proxmox);
    const remnant: Clone["remnant"] = { kind: "vm", node, vmid, build: candidate.build, clonedFrom: vm.vmid };
    undo.push(remnant);
    try {
      const { upid } = await runTask(proxmox, {
        doing: `cloning VM ${vm.vmid} to VM ${vmid}`,
        start: () => cloneLinked(proxmox, node, vm.vmid, { newid: vmid, name, pool }),
        task: { node, type: "qmclone", vmid: vm.vmid, notBefore: vm.createdAt },
        isDone: async () => {
          const config = await readConfigIfThere(proxmox, node, vmid);
          return config !== undefined && config.lock === undefined && isOurs(config, candidate.build);
        },
        once: true,
        onTask: (task) => undo.push({ ...remnant, upid: task }),
      });
      undo.push(remnant);
      await readOwnConfig(proxmox, remnant);
      return { node, vmid, name, remnant, createdAt: upid ? taskStart(upid) : vm.createdAt };
    } catch (error) {
      const taken = error instanceof ProxmoxError && /already exists/i.test(error.reason);
      if (!taken || attempt >= attempts) throw error;
      // Nothing of ours: the id was somebody else's before the call.
      undo.release(remnant);
      await proxmox.clock.sleep(100 + Math.random() * 400, proxmox.signal);
    }
  }
}

/** Changes a clone's hardware; a lost answer is settled by looking for the options. */
export async function equipClone(proxmox: Proxmox, clone: Clone, parameters: Parameters): Promise<void> {
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, clone.node, clone.vmid, parameters),
    async () => {
      const config = await readConfig(proxmox, clone.node, clone.vmid);
      return (
        Object.keys(parameters).every((option) => config[option] !== undefined) && config["cores"] === cloneSize.cores
      );
    },
  );
}

/** More than the template has, as clusters ask for: CAPMOX#848 stalls on equal values. MiB, as kubeadm wants at least. */
export const cloneSize = { cores: 2, memory: 2048 };

export async function startClone(proxmox: Proxmox, clone: Clone): Promise<void> {
  await runTask(proxmox, {
    doing: `starting VM ${clone.vmid}, a clone of the candidate`,
    start: () => startVm(proxmox, clone.node, clone.vmid),
    task: { node: clone.node, type: "qmstart", vmid: clone.vmid, notBefore: clone.createdAt },
    isDone: async () => (await readStatus(proxmox, clone.node, clone.vmid)).status === "running",
  });
}

/** The UUID that Proxmox VE has given a VM: of each clone its own. @throws Failure */
export function smbiosUuid(config: VmConfig, vmid: number): string {
  const uuid = /(?:^|,)uuid=([0-9a-f-]{36})(?:,|$)/i.exec(config.smbios1 ?? "")?.[1];
  if (uuid) return uuid.toLowerCase();
  throw new Failure("verification", `VM ${vmid} has no SMBIOS UUID (smbios1), so that a clone could not be told apart`);
}
