import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import path from "node:path";
import test from "node:test";

const root = path.resolve(import.meta.dirname, "../../..");

function runTests(outcome: string): { status: number | null; output: string } {
  // A test runner that sees this variable takes itself for the child of another one.
  const { NODE_TEST_CONTEXT: _context, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["test/run.mjs", "test/fixtures/checks/outcomes.ts"], {
    cwd: root,
    encoding: "utf8",
    env: { ...environment, OUTCOME: outcome, KUBEHENGE_TEST_REPORTER: "spec" },
  });
  return { status, output: stdout + stderr };
}

test("the test command ends with the totals and names each reason for skipping once", () => {
  const { status, output } = runTests("success");
  assert.equal(status, 0, output);
  assert.match(output, /\nSkipped:\n  needs a tool \(2 tests\)\n\n1 files, 4 tests: 2 passed, 0 failed, .* 2 skipped/);
});

test("the test command fails when a test does, and says which", () => {
  const { status, output } = runTests("failure");
  assert.equal(status, 1);
  assert.match(output, /✖ fails where it is told to/);
  assert.match(output, /4 tests: 1 passed, 1 failed/);
});
