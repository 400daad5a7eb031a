import * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { sayDuration } from "../time/duration.ts";
import { apiPath, type Proxmox } from "./client.ts";

/** `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:` */
export const upidSchema = z.string().check(z.regex(/^UPID:[^:]+:[0-9A-F]+:[0-9A-F]+:[0-9A-F]+:[^:]+:[^:]*:[^:]+:$/i));

// Made when they are needed: a run that reuses a template starts no task.
const statusSchema = () => z.object({ status: z.enum(["running", "stopped"]), exitstatus: z.optional(z.string()) });
const logSchema = () => z.array(z.object({ n: z.int(), t: z.string() }));

export interface TaskEnd {
  upid: string;
  /** Warnings that the task's log holds when it ended with `WARNINGS: n`, which is success. */
  warnings: readonly string[];
}

export interface TaskWait {
  /** What is being done, for messages: "importing the image". */
  doing: string;
  /** Told about the newest line of the log while the task runs. Foreign text. */
  onProgress?: ((line: string) => void) | undefined;
  /** Fails when the log has not grown for this long (ms). A task that shows progress has no bound of its own. */
  stallMs?: number | undefined;
}

const firstPollMs = 100;
const slowestPollMs = 25_000;
/** What polling may add to a task that is too short for a tenth of it to count. */
const shortTaskLossMs = 1500;
const progressEveryMs = 15_000;

/**
 * Waits until a task has ended: polls first after 100 ms, then ever more slowly, at most 25 s apart, so that what
 * is lost by polling stays under a tenth of a long task and under 1.5 s of a short one, and ten minutes take fewer than
 * sixty polls.
 * @throws TaskFailure when it ended in an error or with an outcome that nobody knows; Failure `deadline` when it stalls.
 */
export async function waitForTask(proxmox: Proxmox, upid: string, wait: TaskWait): Promise<TaskEnd> {
  const node = taskNode(upid);
  const { clock, signal } = proxmox;
  const started = clock.now();
  const progress = { lines: 0, grownAt: started, askedAt: started };
  const schema = statusSchema();
  for (let pause = firstPollMs; ; pause = nextPause(pause, clock.now() - started)) {
    await clock.sleep(pause, signal);
    const status = await proxmox.call({
      method: "GET",
      path: apiPath`/nodes/${node}/tasks/${upid}/status`,
      schema,
    });
    if (status.status === "stopped") return await finish(proxmox, upid, wait.doing, status.exitstatus);
    if (clock.now() - progress.askedAt < progressEveryMs) continue;
    progress.askedAt = clock.now();
    const news = await taskLog(proxmox, upid, progress.lines);
    const last = news.at(-1);
    if (last) {
      progress.lines = last.n;
      progress.grownAt = clock.now();
      wait.onProgress?.(last.t);
    }
    const still = clock.now() - progress.grownAt;
    if (wait.stallMs !== undefined && still > wait.stallMs) {
      throw new TaskFailure(
        "deadline",
        `${wait.doing}: the task has shown no progress for ${sayDuration(still)} (its own bound is ${sayDuration(wait.stallMs)})`,
        upid,
        "stalled",
        await tail(proxmox, upid),
      );
    }
  }
}

function nextPause(pause: number, elapsed: number): number {
  return Math.min(pause * 2, Math.max(elapsed / 10, shortTaskLossMs), slowestPollMs);
}

/** A task that ended in an error; `unknown` when its worker died and the outcome has to be read from the VM itself. */
export class TaskFailure extends Failure {
  override readonly name = "TaskFailure";
  readonly upid: string;
  readonly exitStatus: string;
  constructor(
    kind: "failure" | "deadline" | "conflict" | "access" | "verification",
    message: string,
    upid: string,
    exitStatus: string,
    evidence: readonly string[],
  ) {
    super(kind, message, { evidence });
    this.upid = upid;
    this.exitStatus = exitStatus;
  }
  get outcomeUnknown(): boolean {
    return workerDied(this.exitStatus);
  }
  get lockTimeout(): boolean {
    return /can't lock file .* got timeout|got lock timeout|lock.* timeout/i.test(this.exitStatus);
  }
}

function workerDied(exitStatus: string | undefined): boolean {
  return (
    exitStatus === undefined ||
    exitStatus === "" ||
    exitStatus === "unexpected status" ||
    /^unable to (read tail|get last line)|interrupted by signal|^got unexpected/i.test(exitStatus)
  );
}

async function finish(proxmox: Proxmox, upid: string, doing: string, first: string | undefined): Promise<TaskEnd> {
  let exitStatus = first;
  if (workerDied(exitStatus)) {
    // The status file may not be flushed yet; once more after a second, then it counts (cases.md B26).
    await proxmox.clock.sleep(1000, proxmox.signal);
    const again = await proxmox.call({
      method: "GET",
      path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}/status`,
      schema: statusSchema(),
    });
    exitStatus = again.exitstatus ?? exitStatus;
  }
  if (exitStatus === "OK") return { upid, warnings: [] };
  if (exitStatus && /^WARNINGS: \d+$/.test(exitStatus)) {
    const warnings = (await taskLog(proxmox, upid, 0)).map((line) => line.t).filter((line) => /^WARN/i.test(line));
    return { upid, warnings: warnings.length > 0 ? warnings : [exitStatus] };
  }
  const evidence = await tail(proxmox, upid);
  const said =
    exitStatus && !workerDied(exitStatus)
      ? exitStatus
      : `its worker died (${exitStatus || "no exit status"}), the outcome is unknown`;
  const kind = /permission check failed/i.test(said)
    ? "access"
    : /is locked|lock.*timeout|still in use|already exists/i.test(said)
      ? "conflict"
      : /checksum mismatch/i.test(said)
        ? "verification"
        : "failure";
  throw new TaskFailure(kind, `${doing}: the Proxmox VE task failed: ${said}`, upid, exitStatus ?? "", evidence);
}

async function taskLog(proxmox: Proxmox, upid: string, start: number) {
  return await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}/log`,
    parameters: { start, limit: 500 },
    schema: logSchema(),
  });
}

/** The last lines of a task's log for an error; an unreadable log must not hide the error itself. */
async function tail(proxmox: Proxmox, upid: string): Promise<string[]> {
  try {
    return (await taskLog(proxmox, upid, 0)).slice(-10).map((line) => line.t);
  } catch {
    return [];
  }
}

/** Stops a task; an import that is stopped cleans up after itself. */
export async function stopTask(proxmox: Proxmox, upid: string): Promise<void> {
  await proxmox.call({ method: "DELETE", path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}`, schema: z.unknown() });
}

/** Whose task it is: `USER@REALM!TOKENID`. */
export function taskOwner(upid: string): string {
  return upid.split(":")[7] ?? "";
}

/** When a task was started, in seconds by the server's clock. */
export function taskStart(upid: string): number {
  return Number.parseInt(upid.split(":")[4] ?? "", 16);
}

function taskNode(upid: string): string {
  return upid.split(":")[1] ?? "";
}

const listedTask = () =>
  z.object({
    upid: z.string(),
    type: z.string(),
    id: z.optional(z.string()),
    starttime: z.number(),
    status: z.optional(z.string()),
    endtime: z.optional(z.number()),
  });
export type ListedTask = z.infer<ReturnType<typeof listedTask>>;

/**
 * The newest own task of a kind, running or ended: how a call is found again whose answer was lost.
 */
export async function findTask(
  proxmox: Proxmox,
  node: string,
  match: { type: string; id: string; vmid?: number },
): Promise<ListedTask | undefined> {
  const tasks = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/tasks`,
    parameters: { source: "all", typefilter: match.type, vmid: match.vmid, limit: 50 },
    schema: z.array(listedTask()),
  });
  return tasks
    .filter((task) => task.type === match.type && (task.id ?? "") === match.id)
    .sort((a, b) => b.starttime - a.starttime)[0];
}
