import assert from "node:assert/strict";
import test from "node:test";
import { checkWorkflowPolicy } from "../../checks/workflow-policy.ts";

const good = `on: push
permissions: {}
concurrency:
  group: x
  cancel-in-progress: false
jobs:
  a:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read # checks the repository out
    steps:
      - uses: actions/checkout@0123456789012345678901234567890123456789 # v1.2.3
        with:
          persist-credentials: false
      - uses: ./
        with:
          node: pve1
      - run: echo "$NAME"
        env:
          NAME: \${{ github.ref }}
`;

const messages = (content: string): string =>
  checkWorkflowPolicy("a.yml", content, { ownInputs: ["node"] })
    .map(({ line, message }) => `${line} ${message}`)
    .join("\n");

test("a workflow that keeps every rule has no finding", () => assert.equal(messages(good), ""));

for (const { name, from, to, finding } of [
  { name: "a tag in place of a SHA", from: /@\d{40}/, to: "@v1", finding: /^13 .*not pinned/ },
  { name: "a pin without its version", from: " # v1.2.3", to: "", finding: /names its version/ },
  {
    name: "credentials left by checkout",
    from: "persist-credentials: false",
    to: "depth: 1",
    finding: /\.git\/config/,
  },
  { name: "an expression in shell", from: '"$NAME"', to: "${{ github.ref }}", finding: /pass the value through `env`/ },
  {
    name: "a permission without a reason",
    from: " # checks the repository out",
    to: "",
    finding: /^11 .*grants contents/,
  },
  {
    name: "permissions of the whole workflow",
    from: "permissions: {}",
    to: "permissions: write-all",
    finding: /`permissions: \{\}`/,
  },
  {
    name: "a job without permissions",
    from: /    permissions:\n.*\n/,
    to: "",
    finding: /The job a sets no permissions/,
  },
  {
    name: "a run that cancels another",
    from: "cancel-in-progress: false",
    to: "cancel-in-progress: true",
    finding: /concurrency/,
  },
  { name: "an unbounded job", from: "    timeout-minutes: 5\n", to: "", finding: /timeout-minutes/ },
  { name: "pull_request_target", from: "on: push", to: "on:\n  pull_request_target:", finding: /stranger's code/ },
  { name: "an input that action.yml lacks", from: "node: pve1", to: "nodes: pve1", finding: /no input "nodes"/ },
  {
    name: "a time zone that does not exist",
    from: "on: push",
    to: 'on:\n  schedule:\n    - cron: "1 2 * * *"\n      timezone: Nowhere/City',
    finding: /^3 "Nowhere\/City" is no time zone/,
  },
  { name: "broken YAML", from: "jobs:", to: "jobs: [", finding: /./ },
]) {
  test(`the policy refuses ${name}`, () => {
    assert.notEqual(good.replace(from, to), good);
    assert.match(messages(good.replace(from, to)), finding);
  });
}
