import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { isMissingVm, ProxmoxError } from "../proxmox/error.ts";
import { deleteVolume } from "../proxmox/storage.ts";
import { findTask, stopTask, TaskFailure, taskOwner, waitForTask, type ListedTask } from "../proxmox/task.ts";
import { destroyVm, readConfigIfThere, readStatus, stopVm, type VmConfig } from "../proxmox/vm.ts";
import { isOurs } from "./own-vm.ts";
import { removalCommands, type Remnant } from "./remnant.ts";

/**
 * Removes what a build made, if it is there and still ours: an id may be somebody else's by now.
 * @throws ProxmoxError or TaskFailure when it stays.
 */
export async function removeRemnant(proxmox: Proxmox, remnant: Remnant): Promise<"removed" | "absent" | "not-ours"> {
  if (remnant.upid) await endTask(proxmox, remnant.upid);
  return remnant.kind === "volume" ? await removeVolume(proxmox, remnant) : await removeVm(proxmox, remnant);
}

async function removeVolume(proxmox: Proxmox, remnant: Remnant & { kind: "volume" }): Promise<"removed"> {
  const { node, volume } = remnant;
  if (!remnant.upid && !remnant.whole) await endTransfer(proxmox, node, volume);
  // Its name is ours alone and an absent volume is fine, so that a lost answer is settled by deleting again.
  await persist(proxmox, async () => {
    const upid = await deleteVolume(proxmox, node, volume);
    if (upid) await waitForTask(proxmox, upid, { doing: `removing ${volume}` });
  });
  return "removed";
}

/** A download or upload whose answer was lost may still be going on and would bring the volume back. */
async function endTransfer(proxmox: Proxmox, node: string, volume: string): Promise<void> {
  if (volume.includes(":import/")) {
    const task = await findTask(proxmox, node, { type: "download", id: volume.slice(volume.lastIndexOf("/") + 1) });
    if (task && isRunning(task)) await endTask(proxmox, task.upid);
    return;
  }
  // Uploads bear no id: whichever this is, it is waited for and not stopped.
  const task = await findTask(proxmox, node, { type: "imgcopy", id: "" });
  if (task && isRunning(task))
    await waitForTask(proxmox, task.upid, { doing: "waiting for an upload" }).catch(ignoreTaskFailure);
}

async function removeVm(
  proxmox: Proxmox,
  remnant: Remnant & { kind: "vm" },
): Promise<"removed" | "absent" | "not-ours"> {
  const { node, vmid, build } = remnant;
  let config = await readConfigIfThere(proxmox, node, vmid);
  if (!config && !remnant.upid) {
    // The create may have been cut off a moment ago and only now be beginning.
    await proxmox.clock.sleep(1000, proxmox.signal);
    config = await readConfigIfThere(proxmox, node, vmid);
  }
  if (!config) return "absent";
  let created = false;
  if (isUnfinished(config) || (remnant.clonedFrom !== undefined && config.lock === "clone")) {
    // Its import still runs, or was killed. It has no notes yet that could prove it ours, but its task can.
    const source = remnant.clonedFrom ?? vmid;
    const type = remnant.clonedFrom === undefined ? "qmcreate" : "qmclone";
    const task = await findTask(proxmox, node, { type, id: String(source), vmid: source });
    if (!task || taskOwner(task.upid) !== proxmox.tokenName) return "not-ours";
    created = task.upid === remnant.upid;
    // Where this build's UPID never became known, another run with the same token may have taken the id: its import is
    // not stopped, and its notes will tell.
    if (created) await endTask(proxmox, task.upid);
    else
      await waitForTask(proxmox, task.upid, {
        doing: `waiting for VM ${vmid} to be created, to see whose it is`,
      }).catch(ignoreTaskFailure);
    config = await readConfigIfThere(proxmox, node, vmid);
    if (!config) return "removed";
    if (isUnfinished(config) && !created) throw lockedByKilledTask(remnant, config.lock ?? "create");
  }
  const isRight = (one: VmConfig) => isOurs(one, build) || (created && isUnfinished(one));
  if (!isRight(config)) return "not-ours";
  await destroyStopped(proxmox, node, vmid, isRight);
  return "removed";
}

function lockedByKilledTask({ vmid, node }: Remnant & { kind: "vm" }, lock: string): Failure {
  return new Failure(
    "conflict",
    `VM ${vmid} on node ${node} was left locked (${lock}) by a task that was killed; only root may undo that`,
    {
      remedy: removalCommands({ kind: "vm", vmid, node, build: "" }),
    },
  );
}

/**
 * Stops a VM if it runs, then destroys it with its disks.
 * @param isRight looked at before each attempt: after a lost answer the id may be somebody else's
 */
export async function destroyStopped(
  proxmox: Proxmox,
  node: string,
  vmid: number,
  isRight: (config: VmConfig) => boolean,
): Promise<void> {
  await persist(proxmox, async () => {
    const config = await readConfigIfThere(proxmox, node, vmid);
    if (!config || !isRight(config)) return;
    if ((await readStatus(proxmox, node, vmid)).status === "running") {
      await waitForTask(proxmox, await stopVm(proxmox, node, vmid), { doing: `switching VM ${vmid} off` });
    }
    await waitForTask(proxmox, await destroyVm(proxmox, node, vmid), { doing: `destroying VM ${vmid}` });
  });
}

const attempts = 6;

/** Repeats work that looks first and then writes, while what hinders it may pass: locks, gateways, lost answers, dead workers. */
async function persist(proxmox: Proxmox, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (isMissingVm(error)) return;
      if (attempt >= attempts || !isPassing(error)) throw error;
      await proxmox.clock.sleep(250 * 2 ** attempt, proxmox.signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof TaskFailure) return error.lockTimeout || error.outcomeUnknown;
  return (
    error instanceof ProxmoxError && (error.treatment !== "final" || /is running - destroy failed/.test(error.reason))
  );
}

/** While a create imports or a clone is made, the configuration holds nothing but its lock. */
function isUnfinished(config: VmConfig): boolean {
  return (
    (config.lock === "create" || config.lock === "clone") &&
    config.description === undefined &&
    config.name === undefined
  );
}

function isRunning(task: ListedTask): boolean {
  return task.endtime === undefined && (task.status === undefined || task.status === "RUNNING");
}

const stopAttempts = 3;

/** Stops a task if it still runs and waits for its end; an import that is stopped removes its VM itself. */
async function endTask(proxmox: Proxmox, upid: string): Promise<void> {
  for (let attempt = 1; attempt <= stopAttempts; attempt += 1) {
    try {
      await stopTask(proxmox, upid);
      break;
    } catch (error) {
      if (!(error instanceof ProxmoxError)) throw error;
      // One that has ended cannot be stopped, which is what was wanted; the rest shows when it is waited for.
      if (error.treatment !== "ambiguous") break;
    }
  }
  await waitForTask(proxmox, upid, { doing: "stopping a task of this run" }).catch(ignoreTaskFailure);
}

/** A stopped task ends in an error, and one that is long gone is unknown: either has ended. */
function ignoreTaskFailure(error: unknown): void {
  if (!(error instanceof TaskFailure) && !(error instanceof ProxmoxError && error.status === 400)) throw error;
}
