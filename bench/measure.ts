import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A program to be measured. */
export interface Program {
  name: string;
  /** Arguments of node, the script first. */
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** How it has to end; 0 when left out. */
  exitCode?: number;
}

export interface Sample {
  wallMs: number;
  /** User and system time. */
  cpuMs: number;
  /** Largest resident set. */
  rssMiB: number;
}

export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Measured {
  name: string;
  runs: number;
  wallMs: Spread;
  cpuMs: Spread;
  rssMiB: Spread;
}

const usage = path.join(import.meta.dirname, "usage.mjs");

/** Runs the programs in turn, A B C A B C, so that a machine whose speed drifts is the same to all of them; the first round warms up. */
export async function measure(programs: readonly Program[], runs: number): Promise<Measured[]> {
  const samples = programs.map((): Sample[] => []);
  for (let run = 0; run <= runs; run += 1) {
    for (const [at, program] of programs.entries()) {
      const sample = await runOnce(program);
      if (run > 0) samples[at]?.push(sample);
    }
  }
  return programs.map(({ name }, at) => {
    const own = samples[at] ?? [];
    return { name, runs, wallMs: spread(own, "wallMs"), cpuMs: spread(own, "cpuMs"), rssMiB: spread(own, "rssMiB") };
  });
}

function spread(samples: readonly Sample[], key: keyof Sample): Spread {
  const sorted = samples.map((sample) => sample[key]).sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return { median: at(Math.floor(sorted.length / 2)), min: at(0), max: at(sorted.length - 1) };
}

/** @throws Error when the program ends in another way than it should */
export async function runOnce({ name, args, environment, exitCode = 0 }: Program): Promise<Sample> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "kubehenge-bench-"));
  const report = path.join(folder, "usage.json");
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, ["--import", usage, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...environment, BENCH_USAGE: report },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
  if (code !== exitCode) throw new Error(`${name} ended with ${String(code)}: ${output}`);
  const used = JSON.parse(readFileSync(report, "utf8")) as Omit<Sample, "wallMs">;
  rmSync(folder, { recursive: true });
  return { wallMs, ...used };
}
