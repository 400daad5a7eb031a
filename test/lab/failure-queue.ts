import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { isWanted } from "./checks.ts";
import { failures } from "./failures.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Lab } from "./world.ts";

/** Failures are tried as long as this many minutes from the lab's beginning are not over; the rest is named. */
const minutes = Number(process.env["KUBEHENGE_LAB_MINUTES"] ?? 17);

/**
 * Declares the failures as tests. Several labs share them, each taking the next that none has: so all end at about the
 * same time.
 */
export function runFailures(lab: () => Lab): void {
  const queue = process.env["KUBEHENGE_LAB_QUEUE"] ?? "";
  const began = Number(process.env["KUBEHENGE_LAB_BEGAN"] ?? Date.now());
  void test("failures of a guest", async (t) => {
    for (const [at, failure] of failures.entries()) {
      if (!isWanted(failure.name) || !takes(path.join(queue, String(at)))) continue;
      const late = Date.now() - began > minutes * 60_000;
      await t.test(failure.name, { skip: late ? `left out: ${minutes} minutes are over` : false }, async () => {
        const took = stopwatch();
        await failure.run(lab());
        console.log(`${failure.name}: ${took()}`);
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
