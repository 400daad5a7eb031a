import assert from "node:assert/strict";
import { runAction } from "../../mini-runner/index.ts";
import type { RunActionOptions, RunActionResult } from "../../mini-runner/index.ts";
import type { TranscriptEntry } from "../../stand-in/proxmox/index.ts";
import type { World } from "./world.ts";

export interface ActionEnd extends RunActionResult {
  /** Requests to Proxmox VE while the Action ran, post included. */
  calls: readonly TranscriptEntry[];
}

/** Runs the bundled Action in the mini-runner; `inputs` go over those with which it finds this world. */
export async function action(
  world: World,
  inputs: Record<string, string>,
  options: Partial<Omit<RunActionOptions, "inputs">> = {},
): Promise<ActionEnd> {
  const first = world.proxmox.transcript.length;
  const result = await runAction({
    ...options,
    inputs: { ...world.inputs, ...inputs },
    context: { apiUrl: world.upstreams.githubApiUrl, ...options.context },
  });
  return { ...result, calls: world.proxmox.transcript.slice(first) };
}

export function assertConclusion(end: ActionEnd, conclusion: ActionEnd["conclusion"]): void {
  assert.equal(end.conclusion, conclusion, `${end.log}\n${end.postLog}\n${end.emitted}`);
  assert.deepEqual(end.complaints, [], "the runner complains");
}
