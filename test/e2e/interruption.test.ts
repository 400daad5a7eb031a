import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { action } from "./harness/action.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { startWorld } from "./harness/world.ts";
import type { World } from "./harness/world.ts";

const long = { download: 20_000, qmcreate: 20_000, qmtemplate: 20_000 } as const;

/** Resolves when a request that fits has been answered. */
function seen(world: World, method: string, path: RegExp): Promise<void> {
  return new Promise((resolve) => {
    world.proxmox.inject((request) => {
      if (request.phase === "after" && request.method === method && path.test(request.path)) resolve();
      return undefined;
    });
  });
}

describe("a run that is ended", { concurrency: 4 }, () => {
  const moments: [title: string, line: string, method: string, path: RegExp, slow: keyof typeof long | undefined][] = [
    ["while Proxmox VE downloads the image", "talos", "POST", /\/download-url$/, "download"],
    ["while a disk is imported", "talos", "POST", /\/qemu$/, "qmcreate"],
    ["while the guest works", "rke2", "GET", /\/status\/current$/, undefined],
    ["while the VM is converted", "talos", "POST", /\/template$/, "qmtemplate"],
    ["while the guest is to shut down and does not", "k3s", "POST", /\/status\/shutdown$/, undefined],
  ];
  for (const [at, [title, distribution, method, path, slow]] of moments.entries()) {
    const signal = at % 2 === 0 ? "SIGINT" : "SIGTERM";
    const code = signal === "SIGINT" ? 130 : 143;
    test(`${title} by ${signal} ends with ${code} and leaves nothing`, async () => {
      await using world = await startWorld({
        pools: ["kubehenge-templates"],
        taskMs: slow ? { [slow]: long[slow] } : {},
        guest: { fault: path.source.includes("shutdown") ? "ignores-shutdown" : "stuck" },
      });
      const end = await kubehenge(world, `template create ${distribution} --node pve1`, {
        kill: { when: seen(world, method, path), signal },
      });
      assertCode(end, code);
      assert.match(end.stderr, new RegExp(`The run was ended by ${signal}`));
      assert.equal(end.stdout, "");
      await world.proxmox.settle();
      assertNothingLeft(world, 0);
    });
  }

  test("by its deadline ends with 124, names the option and leaves nothing", async () => {
    await using world = await startWorld({ speed: 60, taskMs: { download: 600_000 } });
    const end = await kubehenge(world, "template create talos --node pve1 --timeout 1");
    assertCode(end, 124);
    assert.match(end.stderr, /The run took longer than its bound of 1 minutes?/);
    assert.match(end.stderr, /--timeout MINUTES/);
    await world.proxmox.settle();
    assertNothingLeft(world, 0);
  });
});

describe("a job that is", { concurrency: 3 }, () => {
  test("cancelled removes within the runner's patience what it had begun", async () => {
    await using world = await startWorld({ pools: ["kubehenge-templates"], guest: { fault: "stuck" } });
    const end = await action(
      world,
      { distribution: "rke2" },
      { cancelAfter: seen(world, "GET", /\/status\/current$/) },
    );
    assert.equal(end.conclusion, "cancelled");
    assert.equal(end.exitCode, 130, end.log);
    assert.equal(end.signal, undefined, "it was not killed");
    assertNothingLeft(world, 0);
  });

  for (const [title, distribution, method, path, slow] of [
    ["downloads an image", "talos", "POST", /\/download-url$/, "download"],
    ["imports a disk", "talos", "POST", /\/qemu$/, "qmcreate"],
    ["runs a guest", "rke2", "GET", /\/status\/current$/, undefined],
  ] as const) {
    test(`killed while it ${title} is cleaned up after by its post step`, async () => {
      await using world = await startWorld({
        pools: ["kubehenge-templates"],
        taskMs: slow ? { [slow]: long[slow] } : {},
        guest: { fault: "stuck" },
      });
      const end = await action(world, { distribution }, { dieAfter: seen(world, method, path) });
      assert.equal(end.signal, "SIGKILL");
      assert.equal(end.postExitCode, 0, end.postLog);
      assert.ok(!JSON.stringify(end.state).includes(world.secret), "the state holds no secret");
      await world.proxmox.settle();
      assertNothingLeft(world, 0);
      assert.match(end.postLog, /: removed|already gone/);
      assert.deepEqual(end.postAnnotations, []);
    });
  }

  test("killed leaves alone what is somebody else's by then", async () => {
    await using world = await startWorld({ pools: ["kubehenge-templates"], guest: { fault: "stuck" } });
    let killed: (() => void) | undefined;
    const dieAfter = new Promise<void>((resolve) => (killed = resolve));
    world.proxmox.inject(({ method, path, phase }) => {
      if (phase !== "after" || method !== "GET" || !path.endsWith("/status/current") || !killed) return undefined;
      const vm = world.proxmox.state.vms.get(100) ?? assert.fail();
      vm.config.set("description", "Mine now. Somebody else.");
      killed();
      killed = undefined;
      return undefined;
    });
    const end = await action(world, { distribution: "k3s" }, { dieAfter });
    assert.equal(end.postExitCode, 0);
    assert.match(end.postLog, /VM 100 on pve1: left alone, it is not this run's/);
    assert.ok(world.proxmox.state.vms.has(100));
  });

  test("done calls nothing in its post step", async () => {
    await using world = await startWorld();
    const main = await action(world, { distribution: "talos" }, { skipPost: true });
    assert.equal(main.conclusion, "success");
    const again = await action(world, { distribution: "talos" });
    assert.equal(again.postExitCode, 0);
    assert.equal(again.postLog, "");
  });
});
