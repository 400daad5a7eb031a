import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { startWorld, type World } from "../e2e/harness/world.ts";
import { runAction, type RunActionOptions, type RunActionResult } from "../mini-runner/index.ts";
import { node24 } from "../mini-runner/node-runtime.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");

/**
 * How many times as fast as real time the bundle and the stand-in run. The bound of 10 s for a connection is that much
 * shorter too, so more would make a busy machine look like a dead one.
 */
export const bundleSpeed = 5;

export interface BundleWorld extends World {
  /** Moves the stand-in and all processes that start from now on so many milliseconds on. */
  advance(ms: number): void;
  aheadMs(): number;
}

export async function startBundleWorld(): Promise<BundleWorld> {
  const world = await startWorld({ speed: bundleSpeed, pools: ["kubehenge-templates"] });
  let aheadMs = 0;
  return Object.assign(world, {
    aheadMs: () => aheadMs,
    advance(ms: number) {
      aheadMs += ms;
      world.proxmox.state.clock.advance(ms);
    },
  });
}

function timeVariables(world: BundleWorld): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "fast-clock.mjs")}`,
    KUBEHENGE_TEST_SPEED: String(bundleSpeed),
    // The stand-in's clock began with the world, a process's begins with the process.
    KUBEHENGE_TEST_AHEAD_MS: String(Math.round(world.proxmox.state.clock.now() - Date.now())),
  };
}

/** Runs the bundled Action as the runner does, at this world's speed. */
export async function runBundledAction(
  world: BundleWorld,
  inputs: Record<string, string>,
  options: Partial<Omit<RunActionOptions, "inputs">> = {},
): Promise<RunActionResult> {
  return await runAction({
    ...options,
    inputs: { ...world.inputs, ...inputs },
    env: timeVariables(world),
    context: { apiUrl: world.upstreams.githubApiUrl, ...options.context },
  });
}

export interface CommandEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
  argv: readonly string[];
}

/** Runs the bundled command; `signals` are sent when their moments come. */
export async function runBundledCommand(
  world: BundleWorld,
  argv: readonly string[],
  signal?: { when: Promise<unknown>; name: NodeJS.Signals },
): Promise<CommandEnd> {
  const child = spawn(node24(projectRoot), [path.join(projectRoot, "dist/cli.mjs"), ...argv], {
    cwd: world.directory,
    env: { ...world.environment, ...timeVariables(world) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  void signal?.when.then(() => child.kill(signal.name));
  const [code, name] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal: name, output, argv };
}

/** The command's state files, by name. */
export function stateFiles(world: Pick<World, "directory">): Record<string, string> {
  const folder = path.join(world.directory, "state", "kubehenge");
  try {
    return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), "utf8")]));
  } catch {
    return {};
  }
}
