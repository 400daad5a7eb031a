import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import type { Recording } from "./replay/replay.ts";
import { Stage } from "./replay/stage.ts";
import { takeRole, UNRECORDED } from "./replay/unrecorded.ts";

const FILE = resolve(import.meta.dirname, "../../../../shared/pve/recordings.jsonl");

/** Recordings that the stand-in does not answer as recorded, and why. It must not grow. */
const NOT_COVERED: Record<string, string> = {};

/** The two creates that raced were written down in the order of their answers; the first sent is the one that won. */
function inOrder(recordings: Recording[]): Recording[] {
  const winner = recordings.findIndex(({ name }) => name === "create-race-a");
  const [race] = recordings.splice(winner, 1);
  if (race)
    recordings.splice(
      recordings.findIndex(({ name }) => name === "create-race-b"),
      0,
      race,
    );
  return recordings;
}

/** A create that was answered with a task found its id free: somebody had removed the VM before. */
async function makeRoom(stage: Stage, next: Recording): Promise<void> {
  if (next.method !== "POST" || !next.path.endsWith("/qemu") || next.status !== 200) return;
  const params = next.request_params as { vmid?: number; raw?: string };
  const raw = params.raw?.match(/vmid\W+(\d+)/)?.[1];
  await stage.forget(params.vmid ?? Number(raw));
}

test("every recorded request is answered as Proxmox VE answered it", async (t) => {
  if (!existsSync(FILE)) return t.skip("the recordings are not on this machine (../shared/pve/recordings.jsonl)");
  const lines = readFileSync(FILE, "utf8").trimEnd().split("\n");
  const recordings = inOrder(lines.map((line) => JSON.parse(line) as Recording));
  const stage = await Stage.start();
  const failed = new Map<string, string[]>();
  try {
    for (const recording of recordings) {
      takeRole(stage, recording);
      await makeRoom(stage, recording);
      await UNRECORDED[recording.name]?.(stage, recording);
      const found = await stage.replay.check(recording);
      if (found.length > 0) failed.set(recording.name, found);
    }
  } finally {
    await stage.close();
  }
  const unexpected = [...failed].filter(([name]) => NOT_COVERED[name] === undefined);
  const covered = Object.keys(NOT_COVERED).filter((name) => !failed.has(name));
  t.diagnostic(`${recordings.length - failed.size} of ${recordings.length} recordings are answered as recorded`);
  for (const [name, reason] of Object.entries(NOT_COVERED)) t.diagnostic(`not covered: ${name}: ${reason}`);
  assert.deepEqual(
    unexpected,
    [],
    `answered otherwise: ${unexpected.map(([name, found]) => `\n${name}: ${found.join("; ")}`).join("")}`,
  );
  assert.deepEqual(covered, [], "these are covered by now: take them off the list");
});
