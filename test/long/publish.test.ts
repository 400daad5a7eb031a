import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Fault, FaultHook, FaultRequest, Vm } from "../stand-in/proxmox/index.ts";
import { to } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge, type CommandOptions } from "../e2e/harness/command.ts";
import { watchMatches } from "../e2e/harness/match-watch.ts";
import { assertKept, buildOf, retiredOn, tagsOn, tagsSet, told } from "../e2e/harness/retirement.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World, type WorldOptions } from "../e2e/harness/world.ts";

const tags = tagsOf.talos("v1.14.4");
const create = "template create talos --talos-version v1.14.4 --node pve1 -o json";
const refresh = `${create} --refresh always`;

const isTagging = ({ method, path, params }: FaultRequest, wanted: RegExp): boolean =>
  method === "PUT" && path.endsWith("/config") && wanted.test(tagsSet(params));
const retires = (request: FaultRequest) => isTagging(request, /kubehenge-retired/);
const publishes = (request: FaultRequest) => isTagging(request, /(^|;)talos(;|$)/);

/** A world with one template, whose refresh then meets the hook; CAPMOX looks at every request. */
async function withTemplate(options: WorldOptions = {}): Promise<{ world: World; old: Vm }> {
  const world = await startWorld({ resourcesLagMs: 50, ...options });
  assertCode(await kubehenge(world, create), 0);
  return { world, old: assertTemplate(world, tags) };
}

/** Gives the fault to the first request that fits. */
function once(
  fits: (request: FaultRequest) => boolean,
  phase: FaultRequest["phase"],
  fault: () => Fault | undefined,
): FaultHook {
  let met = false;
  return (request) => {
    if (met || request.phase !== phase || !fits(request)) return undefined;
    met = true;
    return fault();
  };
}

describe("a publication", { concurrency: 3 }, () => {
  test("hands the tags over by two calls back to back: never two matches, and none for a few milliseconds", async (t) => {
    const { world, old } = await withTemplate({ latencyMs: 5 });
    await using _ = world;
    const watch = watchMatches(world.proxmox, tags);
    const end = await kubehenge(world, refresh);
    assertCode(end, 0);
    watch.look();
    assert.equal(watch.most, 1, "never two matches");
    assert.equal(watch.gaps.length, 1);
    assert.equal(watch.gaps[0]?.requests, 0, "no call of anybody's lies between the two");
    assert.ok(watch.looks > 20);
    const puts = to(end.calls, "PUT", /\/config$/).filter(({ form }) => form?.["tags"] !== undefined);
    assert.deepEqual(
      puts.map(({ path }) => path),
      [old, assertTemplate(world, tags)].map(({ vmid }) => `/nodes/pve1/qemu/${vmid}/config`),
    );
    t.diagnostic(
      `no match for ${watch.gaps[0]?.ms.toFixed(1)} ms at 5 ms latency, 0 calls in between; ${watch.looks} looks`,
    );
    assertKept(world, 1, 1);
  });

  test("waits until the cluster shows the new template as one, since clusters look for that flag, which comes late", async () => {
    const { world } = await withTemplate({ resourcesLagMs: 1200 });
    await using _ = world;
    const watch = watchMatches(world.proxmox, tags);
    assertCode(await kubehenge(world, refresh), 0);
    watch.look();
    assert.equal(watch.open, false, "the new one is found as soon as it has its tags");
    assert.deepEqual(
      watch.gaps.map(({ requests }) => requests),
      [0],
    );
    assert.equal(watch.most, 1);
  });

  test("that a crash interrupts between the two calls is finished by the next run, which builds nothing", async () => {
    const { world, old } = await withTemplate();
    await using _ = world;
    let die: () => void = () => {};
    const kill: CommandOptions["kill"] = { when: new Promise<void>((resolve) => (die = resolve)), signal: "SIGKILL" };
    // The process dies with the first call carried out and the second not yet sent.
    const hook = once(retires, "after", () => {
      die();
      return { kind: "reset-after" };
    });
    const watch = watchMatches(world.proxmox, tags, hook);
    await kubehenge(world, refresh, { kill });
    watch.look();
    assert.equal(watch.open, true);
    assert.deepEqual(tagsOn(old), [`kubehenge-build-${buildOf(old)}`, "kubehenge-retired"]);
    const end = await kubehenge(world, create);
    assertCode(end, 0);
    watch.look();
    assert.equal(told(end).result, "reused");
    assert.match(
      end.stderr,
      /Published Talos v1\.14\.4, VM \d+ on node pve1: it was proven and ready when run .* ended/,
    );
    assert.equal(to(end.calls, "POST", /\/qemu$/).length, 0);
    assert.deepEqual([watch.most, watch.open], [1, false]);
    assert.notEqual(assertTemplate(world, tags).vmid, old.vmid);
    assertKept(world, 1, 1);
  });

  test("that a crash interrupts before the two calls is finished by the next run", async () => {
    const { world, old } = await withTemplate();
    await using _ = world;
    let die: () => void = () => {};
    const kill: CommandOptions["kill"] = { when: new Promise<void>((resolve) => (die = resolve)), signal: "SIGKILL" };
    const hook = once(retires, "before", () => {
      die();
      return { kind: "reset-before" };
    });
    const watch = watchMatches(world.proxmox, tags, hook);
    await kubehenge(world, refresh, { kill });
    assert.deepEqual(tagsOn(old), tags);
    const end = await kubehenge(world, create);
    assertCode(end, 0);
    assert.notEqual(told(end).vmid, old.vmid);
    assert.equal(watch.most, 1);
    assert.deepEqual(
      watch.gaps.map(({ requests }) => requests),
      [0],
    );
    assertKept(world, 1, 1);
  });

  test("goes through to its second call when the run is ended between the two", async () => {
    const { world } = await withTemplate();
    await using _ = world;
    let end: () => void = () => {};
    const kill: CommandOptions["kill"] = { when: new Promise<void>((resolve) => (end = resolve)), signal: "SIGTERM" };
    const watch = watchMatches(world.proxmox, tags, (request) => {
      if (!retires(request)) return undefined;
      // The signal has come when the first call is answered.
      end();
      return { kind: "delay", ms: 300 };
    });
    await kubehenge(world, refresh, { kill });
    watch.look();
    assert.deepEqual([watch.most, watch.open], [1, false]);
    assert.equal(assertTemplate(world, tags).isTemplate, true);
    assertKept(world, 1, 1);
  });

  test("whose second call is refused gives the old one its tags back", async () => {
    const { world, old } = await withTemplate();
    await using _ = world;
    const watch = watchMatches(world.proxmox, tags, (request) =>
      publishes(request) && request.path !== `/nodes/pve1/qemu/${old.vmid}/config` && request.phase === "before"
        ? { kind: "answer", status: 403, reason: "Permission check failed" }
        : undefined,
    );
    const end = await kubehenge(world, refresh);
    assert.notEqual(end.code, 0);
    watch.look();
    assert.deepEqual(tagsOn(old), tags);
    assert.deepEqual([watch.most, watch.open], [1, false]);
    world.proxmox.inject(undefined);
    assert.notEqual(
      told(await kubehenge(world, create)).vmid,
      old.vmid,
      "the next run publishes the one that was ready",
    );
    assertKept(world, 1, 1);
  });

  for (const [name, fits] of [
    ["first", retires],
    ["second", publishes],
  ] as const) {
    for (const [what, phase, fault] of [
      ["lost on its way", "before", { kind: "reset-before" }],
      ["carried out without an answer", "after", { kind: "reset-after" }],
    ] as const) {
      test(`whose ${name} call is ${what} comes to the same end`, async () => {
        const { world } = await withTemplate();
        await using _ = world;
        const watch = watchMatches(
          world.proxmox,
          tags,
          once(fits, phase, () => fault),
        );
        assertCode(await kubehenge(world, refresh), 0);
        watch.look();
        assert.deepEqual([watch.most, watch.open], [1, false]);
        assertKept(world, 1, 1);
      });
    }
  }

  test("does not take the tags of a template that was pinned while its successor was built", async () => {
    const { world, old } = await withTemplate();
    await using _ = world;
    world.proxmox.inject(({ path, phase }) => {
      if (phase === "after" && path.endsWith("/template")) old.config.set("protection", "1");
      return undefined;
    });
    const end = await kubehenge(world, refresh);
    assertCode(end, 5);
    assert.match(
      end.stderr,
      new RegExp(
        `VM ${old.vmid} on node pve1, the present template of Talos v1\\.14\\.4, was pinned while its successor was built`,
      ),
    );
    assert.deepEqual(tagsOn(old), tags);
    assertKept(world, 1, 0);
  });

  test("finds the present template by what is there at the moment: a roll-back meanwhile never makes two", async () => {
    const { world } = await withTemplate();
    await using _ = world;
    assertCode(await kubehenge(world, `${refresh} --keep 3`), 0);
    const [first] = retiredOn(world);
    const second = assertTemplate(world, tags);
    let rolledBack: Promise<unknown> | undefined;
    let meanwhile: () => void = () => {};
    const moment = new Promise<void>((resolve) => (meanwhile = resolve));
    const watch = watchMatches(world.proxmox, tags, ({ path, phase }) => {
      if (phase === "after" && path.endsWith("/template")) meanwhile();
      return undefined;
    });
    // Held until somebody has rolled back in the middle of the build.
    void moment.then(() => (rolledBack = kubehenge(world, "template rollback talos --talos-version v1.14.4")));
    const end = await kubehenge(world, `${refresh} --keep 3`);
    await rolledBack;
    assertCode(end, 0);
    watch.look();
    assert.equal(watch.most, 1, `never two of ${first?.vmid}, ${second.vmid} and the new one`);
    assert.equal(watch.open, false);
    assertKept(world, 1, 2);
  });

  test("of two runs that refresh the same template is done once", async () => {
    const { world } = await withTemplate();
    await using _ = world;
    const watch = watchMatches(world.proxmox, tags);
    const ends = await Promise.all([kubehenge(world, refresh), kubehenge(world, refresh)]);
    for (const end of ends) assertCode(end, 0);
    watch.look();
    assert.deepEqual([watch.most, watch.open], [1, false]);
    assert.deepEqual(ends.map((end) => told(end).result).sort(), ["created", "reused"]);
    assertKept(world, 1, 1);
  });
});
