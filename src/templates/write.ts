import type { Proxmox } from "../proxmox/client.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { findTask, TaskFailure, waitForTask, type TaskEnd, type TaskWait } from "../proxmox/task.ts";

/** A write that starts a task. */
export interface TaskedWrite extends TaskWait {
  start(): Promise<string | undefined>;
  /** How its task is found again when the answer was lost. */
  task: {
    node: string;
    type: string;
    vmid: number;
    /** Seconds by the server's clock; older tasks belong to an earlier VM of that id. */ notBefore: number;
  };
  /** Whether the thing itself shows that the write was carried out. */
  isDone(): Promise<boolean>;
  /** What a dead worker has begun stays begun, so that a second attempt could only be refused. */
  once?: boolean;
  /** Told the task's UPID as soon as it is known. */
  onTask?: (upid: string) => void;
}

const attempts = 4;

/**
 * Carries a write out and waits for its task. A lost answer is settled by looking: for the task, then for the thing
 * itself; only what has certainly not begun is sent again. A lock that another operation held is waited for.
 * @throws ProxmoxError, TaskFailure
 */
export async function runTask(proxmox: Proxmox, write: TaskedWrite): Promise<TaskEnd> {
  for (let attempt = 1; ; attempt += 1) {
    const upid = await startOrFind(proxmox, write);
    if (upid === undefined) return { upid: "", warnings: [] };
    write.onTask?.(upid);
    try {
      return await waitForTask(proxmox, upid, write);
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      if (error.outcomeUnknown && (await write.isDone())) return { upid, warnings: [] };
      if (attempt >= attempts || !(error.lockTimeout || (error.outcomeUnknown && !write.once))) throw error;
      await proxmox.clock.sleep(1000 * 2 ** attempt, proxmox.signal);
      if (await write.isDone()) return { upid, warnings: [] };
    }
  }
}

/** The UPID of the write's task; nothing when the write turned out to be done without one. */
async function startOrFind(proxmox: Proxmox, write: TaskedWrite): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write.start();
    } catch (error) {
      if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
      await proxmox.clock.sleep(500 * 2 ** attempt, proxmox.signal);
      const task = await findTask(proxmox, write.task.node, { ...write.task, id: String(write.task.vmid) });
      if (task && task.starttime >= write.task.notBefore) return task.upid;
      if (await write.isDone()) return undefined;
    }
  }
}

/**
 * Carries out a write that is done when it answers. After a lost answer the thing is read: done, or sent again.
 * @throws ProxmoxError
 */
export async function confirmWrite(
  proxmox: Proxmox,
  write: () => Promise<void>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
      await proxmox.clock.sleep(500 * 2 ** attempt, proxmox.signal);
      if (await isDone()) return;
    }
  }
}
