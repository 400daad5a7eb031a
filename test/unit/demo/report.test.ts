import assert from "node:assert/strict";
import test from "node:test";
import { verdictLines } from "../../demo/report.ts";

test("the verdict is what a summary says before its first table", () => {
  assert.deepEqual(verdictLines("## Made 1 template\n\nIn 3 s.\n\n| a | b |\n| - | - |\n"), [
    "Made 1 template",
    "In 3 s.",
  ]);
});
