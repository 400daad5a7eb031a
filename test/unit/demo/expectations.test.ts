import assert from "node:assert/strict";
import test from "node:test";
import { shortcomings } from "../../demo/expectations.ts";
import type { ApiCall, Run } from "../../demo/run.ts";

const secret = "5f1c2a34-90d7";
const call: ApiCall = { run: "x", method: "GET", path: "/cluster/resources", status: 200, ms: 1, newConnection: false };

function runOf(expected: Run["expected"], result: Partial<Run["result"]> = {}, calls: ApiCall[] = [call, call]): Run {
  const template = {
    distribution: "talos",
    version: "v1.14.4",
    ubuntuRelease: "",
    vmid: 100,
    node: "pve1",
    storage: "shared-storage",
    name: "talos",
    tags: "kubehenge;talos;talos-v1.14.4",
    created: "2026-11-30T00:00:00Z",
    digest: `sha256:${"0".repeat(64)}`,
    image: "https://factory.example.org/image.qcow2",
  };
  return {
    name: "run",
    distribution: "talos",
    expected,
    calls,
    result: {
      conclusion: "success",
      exitCode: 0,
      signal: undefined,
      outputs: {
        templates: JSON.stringify([template]),
        changed: String(expected === "created"),
        count: "1",
        vmid: "100",
      },
      droppedOutputs: [],
      state: {},
      summary: "## Created\n",
      exportedVariables: {},
      log: "",
      annotations: [],
      masks: [],
      groups: [],
      complaints: [],
      emitted: `::add-mask::${secret}\nhello`,
      durationMs: 1,
      postExitCode: 0,
      postLog: "",
      postSummary: "",
      postAnnotations: [],
      postState: {},
      ...result,
    },
  };
}

const created = runOf("created");

test("a run that did what it must has no shortcoming", () => {
  assert.deepEqual(shortcomings(created, undefined, secret), []);
  assert.deepEqual(shortcomings(runOf("reused"), created, secret), []);
});

for (const { name, run, says } of [
  {
    name: "failed",
    run: runOf("created", { conclusion: "failure", exitCode: 1 }),
    says: /ended as failure with exit code 1/,
  },
  { name: "failed in post", run: runOf("created", { postExitCode: 1 }), says: /post step/ },
  { name: "gave no outputs", run: runOf("created", { outputs: {} }), says: /templates is not as documented/ },
  { name: "built again", run: { ...runOf("created"), expected: "reused" as const }, says: /output changed is "true"/ },
  { name: "let the secret out", run: runOf("created", { emitted: `x ${secret}` }), says: /secret/ },
  {
    name: "broke the runner's rules",
    run: runOf("created", { complaints: ["a group was left open"] }),
    says: /left open/,
  },
  { name: "wrote no summary", run: runOf("created", { summary: "\n" }), says: /no summary/ },
  { name: "called too often", run: runOf("reused", {}, [call, call, call]), says: /3 Proxmox VE calls/ },
  { name: "wrote on reuse", run: runOf("reused", {}, [{ ...call, method: "POST" }]), says: /wrote to Proxmox VE/ },
  {
    name: "opened two connections on reuse",
    run: runOf("reused", {}, [
      { ...call, newConnection: true },
      { ...call, newConnection: true },
    ]),
    says: /more than one connection/,
  },
  {
    name: "found another template",
    run: runOf("reused", { outputs: { ...created.result.outputs, vmid: "101" } }),
    says: /output vmid is "101"/,
  },
]) {
  test(`a run that ${name} is told of`, () => assert.match(shortcomings(run, created, secret).join("\n"), says));
}
