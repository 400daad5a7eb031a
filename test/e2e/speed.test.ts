import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { action, assertConclusion } from "./harness/action.ts";
import { connections, isTaskPoll, shown, to, withoutPolls, writes } from "./harness/calls.ts";
import { assertCode, kubehenge, projectRoot } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";
import { emptyQcow2, type TranscriptEntry } from "../stand-in/proxmox/index.ts";

const pool = "kubehenge-templates";
const schematic = "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515";

describe("counted over the transcript", { concurrency: 3 }, () => {
  test("reuse with an exact version is two calls on one TLS connection, without a write or an upstream", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({ vmid: 201, pool, tags: tagsOf.talos("v1.14.4").join(";") });
    world.proxmox.state.addTemplate({ vmid: 202, pool, tags: tagsOf.kubeadm("v1.37.1", "26.04").join(";") });
    const expected = (vmid: number) => ["GET /cluster/resources 200", `GET /nodes/pve1/qemu/${vmid}/config 200`];
    const command = await kubehenge(world, "template create talos --talos-version v1.14.4");
    assertCode(command, 0);
    assert.deepEqual(shown(command.calls), expected(201));
    assert.equal(connections(command.calls), 1);
    const kubeadm = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04",
    );
    assert.deepEqual(shown(kubeadm.calls), expected(202));
    const end = await action(world, { distribution: "talos", versions: "1.14.4" });
    assertConclusion(end, "success");
    assert.deepEqual(shown(end.calls), expected(201), "post, too, makes no call");
    assert.equal(connections(end.calls), 1);
    assert.deepEqual(world.upstreams.transcript, []);
  });

  test("a list of a thousand VMs comes compressed", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({ vmid: 201, pool, tags: tagsOf.talos("v1.14.4").join(";") });
    for (let vmid = 1000; vmid < 2000; vmid += 1)
      world.proxmox.state.addVm({ vmid, config: { name: `vm-${vmid}`, tags: "prod;web" } });
    const end = await kubehenge(world, "template create talos --talos-version 1.14.4");
    assertCode(end, 0);
    const [list] = to(end.calls, "GET", /cluster\/resources/);
    assert.ok((list?.bytesOut ?? Infinity) < 30_000, `${list?.bytesOut} bytes`);
  });

  test("reuse of latest adds the version look-ups only", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({ vmid: 201, pool, tags: tagsOf.talos("v1.14.4").join(";") });
    const end = await kubehenge(world, "template create talos --talos-version latest");
    assertCode(end, 0);
    assert.deepEqual(shown(end.calls), ["GET /cluster/resources 200", "GET /nodes/pve1/qemu/201/config 200"]);
    assert.equal(connections(end.calls), 1);
    const asked = world.upstreams.transcript.map(({ upstream, method }) => `${upstream} ${method}`);
    assert.ok(asked.length > 0 && asked.length <= 4, asked.join(", "));
  });

  test("list is one call and one more per row that needs its configuration", async () => {
    await using world = await startWorld();
    const seed = world.proxmox.state;
    for (const vmid of [201, 202, 203]) seed.addTemplate({ vmid, pool, tags: tagsOf.talos(`v1.14.${vmid}`).join(";") });
    for (const vmid of [301, 302, 303, 304])
      seed.addVm({ vmid, pool, config: { name: `vm-${vmid}`, tags: "something-else" } });
    const end = await kubehenge(world, "template list");
    assertCode(end, 0);
    assert.equal(end.calls.length, 4, shown(end.calls).join("\n"));
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("create of Talos with the image cached is at most 12 calls besides task polls, and leaves the cache", async () => {
    await using world = await startWorld({ pools: [pool] });
    const image = `kubehenge-talos-v1.14.4-amd64-${schematic.slice(0, 16)}.qcow2`;
    world.proxmox.state.addVolume({ storage: "local", name: `import/${image}`, bytes: emptyQcow2(1246 * 1024 ** 2) });
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 0);
    const calls = withoutPolls(end.calls);
    assert.ok(calls.length <= 12, `${calls.length} calls:\n${shown(calls).join("\n")}`);
    assert.equal(to(end.calls, "POST", /download-url/).length, 0);
    assert.ok(
      world.proxmox.state.findVolume(`local:import/${image}`, "pve1"),
      "an image that was there is not removed",
    );
    assertNothingLeft(world, 1);
  });

  test("B01, B03: a second create from the same image, which is in the import storage, transfers none", async () => {
    await using world = await startWorld({ pools: [pool] });
    const first = await kubehenge(world, "template create talos --node pve1");
    const name = String(to(first.calls, "POST", /download-url/)[0]?.form?.["filename"]);
    world.proxmox.state.addVolume({ storage: "local", name: `import/${name}`, bytes: emptyQcow2(1246 * 1024 ** 2) });
    const second = await kubehenge(world, "template create talos --node pve1 --pool another");
    assertCode(second, 0);
    assert.deepEqual(
      [to(second.calls, "POST", /download-url/).length, to(second.calls, "POST", /upload/).length],
      [0, 0],
    );
  });

  test("task polls begin after 100 ms, grow with the time passed, and are few", async () => {
    await using world = await startWorld({ taskMs: { qmcreate: 3000 } });
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 0);
    const polls = end.calls.filter((call) => isTaskPoll(call) && call.path.includes(":qmcreate:"));
    assert.ok(polls.length >= 4 && polls.length <= 12, `${polls.length} polls of a task of 3 s`);
    for (const kind of ["download", "qmtemplate"]) {
      const short = end.calls.filter((call) => isTaskPoll(call) && call.path.includes(`:${kind}:`));
      assert.ok(short.length <= 2, `${short.length} polls of ${kind}, which takes less than the first pause`);
    }
  });

  test("the runner carries no image: under 120 KB up and down per template besides version lists", async () => {
    await using world = await startWorld();
    const end = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1",
    );
    assertCode(end, 0);
    const upstreams = world.upstreams.transcript.filter(
      ({ upstream, userAgent }) =>
        userAgent.startsWith("kubehenge/") && upstream !== "github" && upstream !== "releases",
    );
    const bytes = [...end.calls, ...upstreams].reduce((sum, { bytesIn, bytesOut }) => sum + bytesIn + bytesOut, 0);
    assert.ok(bytes < 120_000, `${bytes} bytes to and from Proxmox VE and upstreams`);
    assert.ok(
      !world.upstreams.transcript.some(
        ({ path: asked, method, userAgent }) =>
          asked.endsWith(".img") && method === "GET" && userAgent.includes("kubehenge"),
      ),
    );
    const upload = to(end.calls, "POST", /\/upload$/)[0] ?? assert.fail("no seed was uploaded");
    assert.ok(Number(upload.form?.["bytes"]) < 1024 ** 2, "B38: the seed stays under 1 MiB");
  });

  test("four kubeadm templates with parallel 4 download their image once and are made side by side", async () => {
    await using world = await startWorld({ guest: { stepMs: 60 } });
    const end = await action(world, {
      distribution: "kubeadm",
      versions: "1.37.1\n1.37.0\n1.36.4\n1.35.8",
      parallel: "4",
    });
    assertConclusion(end, "success");
    assert.equal(end.outputs["count"], "4");
    assert.equal(to(end.calls, "POST", /download-url$/).length, 1);
    const firstShutdown = end.calls.findIndex(({ path: asked }) => asked.endsWith("/status/shutdown"));
    const starts = end.calls.slice(0, firstShutdown).filter(({ path: asked }) => asked.endsWith("/status/start"));
    assert.equal(starts.length, 4, "all guests have started before the first is switched off");
    assertNothingLeft(world, 4);
  });

  test("`parallel` bounds how many templates are made at a time", async () => {
    await using world = await startWorld();
    const end = await action(world, { distribution: "talos", versions: "1.14.4\n1.14.3\n1.14.2", parallel: "1" });
    assertConclusion(end, "success");
    assert.deepEqual(madeInOrder(end.calls), ["create", "convert", "create", "convert", "create", "convert"]);
  });

  test("a build address is for one guest at a time, whatever `parallel` says", async () => {
    await using world = await startWorld();
    const network = { "build-address": "192.0.2.10/24", "build-gateway": "192.0.2.1" };
    const versions = "1.37.1\n1.36.4";
    const end = await action(world, { distribution: "kubeadm", versions, parallel: "4", ...network });
    assertConclusion(end, "success");
    assert.deepEqual(madeInOrder(end.calls), ["create", "convert", "create", "convert"]);
  });

  test("dist stays under 2 MB", () => {
    const dist = path.join(projectRoot, "dist");
    const bytes = readdirSync(dist, { recursive: true }).reduce(
      (sum, name) => sum + statSync(path.join(dist, String(name))).size,
      0,
    );
    assert.ok(bytes < 2_000_000, `${bytes} bytes`);
  });
});

/** When VMs were made, and when they became templates. */
function madeInOrder(calls: readonly TranscriptEntry[]): string[] {
  return calls.flatMap(({ method, path: asked, status }) =>
    method !== "POST" || status !== 200
      ? []
      : asked.endsWith("/qemu")
        ? ["create"]
        : asked.endsWith("/template")
          ? ["convert"]
          : [],
  );
}
