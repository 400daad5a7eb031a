import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "./clock.ts";
import type { TaskKind } from "./options.ts";

/** What a fault makes of a task. */
export type TaskFault =
  | { kind: "task-fails"; text: string }
  | { kind: "task-warnings"; count: number }
  | { kind: "task-dies" };

/** An error whose text is the task's exit status as it stands. */
export class TaskFailure extends Error {
  readonly verbatim: boolean;
  constructor(text: string, verbatim = false) {
    super(text);
    this.verbatim = verbatim;
  }
}

/** The worker is gone: nothing of it runs any more, its clean-up neither. */
export class WorkerDeath extends Error {}

/** What a worker uses. */
export interface Worker {
  readonly task: Task;
  /** Aborted with a TaskFailure `received interrupt` when the task is stopped. */
  readonly signal: AbortSignal;
  log(line: string): void;
  warn(line: string): void;
  /** The working time of this kind of task; `step` is called with shares of it from 0 to 1. Faults strike here. */
  work(step?: (share: number) => void): Promise<void>;
}

export interface Task {
  upid: string;
  node: string;
  kind: TaskKind;
  id: string;
  /** User or token that started it. */
  owner: string;
  pid: number;
  pstart: number;
  starttime: number;
  endtime?: number;
  exitstatus?: string;
  log: string[];
  /** Settles when the task has ended; never rejects. */
  done: Promise<void>;
  stop(): void;
}

const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, "0");

/** The tasks of all nodes, running and ended. */
export class Tasks {
  readonly all: Task[] = [];
  readonly #clock: Clock;
  /** Stand-in milliseconds that a task of each kind takes; a test may change them at any time. */
  readonly durations: Record<TaskKind, number>;
  #nextPid = 1275;
  /** The fault that the first task of a request will meet; requests run side by side. */
  readonly #armed = new AsyncLocalStorage<{ fault: TaskFault | undefined }>();

  constructor(clock: Clock, durations: Record<TaskKind, number>) {
    this.#clock = clock;
    this.durations = durations;
  }

  /** Carries a request out; the first task that it starts meets the fault. */
  withFault<T>(fault: TaskFault | undefined, run: () => Promise<T>): Promise<T> {
    return this.#armed.run({ fault }, run);
  }

  find(upid: string): Task | undefined {
    return this.all.find((task) => task.upid === upid);
  }

  active(): Task[] {
    return this.all.filter((task) => task.exitstatus === undefined);
  }

  /** Starts a worker and gives its UPID at once. */
  start(node: string, kind: TaskKind, id: string, owner: string, run: (worker: Worker) => Promise<void>): string {
    const pid = (this.#nextPid += 3);
    const starttime = this.#clock.seconds();
    const pstart = Math.floor(this.#clock.now() / 10) % 0x7fffffff;
    const abort = new AbortController();
    const armed = this.#armed.getStore();
    const fault = armed?.fault;
    if (armed) armed.fault = undefined;
    const task: Task = {
      upid: `UPID:${node}:${hex(pid)}:${hex(pstart)}:${hex(starttime)}:${kind}:${id}:${owner}:`,
      node,
      kind,
      id,
      owner,
      pid,
      pstart,
      starttime,
      log: [],
      done: Promise.resolve(),
      stop: () => abort.abort(new TaskFailure("received interrupt")),
    };
    this.all.push(task);
    task.done = this.#carryOut(task, abort.signal, fault, run);
    return task.upid;
  }

  async #carryOut(
    task: Task,
    signal: AbortSignal,
    fault: TaskFault | undefined,
    run: (worker: Worker) => Promise<void>,
  ): Promise<void> {
    let warnings = fault?.kind === "task-warnings" ? fault.count : 0;
    const worker: Worker = {
      task,
      signal,
      log: (line) => void task.log.push(line),
      warn: (line) => {
        warnings++;
        task.log.push(`WARN: ${line}`);
      },
      work: async (step) => {
        const total = this.durations[task.kind];
        const steps = step ? Math.max(1, Math.min(10, Math.floor(total / 20))) : 1;
        for (let done = 0; done < steps; done++) {
          step?.(done / steps);
          await this.#clock.sleep(total / steps, signal);
          if (done === Math.floor((steps - 1) / 2)) strike(fault);
        }
        step?.(1);
      },
    };
    // The call answers with the UPID before its worker has done anything.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await run(worker);
      for (let n = 0; fault?.kind === "task-warnings" && n < fault.count; n++)
        task.log.push("WARN: a warning was asked for");
      this.#end(task, warnings > 0 ? `WARNINGS: ${warnings}` : "OK");
    } catch (error) {
      if (error instanceof WorkerDeath) return this.#end(task, "unexpected status");
      // A backend may end a task with any Error; these are faults of the stand-in itself.
      if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
      this.#end(task, error instanceof Error ? error.message : String(error));
    }
  }

  #end(task: Task, exitstatus: string): void {
    if (exitstatus === "OK") task.log.push("TASK OK");
    else if (exitstatus.startsWith("WARNINGS: ")) task.log.push(`TASK ${exitstatus}`);
    else if (exitstatus !== "unexpected status") task.log.push(`TASK ERROR: ${exitstatus}`);
    task.endtime = this.#clock.seconds();
    task.exitstatus = exitstatus;
  }
}

function strike(fault: TaskFault | undefined): void {
  if (fault?.kind === "task-fails") throw new TaskFailure(fault.text, true);
  if (fault?.kind === "task-dies") throw new WorkerDeath("killed");
}
