import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StandInOptions, Vm } from "../stand-in/proxmox/index.ts";
import { api, apiTask } from "../stand-in/api.ts";
import { writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge, type CommandOptions } from "../e2e/harness/command.ts";
import { watchMatches } from "../e2e/harness/match-watch.ts";
import { assertKept, buildOf, retiredOn, tagsOn, told } from "../e2e/harness/retirement.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World, type WorldOptions } from "../e2e/harness/world.ts";

const tags = tagsOf.talos("v1.14.4");
const create = "template create talos --talos-version v1.14.4 --node pve1 -o json";
const refresh = `${create} --refresh always`;
const rollback = "template rollback talos --talos-version v1.14.4";
const present = (world: World): Vm => assertTemplate(world, tags, storageOf(world));
const storageOf = (world: World) => (world.proxmox.state.storages.has("disks") ? "disks" : "shared-storage");

const disksOf = (type: string, path?: string): StandInOptions["storages"] => [
  { name: "local", type: "dir", content: ["iso", "import"], path: "/var/lib/vz" },
  { name: "disks", type, content: ["images"], ...(path ? { path } : {}) },
];

/** A world with a template that was refreshed so many times; every build is kept. */
async function refreshed(times: number, options: WorldOptions = {}): Promise<World> {
  const world = await startWorld({ resourcesLagMs: 50, ...options });
  assertCode(await kubehenge(world, create), 0);
  for (let count = 0; count < times; count += 1) assertCode(await kubehenge(world, `${refresh} --keep 9`), 0);
  return world;
}

interface Pruned {
  vmid: number;
  result: string;
  because?: string;
  why: string;
}

async function prune(world: World, options: string): Promise<Pruned[]> {
  const end = await kubehenge(world, `template prune ${options} -o json`);
  assertCode(end, 0);
  return JSON.parse(end.stdout) as Pruned[];
}

describe("a roll-back", { concurrency: 3 }, () => {
  test("brings the build before back, retires the present one, and never shows two", async () => {
    await using world = await refreshed(1);
    const [old] = retiredOn(world);
    const fresh = present(world);
    const watch = watchMatches(world.proxmox, tags);
    const planned = await kubehenge(world, `${rollback} --dry-run`);
    assertCode(planned, 0);
    assert.match(
      planned.stdout,
      new RegExp(
        `VM ${old?.vmid} on node pve1 .* would be the template again; VM ${fresh.vmid} on node pve1 would be retired`,
      ),
    );
    assert.deepEqual(writes(planned.calls), []);
    const end = await kubehenge(world, rollback);
    assertCode(end, 0);
    assert.equal(present(world).vmid, old?.vmid);
    assert.deepEqual(tagsOn(fresh), [`kubehenge-build-${buildOf(fresh)}`, "kubehenge-retired"]);
    watch.look();
    assert.deepEqual([watch.most, watch.open], [1, false]);
    assert.deepEqual(
      watch.gaps.map(({ requests }) => requests),
      [0],
    );
    assert.match(end.stderr, /A run with refresh: outdated or always builds anew all the same/);
    assertKept(world, 1, 1);
  });

  test("brings the build back that is named, and none that is not there", async () => {
    await using world = await refreshed(2);
    const [first, second] = retiredOn(world) as [Vm, Vm];
    assertCode(await kubehenge(world, `${rollback} --build ${buildOf(first)}`), 0);
    assert.equal(present(world).vmid, first.vmid);
    assert.ok(retiredOn(world).includes(second));
    const unknown = await kubehenge(world, `${rollback} --build 0123456789ab`);
    assertCode(unknown, 3);
    assert.match(unknown.stderr, /There is no retired build of talos v1\.14\.4 to bring back/);
    assertCode(await kubehenge(world, `${rollback} --build ../../etc`), 2);
  });

  test("of nothing that was retired ends with exit code 3", async () => {
    await using world = await refreshed(0);
    assertCode(await kubehenge(world, rollback), 3);
    assert.equal(present(world).isTemplate, true);
  });

  test("does not retire a present template that is pinned", async () => {
    await using world = await refreshed(1);
    const fresh = present(world);
    fresh.config.set("protection", "1");
    const end = await kubehenge(world, rollback);
    assertCode(end, 5);
    assert.match(end.stderr, /is pinned \(its protection is on\)/);
    assert.equal(present(world).vmid, fresh.vmid);
    assertKept(world, 1, 1);
  });

  test("works where the present template is gone", async () => {
    await using world = await refreshed(1);
    const [old] = retiredOn(world);
    assertCode(await kubehenge(world, "template delete talos --talos-version v1.14.4"), 0);
    assertCode(await kubehenge(world, rollback), 0);
    assert.equal(present(world).vmid, old?.vmid);
  });

  for (const next of ["roll-back", "run"] as const) {
    test(`that a crash interrupts between its two calls is finished by the next ${next}`, async () => {
      await using world = await refreshed(1);
      const [old] = retiredOn(world) as [Vm];
      const fresh = present(world);
      let die: () => void = () => {};
      const kill: CommandOptions["kill"] = { when: new Promise<void>((resolve) => (die = resolve)), signal: "SIGKILL" };
      const watch = watchMatches(world.proxmox, tags, ({ method, path, params, phase }) => {
        if (
          phase !== "after" ||
          method !== "PUT" ||
          path !== `/nodes/pve1/qemu/${fresh.vmid}/config` ||
          !params["tags"]
        )
          return undefined;
        die();
        return { kind: "reset-after" };
      });
      await kubehenge(world, rollback, { kill });
      world.proxmox.inject(undefined);
      watch.look();
      assert.equal(watch.open, true);
      const end = await kubehenge(world, next === "run" ? create : rollback);
      assertCode(end, 0);
      watch.look();
      assert.deepEqual([watch.most, watch.open], [1, false]);
      assert.equal(present(world).vmid, old.vmid, "the one that was on its way back");
      assert.ok(retiredOn(world).includes(fresh));
      if (next === "run") assert.equal(told(end).result, "reused");
      assertKept(world, 1, 1);
    });
  }
});

describe("keeping and pruning", { concurrency: 3 }, () => {
  test("a refresh keeps one retired build by default and prunes the older ones", async () => {
    await using world = await refreshed(2);
    const [oldest, older] = retiredOn(world) as [Vm, Vm];
    const before = present(world);
    const end = await kubehenge(world, refresh);
    assertCode(end, 0);
    assert.deepEqual(
      retiredOn(world).map(({ vmid }) => vmid),
      [before.vmid],
    );
    for (const gone of [oldest, older]) assert.ok(!world.proxmox.state.vms.has(gone.vmid));
    assertKept(world, 1, 1);
  });

  test("prune deletes retired builds beyond --keep, oldest first, and a dry run only names them", async () => {
    await using world = await refreshed(3);
    const ids = retiredOn(world).map(({ vmid }) => vmid);
    const planned = await kubehenge(world, "template prune --keep 1 --dry-run -o json");
    assert.deepEqual(writes(planned.calls), []);
    const rows = JSON.parse(planned.stdout) as Pruned[];
    assert.deepEqual(
      rows.map(({ vmid }) => vmid).sort((one, other) => one - other),
      ids.slice(0, 2),
    );
    assert.ok(
      rows.every(
        ({ result, why }) =>
          result === "would be deleted" && /^retired build [0-9a-f]{12} of \d{4}-\d\d-\d\d; 1 are kept$/.test(why),
      ),
    );
    assert.ok((await prune(world, "--keep 1")).every(({ result }) => result === "deleted"));
    assert.deepEqual(
      retiredOn(world).map(({ vmid }) => vmid),
      ids.slice(2),
    );
    assert.deepEqual(await prune(world, "--keep 1"), []);
    assert.equal((await prune(world, "talos --keep 0"))[0]?.result, "deleted");
    assertKept(world, 1, 0);
  });

  test("prune deletes versions beyond the newest ones of each distribution, counted as versions and not as text", async () => {
    await using world = await startWorld({ resourcesLagMs: 0 });
    const pool = "kubehenge-templates";
    for (const [vmid, version] of [
      [201, "v1.9.8"],
      [202, "v1.10.2"],
      [203, "v1.14.4"],
    ] as const)
      world.proxmox.state.addTemplate({ vmid, pool, tags: tagsOf.talos(version).join(";") });
    world.proxmox.state.addTemplate({ vmid: 204, pool, tags: tagsOf.ubuntu("24.04").join(";") });
    world.proxmox.state.addTemplate({ vmid: 205, pool: "elsewhere", tags: tagsOf.talos("v1.8.0").join(";") });
    const pruned = await prune(world, "--keep-versions 2");
    assert.deepEqual(
      pruned.map(({ vmid, result }) => [vmid, result]),
      [[201, "deleted"]],
    );
    assert.deepEqual(
      [...world.proxmox.state.vms.keys()].sort((one, other) => one - other),
      [202, 203, 204, 205],
    );
  });

  test("prune deletes the retired builds of versions that are not kept, too, so that storage is bounded", async () => {
    await using world = await refreshed(1);
    const [old] = retiredOn(world) as [Vm];
    assertCode(await kubehenge(world, "template create talos --talos-version v1.13.10 --node pve1"), 0);
    assertCode(
      await kubehenge(world, "template create talos --talos-version v1.13.10 --node pve1 --refresh always"),
      0,
    );
    const [kept, surplus] = retiredOn(world) as [Vm, Vm];
    assert.equal(kept.vmid, old.vmid);
    const pruned = await prune(world, "--keep 1 --keep-versions 1");
    assert.ok(pruned.every(({ result }) => result === "deleted"));
    assert.equal(pruned.length, 2);
    assert.match(
      pruned.find(({ vmid }) => vmid === surplus.vmid)?.why ?? "",
      /^retired build [0-9a-f]{12} of .*; older than the 1 newest versions$/,
    );
    assert.deepEqual(
      retiredOn(world).map(({ vmid }) => vmid),
      [old.vmid],
    );
    assertKept(world, 1, 1);
  });

  test("prune leaves what linked clones hang on, and names them", async () => {
    await using world = await refreshed(1);
    const [old] = retiredOn(world) as [Vm];
    await apiTask(world.proxmox, "POST", `/nodes/pve1/qemu/${old.vmid}/clone`, { newid: 300, name: "worker", full: 0 });
    for (const force of ["", " --force"]) {
      const [one] = await prune(world, `--keep 0${force}`);
      assert.deepEqual([one?.vmid, one?.result, one?.because], [old.vmid, "stays", "linked clones hang on it: VM 300"]);
    }
    assert.ok(world.proxmox.state.vms.has(old.vmid));
    await api(world.proxmox, "DELETE", "/nodes/pve1/qemu/300");
    await world.proxmox.settle();
    assert.equal((await prune(world, "--keep 0"))[0]?.result, "deleted");
  });

  test("prune says no where the storage cannot tell of linked clones, unless it is forced", async () => {
    await using world = await refreshed(1, { storages: disksOf("lvmthin") });
    const [old] = retiredOn(world) as [Vm];
    const [one] = await prune(world, "--keep 0");
    assert.equal(one?.result, "stays");
    assert.match(
      one?.because ?? "",
      /^whether linked clones hang on it cannot be told: a storage of type lvmthin does not tell which disks are linked clones; --force deletes it all the same$/,
    );
    assert.ok(world.proxmox.state.vms.has(old.vmid));
    assert.equal((await prune(world, "--keep 0 --force"))[0]?.result, "deleted");
    assert.ok(!world.proxmox.state.vms.has(old.vmid));
  });

  test("a refresh on such a storage keeps old builds, says so, and does not fail", async () => {
    await using world = await refreshed(1, { storages: disksOf("lvmthin") });
    const end = await kubehenge(world, refresh);
    assertCode(end, 0);
    assert.match(end.stderr, /stays: whether linked clones hang on it cannot be told/);
    assert.equal(retiredOn(world).length, 2);
  });

  test("prune leaves what is pinned", async () => {
    await using world = await refreshed(1);
    const [old] = retiredOn(world) as [Vm];
    old.config.set("protection", "1");
    const [one] = await prune(world, "--keep 0 --force");
    assert.deepEqual([one?.result, one?.because], ["stays", "it is pinned (its protection is on)"]);
  });

  test("prune takes a clone of a retired build for no retired build", async () => {
    await using world = await refreshed(1);
    const [old] = retiredOn(world) as [Vm];
    await apiTask(world.proxmox, "POST", `/nodes/pve1/qemu/${old.vmid}/clone`, {
      newid: 300,
      name: "worker",
      full: 1,
      pool: "kubehenge-templates",
    });
    assert.ok(tagsOn(world.proxmox.state.vms.get(300)).includes("kubehenge-retired"), "clones inherit tags");
    assert.deepEqual(
      (await prune(world, "--keep 0")).map(({ vmid }) => vmid),
      [old.vmid],
    );
    assert.ok(world.proxmox.state.vms.has(300));
  });

  test("lists show retired builds neither as templates nor as broken", async () => {
    await using world = await refreshed(1);
    const end = await kubehenge(world, "template list -o json");
    assertCode(end, 0);
    assert.deepEqual(
      (JSON.parse(end.stdout) as { vmid: number }[]).map(({ vmid }) => vmid),
      [present(world).vmid],
    );
  });
});
