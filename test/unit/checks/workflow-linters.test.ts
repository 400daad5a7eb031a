import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { languageServiceLinter, lintWithActionlint } from "../../checks/workflow-linters.ts";

const workflow = `on:
  schedule:
    - cron: "1 2 * * *"
      timezone: Etc/UTC
jobs:
  a:
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        color: [red]
    steps:
      - run: "true"
        if: matrix.color == 'red'
`;
const misspelled = workflow.replace("matrix.color", "matrix.colour");

test("actionlint finds a wrong name, and its false flag on `timezone` is not shown", async () => {
  assert.deepEqual(await lintWithActionlint("good.yml", workflow), []);
  const [finding, ...more] = await lintWithActionlint("bad.yml", misspelled);
  assert.deepEqual([finding?.file, finding?.line, more], ["bad.yml", 13, []]);
  assert.match(finding?.message ?? "", /property "colour" is not defined/);
});

test("the language service finds a wrong key in a workflow and in an action", async () => {
  const lint = await languageServiceLinter(path.resolve(import.meta.dirname, "../../.."));
  assert.deepEqual(await lint(".github/workflows/good.yml", workflow), []);
  const [finding] = await lint(".github/workflows/bad.yml", workflow.replace("runs-on", "runs-onn"));
  assert.match(finding?.message ?? "", /Unexpected value 'runs-onn'/);
  const action = "name: a\ndescription: b\nruns:\n  using: node25\n  main: c\n";
  assert.match((await lint("action.yml", action))[0]?.message ?? "", /Unexpected value 'node25'/);
});
