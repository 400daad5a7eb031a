import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { action, assertConclusion } from "../e2e/harness/action.ts";
import { to, writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertKept, retiredOn, tagsOn } from "../e2e/harness/retirement.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World } from "../e2e/harness/world.ts";

interface Work {
  distribution: string;
  versions: string;
  "ubuntu-release": string;
  node: string;
  why: string;
}

const matrixOf = (outputs: Readonly<Record<string, string>>) => JSON.parse(outputs["matrix"] ?? "null") as Work[];

describe("a plan", { concurrency: 3 }, () => {
  test("gives a matrix of what has to be built, each entry by the inputs' names, and writes nothing", async () => {
    await using world = await startWorld({ resourcesLagMs: 0 });
    assertCode(await kubehenge(world, "template create talos --node pve1"), 0);
    const end = await action(world, { command: "plan" });
    assertConclusion(end, "success");
    const matrix = matrixOf(end.outputs);
    assert.deepEqual(
      matrix.map(({ distribution, versions, "ubuntu-release": ubuntu, node }) => [
        distribution,
        versions,
        ubuntu,
        node,
      ]),
      [
        ["rke2", "26.04", "", "pve1"],
        ["kubeadm", "v1.37.1", "26.04", "pve1"],
      ],
    );
    assert.ok(matrix.every(({ why }) => why === "no template in pool kubehenge-templates carries its tags"));
    assert.equal(end.outputs["has-work"], "true");
    assert.deepEqual(writes(end.calls), []);
    // Each entry is what the next job's step is given.
    for (const { why: _why, ...inputs } of matrix) assertConclusion(await action(world, { ...inputs }), "success");
    assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"));
    const empty = await action(world, { command: "plan", distribution: "talos,rke2\nkubeadm" });
    assertConclusion(empty, "success");
    assert.deepEqual([empty.outputs["matrix"], empty.outputs["has-work"]], ["[]", "false"]);
  });

  test("takes in what a refresh would build anew, and leaves out what is pinned", async () => {
    await using world = await startWorld({ resourcesLagMs: 0 });
    assertCode(await kubehenge(world, "template create rke2 --node pve1"), 0);
    const vm = assertTemplate(world, tagsOf.ubuntu("26.04"));
    world.upstreams.replaceUbuntuImage("26.04");
    const plan = async (inputs: Record<string, string>) =>
      matrixOf((await action(world, { command: "plan", distribution: "rke2", ...inputs })).outputs);
    assert.deepEqual(await plan({}), []);
    const [one] = await plan({ refresh: "outdated" });
    assert.match(one?.why ?? "", /^upstream has a newer image/);
    vm.config.set("protection", "1");
    assert.deepEqual(await plan({ refresh: "outdated" }), []);
  });

  test("leaves out what another run builds at this moment", async () => {
    await using world = await startWorld({ resourcesLagMs: 0, guest: { stepMs: 150 } });
    let started: () => void = () => {};
    const moment = new Promise<void>((resolve) => (started = resolve));
    world.proxmox.inject(({ path, phase }) => {
      if (phase === "after" && path.endsWith("/status/start")) started();
      return undefined;
    });
    const running = kubehenge(world, "template create rke2 --node pve1");
    await moment;
    const end = await kubehenge(world, "template plan rke2 -o json");
    assertCode(end, 0);
    assert.deepEqual(JSON.parse(end.stdout), []);
    assert.match(end.stderr, /Nothing to do here: VM \d+ on node pve1, being built by run/);
    assertCode(await running, 0);
  });

  test("of the command is a line for each template, or the same matrix as JSON", async () => {
    await using world = await startWorld();
    const text = await kubehenge(world, "template plan talos kubeadm");
    assertCode(text, 0);
    assert.match(
      text.stdout,
      /^talos {2}v1\.14\.4 {2}no template in pool .*\nkubeadm {2}v1\.37\.1 {2}26\.04 {2}no template in pool .*\n$/,
    );
    const json = await kubehenge(world, "template plan talos --talos-version ~1.13 -o json");
    assert.deepEqual(
      (JSON.parse(json.stdout) as Work[]).map(({ versions }) => versions),
      ["v1.13.10"],
    );
    assertCode(await kubehenge(world, "template plan nixos"), 2);
  });

  test("of versions for several distributions at once is refused", async () => {
    await using world = await startWorld();
    const end = await action(world, { command: "plan", versions: "v1.14.4" });
    assertConclusion(end, "failure");
    assert.match(end.annotations[0]?.message ?? "", /means something else for each distribution/);
    assert.deepEqual(end.calls, []);
  });
});

describe("one template per node", { concurrency: 3 }, () => {
  const nodes = [{ name: "pve1" }, { name: "pve2" }];
  const storages = [
    { name: "local", type: "dir", content: ["iso", "import"], path: "/var/lib/vz" },
    { name: "disks", type: "dir", content: ["images"], path: "/srv/disks" },
  ];
  const tagsFor = (node: string) => [...tagsOf.talos("v1.14.4"), `node-${node}`];
  const start = (): Promise<World> => startWorld({ resourcesLagMs: 50, nodes, storages });

  test("has a tag of its node, so that each set of tags finds one; later runs reuse all of them", async () => {
    await using world = await start();
    const create = "template create talos --talos-version v1.14.4 --per-node -o json";
    assertCode(await kubehenge(world, create), 0);
    for (const { name } of nodes) {
      const vm = assertTemplate(world, tagsFor(name), "disks");
      assert.equal(vm.node, name);
      assert.equal(vm.config.get("name"), `talos-v1.14.4-${name}`);
    }
    const again = await kubehenge(world, create);
    assertCode(again, 0);
    assert.deepEqual(
      (JSON.parse(again.stdout) as { result: string }[]).map(({ result }) => result),
      ["reused", "reused"],
    );
    assert.deepEqual(writes(again.calls), []);
    const listed = JSON.parse((await kubehenge(world, "template list -o json")).stdout) as { tags: string[] }[];
    assert.deepEqual(
      listed.map(({ tags }) => tags.find((tag) => tag.startsWith("node-"))),
      ["node-pve1", "node-pve2"],
    );
    assertKept(world, 2, 0);
  });

  test("is refreshed on its own node, and only that build is retired", async () => {
    await using world = await start();
    const create = "template create talos --talos-version v1.14.4 --per-node";
    assertCode(await kubehenge(world, create), 0);
    const before = nodes.map(({ name }) => assertTemplate(world, tagsFor(name), "disks"));
    assertCode(await kubehenge(world, `${create} --node pve2 --refresh always`), 0);
    assert.equal(assertTemplate(world, tagsFor("pve1"), "disks").vmid, before[0]?.vmid);
    assert.deepEqual(retiredOn(world), [before[1]]);
    assertCode(await kubehenge(world, "template prune --keep 0"), 0);
    assertKept(world, 2, 0);
  });

  test("is planned for each node", async () => {
    await using world = await start();
    const end = await action(world, { command: "plan", distribution: "talos", "per-node": "true", node: "" });
    assertConclusion(end, "success");
    assert.deepEqual(
      matrixOf(end.outputs).map(({ node }) => node),
      ["pve1", "pve2"],
    );
  });

  test("cannot be made while a node is offline, and nothing is", async () => {
    await using world = await startWorld({ storages, nodes: [{ name: "pve1" }, { name: "pve2", online: false }] });
    const end = await kubehenge(world, "template create talos --per-node");
    assertCode(end, 1);
    assert.match(end.stderr, /One template per node was asked for, and pve2 is offline/);
    assert.deepEqual(writes(end.calls), []);
  });

  test("is what a warning speaks of where a template lies on local storage in a cluster", async () => {
    await using world = await start();
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 0);
    assert.match(end.stderr, /Storage disks is not shared, so clones can start on node pve1 only, of 2 nodes/);
    const one = await kubehenge(world, "template create talos --node pve2 --per-node");
    assert.doesNotMatch(one.stderr, /is not shared/);
  });
});

describe("a person's own session", { concurrency: 3 }, () => {
  const user = "admin@pve";
  const password = "correct horse battery";
  const start = (): Promise<World> =>
    startWorld({ users: [{ id: user, password }], acl: [{ path: "/", who: user, role: "Administrator" }] });
  const env = { KUBEHENGE_PROXMOX_TOKEN: undefined, KUBEHENGE_PROXMOX_PASSWORD: password };

  test("makes a template with user and password from the environment; neither is shown", async () => {
    await using world = await start();
    const end = await kubehenge(world, `template create talos --node pve1 --user ${user}`, { env });
    assertCode(end, 0);
    assert.equal(to(end.calls, "POST", /^\/access\/ticket$/).length, 1);
    assert.ok(!`${end.stdout}${end.stderr}`.includes(password));
    assert.deepEqual(tagsOn(assertTemplate(world, tagsOf.talos("v1.14.4"))), tagsOf.talos("v1.14.4"));
    assert.ok(
      world.proxmox.state.tasks.all.every(({ upid }) => upid.includes(`:${user}:`)),
      "tasks are the user's own",
    );
  });

  test("with a wrong password, or none and nobody to ask, ends with its exit code and writes nothing", async () => {
    await using world = await start();
    const wrong = await kubehenge(world, `template create talos --node pve1 --user ${user}`, {
      env: { ...env, KUBEHENGE_PROXMOX_PASSWORD: "wrong password" },
    });
    assertCode(wrong, 4);
    const none = await kubehenge(world, `template create talos --node pve1 --user ${user}`, {
      env: { ...env, KUBEHENGE_PROXMOX_PASSWORD: undefined },
    });
    assertCode(none, 2);
    assert.equal(world.proxmox.state.vms.size, 0);
  });
});

describe("exit codes", { concurrency: 3 }, () => {
  test("tell what went wrong: usage 2, not found 3, access 4, conflict 5, verification 6", async () => {
    await using world = await startWorld({ resourcesLagMs: 0 });
    const pool = "kubehenge-templates";
    for (const vmid of [201, 202])
      world.proxmox.state.addTemplate({ vmid, pool, tags: tagsOf.talos("v1.14.4").join(";") });
    const lines: [number, string][] = [
      [2, "template frobnicate"],
      [2, "template prune --keep many"],
      [2, "template create talos --refresh often"],
      [3, "template rollback talos --talos-version v1.14.3"],
      [3, "template create talos --node pve9 --talos-version v1.14.3"],
      [5, "template create talos --talos-version v1.14.4 --node pve1"],
      [6, `template create talos --talos-version v1.14.3 --pin sha256:${"1".repeat(64)}`],
    ];
    for (const [code, line] of lines) {
      const end = await kubehenge(world, line);
      assertCode(end, code);
      assert.equal(end.stdout, "", line);
      assert.deepEqual(writes(end.calls), [], line);
    }
    const refused = await kubehenge(world, "template list", {
      env: { KUBEHENGE_PROXMOX_TOKEN: "root@pam!kubehenge=00000000-0000-0000-0000-000000000000" },
    });
    assertCode(refused, 4);
  });
});
