import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { isWanted } from "./checks.ts";
import { failures } from "./failures.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Lab } from "./world.ts";

/** The failures that would not end within so many minutes from the lab's beginning are left out, and named. */
const minutes = Number(process.env["KUBEHENGE_LAB_MINUTES"] ?? 20);

/** What one takes in an emulated guest, as long as none of this lab's own can tell. */
const usualMs = 240_000;

/**
 * Declares the failures as tests. Several labs share them, each taking the next that none has: so all end at about the
 * same time.
 */
export function runFailures(lab: () => Lab): void {
  const queue = process.env["KUBEHENGE_LAB_QUEUE"] ?? "";
  const began = Number(process.env["KUBEHENGE_LAB_BEGAN"] ?? Date.now());
  void test("failures of a guest", async (t) => {
    let longestMs = 0;
    for (const [at, failure] of failures.entries()) {
      if (!isWanted(failure.name) || !takes(path.join(queue, String(at)))) continue;
      const startedAt = Date.now();
      const late = startedAt + (longestMs || usualMs) > began + minutes * 60_000;
      const skip = late && `left out: it would not end within ${minutes} minutes`;
      await t.test(failure.name, { skip }, async () => {
        const took = stopwatch();
        await failure.run(lab());
        console.log(`${failure.name}: ${took()}`);
        longestMs = Math.max(longestMs, Date.now() - startedAt);
      });
    }
  });
}

/** Whether this process is the first that makes the file. */
function takes(file: string): boolean {
  try {
    closeSync(openSync(file, "wx"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
