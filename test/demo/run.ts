import { runAction } from "../mini-runner/index.ts";
import type { RunActionResult } from "../mini-runner/index.ts";
import type { World } from "./world.ts";

/** A call to the Proxmox VE API; ms is the time until its answer. */
export interface ApiCall {
  run: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  newConnection: boolean;
}

/** One run of the Action. */
export interface Run {
  /** Such as `create talos` or `reuse talos`. */
  name: string;
  distribution: string;
  expected: "created" | "reused";
  result: RunActionResult;
  calls: ApiCall[];
}

/** Runs the bundled Action once, and gives what it said with the API calls that it made. */
export async function runOnce(world: World, distribution: string, expected: Run["expected"]): Promise<Run> {
  const name = `${expected === "created" ? "create" : "reuse"} ${distribution}`;
  const before = world.proxmox.transcript.length;
  const result = await runAction({
    inputs: { ...world.inputs, distribution },
    context: { apiUrl: world.upstreams.githubApiUrl, token: "demo-token-of-the-job" },
    secrets: [world.proxmox.token],
  });
  const calls = world.proxmox.transcript.slice(before).map(({ method, path, status, ms, newConnection }) => ({
    run: name,
    method,
    path,
    status,
    ms: Math.round(ms * 10) / 10,
    newConnection,
  }));
  return { name, distribution, expected, result, calls };
}
