import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** A moment: milliseconds after the start, or a promise that resolves. */
export type Moment = number | Promise<unknown>;

export interface StepProcess {
  node: string;
  script: string;
  workingDirectory: string;
  environment: Record<string, string>;
  onLine: (line: string) => void;
  /** When the run is cancelled: SIGINT, SIGTERM after 7.5 s, SIGKILL 2.5 s later, each to node's own pid. */
  cancelAfter?: Moment | undefined;
  /** Factor on the 7.5 s and 2.5 s. */
  cancelScale: number;
  /** When the machine dies: SIGKILL at once. */
  dieAfter?: Moment | undefined;
}

export interface StepEnd {
  /** The process's exit code, or 128 and the number of the signal that ended it. */
  exitCode: number;
  signal: NodeJS.Signals | undefined;
  cancelled: boolean;
  died: boolean;
  durationMs: number;
}

/** What the runner sends when a run is cancelled, and how long it waits after each, in ms. */
const cancelSteps = [
  { signal: "SIGINT", waitMs: 7500 },
  { signal: "SIGTERM", waitMs: 2500 },
  { signal: "SIGKILL", waitMs: 0 },
] as const;

/** Resolves true at the moment, or false when the signal aborts before it. */
async function reached(moment: Moment, ended: AbortSignal): Promise<boolean> {
  const over = new Promise<void>((resolve) => ended.addEventListener("abort", () => resolve(), { once: true }));
  const due = typeof moment === "number" ? sleep(moment, undefined, { signal: ended }).catch(() => undefined) : moment;
  await Promise.race([due, over]);
  return !ended.aborted;
}

async function cancel(child: ChildProcess, scale: number, ended: AbortSignal): Promise<void> {
  for (const { signal, waitMs } of cancelSteps) {
    if (ended.aborted) return;
    child.kill(signal);
    if (!(await reached(waitMs * scale, ended))) return;
  }
}

/** Runs one script of the action to its end. Output lines of both streams are given as they come. */
export async function runStepProcess(step: StepProcess): Promise<StepEnd> {
  const started = performance.now();
  const ended = new AbortController();
  const child = spawn(step.node, [step.script], {
    cwd: step.workingDirectory,
    env: step.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const readers = [child.stdout, child.stderr].map(async (stream) => {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) step.onLine(line);
  });
  let cancelled = false;
  let died = false;
  const watch = async (moment: Moment | undefined, act: () => void | Promise<void>): Promise<void> => {
    if (moment !== undefined && (await reached(moment, ended.signal))) await act();
  };
  const watchers = [
    watch(step.cancelAfter, async () => {
      cancelled = true;
      await cancel(child, step.cancelScale, ended.signal);
    }),
    watch(step.dieAfter, () => {
      died = true;
      child.kill("SIGKILL");
    }),
  ];
  // Rejects where node cannot be started: once() throws what "error" brings.
  await once(child, "close").finally(() => ended.abort());
  const { exitCode: code, signalCode: signal } = child;
  await Promise.all([...readers, ...watchers]);
  return {
    exitCode: code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]),
    signal: signal ?? undefined,
    cancelled,
    died,
    durationMs: performance.now() - started,
  };
}
