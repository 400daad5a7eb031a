import assert from "node:assert/strict";
import { test } from "node:test";
import { waitForTask } from "../../../src/proxmox/task.ts";
import { answering } from "./answering.ts";

const upid = "UPID:pve1:0001:0002:692C0000:qmcreate:100:root@pam!kubehenge:";

/** Waits for a task that takes so many seconds, on a clock that only sleeping moves. */
async function waitThrough(seconds: number): Promise<{ polls: number; lostMs: number }> {
  let now = 0;
  let polls = 0;
  const proxmox = answering(
    (path) => {
      if (path.includes("/log?")) return [];
      polls += 1;
      return now >= seconds * 1000 ? { status: "stopped", exitstatus: "OK" } : { status: "running" };
    },
    { now: () => now, sleep: async (ms) => void (now += ms) },
  );
  await waitForTask(proxmox, upid, { doing: "importing" });
  return { polls, lostMs: now - seconds * 1000 };
}

test("ten minutes of one task are at most sixty polls, and less than a tenth of them is lost", async () => {
  for (const seconds of [590, 595, 600]) {
    const { polls, lostMs } = await waitThrough(seconds);
    assert.ok(polls <= 60, `${polls} polls in ${seconds} s`);
    assert.ok(lostMs <= 25_000, `${lostMs} ms lost`);
  }
});

test("a task of any length loses under 1.5 s, or under a tenth of its time", async () => {
  for (let seconds = 0.1; seconds < 900; seconds *= 1.07) {
    const { lostMs } = await waitThrough(seconds);
    assert.ok(lostMs <= Math.max(1500, 100 * seconds), `${lostMs} ms lost of ${seconds} s`);
  }
});

test("a task that ends at once is known after 100 ms", async () => {
  assert.deepEqual(await waitThrough(0.05), { polls: 1, lostMs: 50 });
});
