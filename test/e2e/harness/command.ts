import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { node24 } from "../../mini-runner/node-runtime.ts";
import type { TranscriptEntry } from "../../stand-in/proxmox/index.ts";
import type { World } from "./world.ts";

export const projectRoot = path.resolve(import.meta.dirname, "../../..");
export const commandFile = path.join(projectRoot, "dist/cli.mjs");

export interface CommandOptions {
  /** Added to the world's environment; undefined takes a variable away. */
  env?: Record<string, string | undefined>;
  /** Signals the process when this resolves. */
  kill?: { when: Promise<unknown>; signal: NodeJS.Signals };
}

export interface CommandEnd {
  /** Exit code; null when a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Requests to Proxmox VE while the command ran. */
  calls: readonly TranscriptEntry[];
}

/** Splits a command line at blanks; quotes hold an argument together. */
function words(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "");
}

export function commandEnvironment(world: World, changes: CommandOptions["env"] = {}): Record<string, string> {
  const fast =
    world.speed === 1
      ? {}
      : {
          NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "fast-clock.mjs")}`,
          KUBEHENGE_TEST_SPEED: String(world.speed),
        };
  const all: Record<string, string | undefined> = { ...world.environment, ...fast, ...changes };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Runs the bundled command with a line such as `template create talos --node pve1`, or with arguments as they are.
 * Whatever it emits, the token's secret must not be in it.
 */
export async function kubehenge(
  world: World,
  line: string | readonly string[],
  options: CommandOptions = {},
): Promise<CommandEnd> {
  const first = world.proxmox.transcript.length;
  const argv = typeof line === "string" ? words(line) : line;
  const child = spawn(node24(projectRoot), [commandFile, ...argv], {
    cwd: world.directory,
    env: commandEnvironment(world, options.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  void options.kill?.when.then(() => child.kill(options.kill?.signal));
  const [code] = (await once(child, "close")) as [number | null];
  assert.ok(!`${texts.stdout}${texts.stderr}`.includes(world.secret), "the command shows the token's secret");
  return { code, ...texts, calls: world.proxmox.transcript.slice(first) };
}

/** What is not ok is shown with all that the command said. */
export function assertCode(end: CommandEnd, code: number): void {
  assert.equal(end.code, code, `exit code ${end.code} instead of ${code}\n${end.stdout}\n${end.stderr}`);
}
