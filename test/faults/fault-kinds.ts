import type { FailureKind } from "../../src/failure/failure.ts";
import type { Fault, FaultHook } from "../stand-in/proxmox/index.ts";

/** One way in which a call goes wrong, once. */
export interface FaultKind {
  name: string;
  fault: Fault;
  phase: "before" | "after";
  /** Only calls that start a task can meet it. */
  tasksOnly?: boolean;
  /** The kinds of failure in which a run may end for it; none: it has to end well. */
  mayFail: readonly FailureKind[];
}

const before = (name: string, fault: Fault, mayFail: readonly FailureKind[] = []): FaultKind => ({
  name,
  fault,
  phase: "before",
  mayFail,
});
const after = (name: string, fault: Fault, mayFail: readonly FailureKind[] = []): FaultKind => ({
  name,
  fault,
  phase: "after",
  mayFail,
});
const task = (name: string, fault: Fault, mayFail: readonly FailureKind[] = []): FaultKind => ({
  name,
  fault,
  phase: "before",
  tasksOnly: true,
  mayFail,
});

/** A connection, gateway or lock that fails once is got over; a refusal is told; a task that failed for a reason, too. */
export const faultKinds: readonly FaultKind[] = [
  before("connection refused", { kind: "refuse", ms: 10 }),
  before("reset before", { kind: "reset-before" }),
  after("reset after", { kind: "reset-after" }),
  before("500 with reason", { kind: "answer", status: 500, reason: "unable to open file - Input/output error" }, [
    "failure",
  ]),
  before("lock timeout", {
    kind: "answer",
    status: 500,
    reason: "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout",
  }),
  before("595", { kind: "answer", status: 595, reason: "No route to host" }),
  before("596, not done", { kind: "answer", status: 596, reason: "Connection timed out" }),
  after("596, done", { kind: "answer-after", status: 596, reason: "Connection timed out" }),
  before("599, not done", { kind: "answer", status: 599, reason: "Too many redirections" }),
  after("599, done", { kind: "answer-after", status: 599, reason: "Too many redirections" }),
  before("401", { kind: "answer", status: 401, reason: "permission denied - invalid token" }, ["access"]),
  before("403", { kind: "answer", status: 403, reason: "Permission check failed (/vms/100, VM.Config.Options)" }, [
    "access",
  ]),
  before("slow by 35 s", { kind: "delay", ms: 35_000 }),
  task("task fails", { kind: "task-fails", text: "unable to write: Input/output error" }, ["failure"]),
  task("task WARNINGS: 1", { kind: "task-warnings", count: 1 }),
  task("task worker dies", { kind: "task-dies" }, ["failure"]),
];

/** A call by what it asks, without what differs from run to run: UPIDs and names of builds. */
export function callName(method: string, path: string): string {
  return `${method} ${path.replace(/UPID:[^:]*:[^/]*:([a-z]+):[^/]*:/, "UPID-$1").replace(/-[0-9a-f]{12}\.iso/, "-BUILD.iso")}`;
}

/**
 * Strikes the call of this name, once, the so many-th of its kind (from 1): polls come more or less often from run to
 * run, so that a bare number would hit now this and now that call. `wasStruck` tells whether it came at all.
 */
export function strikeAt(
  { call, occurrence }: { call: string; occurrence: number },
  kind: FaultKind,
): { hook: FaultHook; wasStruck: () => boolean } {
  let seen = 0;
  let struckIndex: number | undefined;
  let done = false;
  return {
    hook: ({ method, path, phase }, at) => {
      if (phase === "before" && callName(method, path) === call) {
        seen += 1;
        if (seen === occurrence) struckIndex = at;
      }
      if (done || at !== struckIndex || phase !== kind.phase) return undefined;
      done = true;
      return kind.fault;
    },
    wasStruck: () => done,
  };
}

/** Whether a call starts a worker on the node, as its method and path tell. */
export function startsTask(method: string, path: string): boolean {
  if (method === "GET") return false;
  return (
    /\/qemu$|\/(download-url|upload|template|resize)$|\/status\/(start|stop|shutdown)$/.test(path) ||
    (method === "DELETE" && /\/qemu\/\d+$|\/content\//.test(path))
  );
}
