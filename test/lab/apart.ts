import { spawn, type ChildProcessByStdio } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";

export type Apart = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Starts a program in namespaces of its own: for the network, for mounts, and for processes, so that no guest stays behind
 * whatever happens to this process.
 */
export function startApart(argv: readonly string[], environment: NodeJS.ProcessEnv): Apart {
  return spawn("unshare", ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--", ...argv], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "pipe"],
    env: environment,
  });
}

/**
 * unshare itself takes no signal while its child runs. What does not end by the signal is pulled: the kernel then ends the
 * whole pid namespace.
 */
export function end(program: Apart, signal: NodeJS.Signals): void {
  try {
    const children = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, "utf8").trim().split(" ");
    for (const pid of children.filter((one) => one !== "")) process.kill(Number(pid), signal);
  } catch {
    // It has ended by itself meanwhile.
  }
  setTimeout(() => program.kill("SIGKILL"), 10_000).unref();
}
