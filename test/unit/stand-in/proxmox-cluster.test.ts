import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuestEvents } from "../../stand-in/guest-contract.ts";
import type { StandInOptions } from "../../stand-in/proxmox/index.ts";
import { Session, succeeded } from "./session/session.ts";

const AT = "/nodes/pve1/qemu/100";
type Row = Record<string, unknown>;
const rowsOf = async (pve: Session, type: string) => (await pve.get("/cluster/resources", { type })) as Row[];

test("B32: name, state and template flag in resources are late; tags, pool and lock are not", async () => {
  await using pve = await Session.start({ pools: ["p"], resourcesLagMs: 3_600_000 });
  await pve.makeVm(100, { pool: "p" });
  await pve.put(`${AT}/config`, { tags: "a" });
  assert.deepEqual(await rowsOf(pve, "vm"), [
    { type: "qemu", id: "qemu/100", vmid: 100, node: "pve1", pool: "p", tags: "a", status: "unknown" },
  ]);
  pve.state.statistics.refresh();
  await pve.task("POST", `${AT}/template`);
  await pve.put(`${AT}/config`, { name: "renamed", tags: "b" });
  const [late] = await rowsOf(pve, "vm");
  assert.deepEqual([late?.["name"], late?.["template"], late?.["tags"]], ["vm100", 0, "b"]);
  pve.state.statistics.refresh();
  const [now] = await rowsOf(pve, "vm");
  assert.deepEqual([now?.["name"], now?.["template"], now?.["status"]], ["renamed", 1, "stopped"]);
});

test("after a delete and re-create, resources show the old VM's statistics", async () => {
  await using pve = await Session.start({ resourcesLagMs: 3_600_000 });
  await pve.makeVm(100, { name: "old" });
  pve.state.statistics.refresh();
  await pve.task("DELETE", AT);
  assert.deepEqual(await rowsOf(pve, "vm"), []);
  await pve.makeVm(100, { name: "new" });
  assert.equal((await rowsOf(pve, "vm"))[0]?.["name"], "old");
});

test("without a lag the statistics are those of the moment", async () => {
  await using pve = await Session.start({ resourcesLagMs: 0 });
  await pve.makeVm(100);
  assert.equal((await rowsOf(pve, "vm"))[0]?.["name"], "vm100");
});

test("an offline node's VMs have no statistics, its own calls are 595, and its ids are taken", async () => {
  await using pve = await Session.start({ nodes: [{ name: "pve1" }, { name: "pve2", online: false }] });
  pve.state.addTemplate({ vmid: 100, node: "pve2", tags: "a" });
  assert.deepEqual(await rowsOf(pve, "vm"), [
    { type: "qemu", id: "qemu/100", vmid: 100, node: "pve2", tags: "a", status: "unknown" },
  ]);
  assert.deepEqual(
    (await rowsOf(pve, "node")).map((row) => [row["node"], row["status"]]),
    [
      ["pve1", "online"],
      ["pve2", "offline"],
    ],
  );
  const config = await pve.ask("GET", "/nodes/pve2/qemu/100/config");
  assert.deepEqual([config.status, config.reason, config.body], [595, "No route to host", ""]);
  assert.equal(await pve.get("/cluster/nextid"), "101");
  const taken = await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100 });
  assert.equal(taken.reason, "unable to create VM 100 - VM 100 already exists on node 'pve2'");
});

test("statistics of a node that goes offline are gone at once", async () => {
  await using pve = await Session.start({ nodes: [{ name: "pve1" }, { name: "pve2" }] });
  pve.state.addTemplate({ vmid: 100, node: "pve2", name: "t" });
  assert.equal((await rowsOf(pve, "vm"))[0]?.["name"], "t");
  const node = pve.state.nodes.get("pve2");
  assert.ok(node);
  node.online = false;
  const [row] = await rowsOf(pve, "vm");
  assert.deepEqual([row?.["name"], row?.["status"]], [undefined, "unknown"]);
});

test("missing nodes, pools and VMs are 500, never 404", async () => {
  await using pve = await Session.start();
  for (const path of ["/nodes/nosuch/status", "/pools/nosuch", AT + "/config", "/nodes/pve1/storage/nosuch/content"]) {
    assert.equal((await pve.ask("GET", path)).status, 500, path);
  }
  const create = await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100, pool: "nosuch" });
  assert.deepEqual([create.status, create.reason], [403, "Permission check failed (pool 'nosuch' does not exist)"]);
});

test("a node tells its architecture in resources from 9.2 on, and in its status always", async () => {
  for (const [version, shown] of [
    ["9.2.11", "aarch64"],
    ["9.1.0", undefined],
    ["8.4.0", undefined],
  ] as const) {
    await using pve = await Session.start({ version, nodes: [{ name: "pve1", arch: "aarch64" }] });
    assert.equal((await rowsOf(pve, "node"))[0]?.["host-arch"], shown, version);
    const status = (await pve.get("/nodes/pve1/status")) as { "current-kernel": { machine: string } };
    assert.equal(status["current-kernel"].machine, "aarch64");
    assert.equal(((await pve.get("/version")) as Row)["version"], version);
  }
});

test("tasks: OK and its log, an unknown id 400 but its log 200, newest first in the list", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  await pve.task("PUT", `${AT}/resize`, { disk: "scsi0", size: "6G" });
  const upid = pve.state.tasks.all[0]?.upid ?? "";
  const log = (await pve.get(`/nodes/pve1/tasks/${upid}/log`, { start: 0, limit: 2 })) as { n: number; t: string }[];
  assert.deepEqual(
    log.map(({ n }) => n),
    [1, 2],
  );
  assert.equal(log[0]?.t, "create full clone of drive (local:import/image.qcow2)");
  const unknown = upid.replace("qmcreate", "qmother");
  assert.deepEqual((await pve.ask("GET", `/nodes/pve1/tasks/${unknown}/status`)).errors, { upid: "no such task" });
  assert.deepEqual(await pve.get(`/nodes/pve1/tasks/${unknown}/log`), [
    { n: 1, t: "unable to open file - No such file or directory" },
  ]);
  const list = (await pve.get("/nodes/pve1/tasks", { vmid: 100 })) as Row[];
  assert.deepEqual(
    list.map((row) => row["type"]),
    ["resize", "qmcreate"],
  );
  assert.deepEqual(((await pve.get("/nodes/pve1/tasks", { vmid: 100, typefilter: "resize" })) as Row[]).length, 1);
});

test("an import's log grows while it works", async () => {
  await using pve = await Session.start({ taskMs: { qmcreate: 400 } });
  pve.state.addVolume({ storage: "local", name: "import/image.qcow2" });
  const waiting: (() => void)[] = [];
  // Time stands still but for the test's ticks.
  pve.state.clock.sleep = (ms) => (ms === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)));
  const scsi0 = "shared-storage:0,import-from=local:import/image.qcow2";
  const upid = String(succeeded(await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100, scsi0 })).data);
  const length = async () =>
    Number((JSON.parse((await pve.ask("GET", `/nodes/pve1/tasks/${upid}/log`)).body) as Row)["total"]);
  const lengths = [await length()];
  for (let tick = 0; tick < 3; tick++) {
    waiting.shift()?.();
    lengths.push(await length());
  }
  const growing = lengths.every((lines, index) => index === 0 || lines > (lengths[index - 1] ?? 0));
  assert.ok(growing, lengths.join(" "));
  assert.equal(pve.state.tasks.find(upid)?.exitstatus, undefined);
  const ticking = setInterval(() => waiting.shift()?.(), 1);
  assert.equal(await pve.exitOf(upid), "OK");
  clearInterval(ticking);
});

/** A guest whose events the test makes itself. */
async function withGuest(
  options: StandInOptions = {},
): Promise<{ pve: Session; events: () => GuestEvents; asked: () => number }> {
  let events: GuestEvents | undefined;
  let asked = 0;
  const pve = await Session.start({
    ...options,
    guest: (_hardware, given) => {
      events = given;
      return {
        readFile: (path) => (path === "/etc/hostname" ? "guest\n" : undefined),
        hostname: () => "guest",
        exec: (argv, input) => ({ exitcode: argv.length, out: `${argv.join(" ")}${input ?? ""}`, err: "" }),
        shutdown: () => void asked++,
        kill: () => {},
      };
    },
  });
  await pve.makeVm(100, { agent: 1, scsi1: "shared-storage:0.01" });
  await pve.task("POST", `${AT}/status/start`);
  assert.ok(events);
  return { pve, events: () => events as GuestEvents, asked: () => asked };
}

test("what a guest writes shows as the highest offset of the disk, and a power-off without a task", async () => {
  const { pve, events } = await withGuest();
  const status = async () =>
    (await pve.get(`${AT}/status/current`)) as { status: string; blockstat?: Record<string, Row> };
  assert.equal((await status()).blockstat?.["scsi1"]?.["wr_highest_offset"], 0);
  events().wroteSector("scsi1", 7);
  events().wroteSector("scsi1", 3);
  events().readBytes("scsi0", 1000);
  const { blockstat } = await status();
  assert.deepEqual(
    [
      blockstat?.["scsi1"]?.["wr_highest_offset"],
      blockstat?.["scsi1"]?.["wr_operations"],
      blockstat?.["scsi0"]?.["rd_bytes"],
    ],
    [4096, 2, 1000],
  );
  const tasks = pve.state.tasks.all.length;
  events().poweredOff();
  assert.deepEqual([(await status()).status, pve.state.tasks.all.length], ["stopped", tasks]);
  await pve.pve.close();
});

test("B59: an agent that is not up is 500 after the wait, and answers once it is", async () => {
  const { pve, events } = await withGuest({ agentTimeoutMs: 3000, speed: 1000 });
  const ping = () => pve.ask("POST", `${AT}/agent/ping`);
  assert.equal((await ping()).reason, "QEMU guest agent is not running");
  events().agent(true);
  assert.deepEqual((await ping()).data, { result: {} });
  assert.deepEqual(await pve.get(`${AT}/agent/get-host-name`), { result: { "host-name": "guest" } });
  assert.deepEqual(await pve.get(`${AT}/agent/file-read`, { file: "/etc/hostname" }), {
    content: "guest\n",
    "bytes-read": 6,
  });
  assert.match(
    (await pve.ask("GET", `${AT}/agent/file-read`, { file: "/nosuch" })).reason,
    /^Agent error: failed to open file/,
  );
  const { pid } = succeeded(await pve.ask("POST", `${AT}/agent/exec`, { command: "true", "input-data": "!" })).data as {
    pid: number;
  };
  assert.deepEqual(await pve.get(`${AT}/agent/exec-status`, { pid }), {
    exited: 1,
    exitcode: 1,
    "out-data": "true!",
    "out-truncated": 0,
  });
  await pve.pve.close();
});

test("a shutdown asks the guest, times out, and pulls it only with forceStop", async () => {
  const { pve, asked } = await withGuest({ speed: 1000 });
  assert.equal(
    await pve.task("POST", `${AT}/status/shutdown`, { timeout: 5 }),
    "VM quit/powerdown failed - got timeout",
  );
  assert.equal(asked(), 1);
  assert.equal(await pve.task("POST", `${AT}/status/shutdown`, { timeout: 5, forceStop: 1 }), "OK");
  assert.equal(((await pve.get(`${AT}/status/current`)) as Row)["status"], "stopped");
  assert.equal(await pve.task("POST", `${AT}/status/shutdown`), "OK", "of a stopped VM");
  await pve.pve.close();
});
