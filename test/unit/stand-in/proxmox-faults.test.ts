import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Fault } from "../../stand-in/proxmox/index.ts";
import { Session } from "./session/session.ts";

const CREATE = { vmid: 100, name: "x" };

/** Lets the next request meet this fault. */
function once(pve: Session, fault: Fault): void {
  pve.pve.inject(() => {
    pve.pve.inject(undefined);
    return fault;
  });
}

const create = (pve: Session) => pve.ask("POST", "/nodes/pve1/qemu", CREATE);

test("a reset before leaves a request undone, a reset after loses only its answer", async () => {
  await using pve = await Session.start();
  once(pve, { kind: "reset-before" });
  await assert.rejects(create(pve), /socket hang up|ECONNRESET/);
  assert.equal(pve.state.vms.size, 0);
  once(pve, { kind: "reset-after" });
  await assert.rejects(create(pve), /socket hang up|ECONNRESET/);
  await pve.pve.settle();
  assert.equal((await pve.config(100))["name"], "x");
  assert.deepEqual(
    pve.pve.transcript.map(({ method, status }) => [method, status]),
    [
      ["POST", 0],
      ["POST", 0],
      ["GET", 200],
    ],
  );
});

test("an answer in place of the request, or in place of its answer", async () => {
  await using pve = await Session.start();
  once(pve, { kind: "answer", status: 596, reason: "Connection timed out" });
  const before = await create(pve);
  assert.deepEqual([before.status, before.reason, pve.state.vms.size], [596, "Connection timed out", 0]);
  once(pve, {
    kind: "answer-after",
    status: 500,
    reason: "got timeout",
    body: { data: null, message: "got timeout\n" },
  });
  const after = await create(pve);
  assert.deepEqual([after.status, after.message, pve.state.vms.size], [500, "got timeout\n", 1]);
});

test("a refused connection comes back on the same port", async () => {
  await using pve = await Session.start();
  once(pve, { kind: "refuse", ms: 500 });
  await assert.rejects(pve.get("/version"), /socket hang up|ECONNRESET/);
  await assert.rejects(pve.get("/version"), /ECONNREFUSED/);
  for (;;) {
    const answer = await pve.ask("GET", "/version").catch(() => undefined);
    if (answer) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

test("a delay is in stand-in time and does not change the answer", async () => {
  await using pve = await Session.start({ speed: 1000 });
  const slept: number[] = [];
  const { clock } = pve.state;
  const sleep = clock.sleep.bind(clock);
  clock.sleep = (ms, signal) => (slept.push(ms), sleep(ms, signal));
  once(pve, { kind: "delay", ms: 35_000 });
  await pve.get("/version");
  assert.ok(slept.includes(35_000));
});

test("a stand-in that settles waits for requests that have arrived, and for the tasks that they start", async () => {
  await using pve = await Session.start();
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  pve.pve.inject(() => (resolve(), { kind: "delay", ms: 100 }));
  const answer = create(pve);
  await arrived;
  assert.equal(pve.state.vms.size, 0);
  await pve.pve.settle();
  assert.deepEqual([pve.state.vms.size, pve.state.tasks.active().length], [1, 0]);
  assert.equal((await answer).status, 200);
});

test("B25: a task may end with warnings, fail with a given text, or lose its worker", async () => {
  await using pve = await Session.start();
  once(pve, { kind: "task-warnings", count: 2 });
  assert.equal(await pve.makeVm(100), "WARNINGS: 2");
  assert.equal(pve.state.tasks.all.at(-1)?.log.at(-1), "TASK WARNINGS: 2");
  once(pve, { kind: "task-fails", text: "storage went away" });
  assert.equal(await pve.makeVm(101), "storage went away");
  assert.equal(pve.state.vms.has(101), false, "a create that fails cleans up");
  assert.equal(await pve.makeVm(101), "OK", "only the one task met the fault");
});

test("B26: a worker that dies leaves its lock and its disk behind, which only root may clear", async () => {
  await using pve = await Session.start();
  once(pve, { kind: "task-dies" });
  assert.equal(await pve.makeVm(100), "unexpected status");
  assert.deepEqual(pve.pve.leftovers().vms, [
    { vmid: 100, node: "pve1", name: "VM 100", template: false, lock: "create" },
  ]);
  assert.deepEqual(pve.pve.leftovers().volumes, ["shared-storage:100/vm-100-disk-0.qcow2"]);
  assert.equal(await pve.task("DELETE", "/nodes/pve1/qemu/100"), "VM is locked (create)");
});

test("a conversion whose worker dies leaves template=1 without a base disk", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  once(pve, { kind: "task-dies" });
  assert.equal(await pve.task("POST", "/nodes/pve1/qemu/100/template"), "unexpected status");
  const config = await pve.config(100);
  assert.deepEqual([config["template"], config["scsi0"]], [1, "shared-storage:100/vm-100-disk-0.qcow2,size=4G"]);
});

test("a hook sees method, path, parameters and number, before and after", async () => {
  await using pve = await Session.start();
  const seen: unknown[] = [];
  pve.pve.inject(
    ({ method, path, params, phase, status }, index) => void seen.push([index, phase, method, path, params, status]),
  );
  await pve.get("/cluster/resources", { type: "vm" });
  await pve.ask("POST", "/pools", { poolid: "p" });
  assert.deepEqual(seen, [
    [0, "before", "GET", "/cluster/resources", { type: "vm" }, undefined],
    [0, "after", "GET", "/cluster/resources", { type: "vm" }, 200],
    [1, "before", "POST", "/pools", { poolid: "p" }, undefined],
    [1, "after", "POST", "/pools", { poolid: "p" }, 200],
  ]);
});

test("what was there at the start is not left over, and kept templates neither", async () => {
  await using pve = await Session.start();
  pve.state.addTemplate({ vmid: 900, tags: "old" });
  pve.state.addVolume({ storage: "local", name: "iso/theirs.iso" });
  await pve.makeVm(100);
  await pve.upload("ours.iso", Buffer.from("x"));
  await pve.pve.settle();
  assert.deepEqual(pve.pve.leftovers().volumes.sort(), [
    "local:iso/ours.iso",
    "shared-storage:100/vm-100-disk-0.qcow2",
  ]);
  await pve.task("POST", "/nodes/pve1/qemu/100/template");
  assert.deepEqual(
    pve.pve.leftovers(({ template }) => template),
    { vms: [], volumes: ["local:iso/ours.iso"], tasks: [] },
  );
});

test("the transcript file has a line per request", async () => {
  const directory = mkdtempSync(join(tmpdir(), "transcript-"));
  const transcriptFile = join(directory, "api.jsonl");
  {
    await using pve = await Session.start({ transcriptFile });
    await pve.get("/version");
    once(pve, { kind: "reset-before" });
    await assert.rejects(pve.get("/version"));
  }
  const lines = readFileSync(transcriptFile, "utf8").trimEnd().split("\n");
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { status: number }).status),
    [200, 0],
  );
  rmSync(directory, { recursive: true });
});
