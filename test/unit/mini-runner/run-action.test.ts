import assert from "node:assert/strict";
import path from "node:path";
import test from "node:test";
import { runAction } from "../../mini-runner/index.ts";
import type { RunActionOptions } from "../../mini-runner/index.ts";

const actionDirectory = path.resolve(import.meta.dirname, "../../fixtures/mini-runner");

const run = (act: string, options: Omit<RunActionOptions, "inputs"> & { inputs?: Record<string, string> } = {}) =>
  runAction({ actionDirectory, ...options, inputs: { do: act, ...options.inputs } });

/** A promise that resolves once the action has printed "ready". */
function readiness(): { ready: Promise<void>; onLine: (line: string) => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { ready: promise, onLine: (line) => (line === "ready" ? resolve() : undefined) };
}

async function environmentOf(options: Parameters<typeof run>[1]): Promise<Record<string, string>> {
  const { outputs } = await run("environment", options);
  return JSON.parse(outputs["environment"] ?? "null");
}

test("the action runs on Node 24 with defaults, given values and the runner's own variables", async () => {
  const { outputs, conclusion } = await run("environment", { inputs: { "with-dash": "given" } });
  const seen = JSON.parse(outputs["environment"] ?? "null");
  assert.equal(conclusion, "success");
  assert.match(outputs["version"] ?? "", /^24\./);
  assert.equal(seen["INPUT_TWO_WORDS"], "60");
  assert.equal(seen["INPUT_WITH-DASH"], "given");
  assert.equal(seen["GITHUB_ACTIONS"], "true");
  assert.equal(seen["GITHUB_RUN_ID"], "4711");
});

test("an empty value suppresses the default, as the runner has it", async () => {
  const seen = await environmentOf({ inputs: { "two words": "" } });
  assert.equal(seen["INPUT_TWO_WORDS"], "");
});

test("the token's default is given on github.com and withheld on GitHub Enterprise Server", async () => {
  const token = "not-a-real-token";
  const publicly = await run("environment", { context: { token } });
  assert.deepEqual(
    publicly.droppedOutputs,
    ["environment"],
    "the token is masked, so the output that holds it is dropped",
  );
  const server = await environmentOf({ context: { token, serverUrl: "https://ghes.example.org" } });
  assert.equal(server["INPUT_GITHUB-TOKEN"], "");
});

test("outputs, state, environment and summary files are read back, and post sees the state", async () => {
  const result = await run("files");
  assert.deepEqual(result.outputs, { plain: "a=b", lines: "one\n\nghadelimiter_2" });
  assert.deepEqual(result.state, { vmid: "100" });
  assert.equal(result.summary, "## Done\n");
  assert.equal(result.postLog, "post: vmid=100 later=yes do=files");
  assert.equal(result.postExitCode, 0);
  assert.deepEqual(result.complaints, []);
});

test("an output whose delimiter never comes fails the step", async () => {
  const result = await run("unclosed");
  assert.equal(result.conclusion, "failure");
  assert.match(result.complaints.join(), /Matching delimiter not found 'ghadelimiter_1'/);
});

test("a summary over 1 MiB is lost whole", async () => {
  const result = await run("big-summary");
  assert.equal(result.summary, "");
  assert.match(result.complaints.join(), /supports content up to a size of 1024k/);
});

test("workflow commands of both streams and both spellings are obeyed, but not while they are stopped", async () => {
  const result = await run("commands");
  assert.deepEqual(result.annotations, [
    { level: "warning", message: "100% slow\nvery", title: "Slow, really", file: "a:b" },
    { level: "notice", message: "injected" },
  ]);
  const { annotations } = await run("error-stream");
  assert.deepEqual(annotations, [{ level: "error", message: "it broke", title: "Bad" }]);
  assert.deepEqual(result.groups, ["Building %", "left open"]);
  assert.match(result.log, /^::error::said by a guest$/m);
  assert.match(result.log, /^::nonsense::plain text$/m);
  assert.deepEqual(result.complaints, ["main: 1 groups were left open"]);
});

test("masked values are hidden in log and summary, and outputs that hold one are dropped", async () => {
  const result = await run("masks");
  assert.equal(result.log, "::add-mask::***\nthe token is ***, ***");
  assert.equal(result.summary, "token ***\n");
  assert.deepEqual(result.outputs, { fine: "x" });
  assert.deepEqual(result.droppedOutputs, ["leak"]);
  assert.deepEqual(result.masks, ["hunter2hunter2"]);
  assert.match(result.emitted, /the token is hunter2hunter2/);
});

test("post runs after a failure, and not where the runner died", async () => {
  const failed = await run("fail");
  assert.deepEqual([failed.conclusion, failed.exitCode, failed.postExitCode], ["failure", 3, 0]);
  assert.match(failed.postLog, /vmid=101/);
  const dead = await run("fail", { skipPost: true });
  assert.equal(dead.postExitCode, undefined);
});

test("an input that action.yml does not have is complained about", async () => {
  const { complaints } = await run("fail", { inputs: { nodes: "pve1" } });
  assert.match(complaints.join(), /Unexpected input\(s\) 'nodes'/);
});

test("a cancelled action gets SIGINT first and may end by itself", async () => {
  const { ready, onLine } = readiness();
  const result = await run("stop-at-SIGINT", { cancelAfter: ready, onLine });
  assert.deepEqual([result.conclusion, result.exitCode, result.signal], ["cancelled", 0, undefined]);
  assert.match(result.postLog, /vmid=102/);
});

test("a cancelled action that does not end gets SIGTERM and SIGKILL, and its state still reaches post", async () => {
  const { ready, onLine } = readiness();
  const result = await run("ignore-all-signals", { cancelAfter: ready, cancelScale: 0.05, onLine });
  assert.deepEqual([result.conclusion, result.exitCode, result.signal], ["cancelled", 137, "SIGKILL"]);
  assert.equal(result.log, "ready\ngot SIGINT\ngot SIGTERM");
  assert.match(result.postLog, /vmid=103/);
});

test("a machine that dies ends the action without any signal it could handle", async () => {
  const { ready, onLine } = readiness();
  const result = await run("ignore-all-signals", { dieAfter: ready, skipPost: true, onLine });
  assert.deepEqual([result.signal, result.log, result.state["vmid"]], ["SIGKILL", "ready", "103"]);
});
