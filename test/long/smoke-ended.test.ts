import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { action } from "../e2e/harness/action.ts";
import { to } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { startWorld, type World } from "../e2e/harness/world.ts";
import { kubeadm, pool } from "./smoke-stage.ts";

describe("a smoke test that is ended", { concurrency: 3 }, () => {
  const moments: [title: string, line: string, method: string, path: RegExp, taskMs: Record<string, number>][] = [
    ["while the clone is made", `${kubeadm} --smoke-test true`, "POST", /\/clone$/, { qmclone: 20_000 }],
    ["while the clone proves itself", `${kubeadm} --smoke-test true`, "GET", /\/qemu\/101\/status\/current$/, {}],
    [
      "while the clone's console is read",
      "template create talos --node pve1 --smoke-test true",
      "POST",
      /\/termproxy$/,
      {},
    ],
  ];
  const reached = (world: World, method: string, path: RegExp) =>
    new Promise<void>((resolve) => {
      world.proxmox.inject((request) => {
        if (request.phase === "after" && request.method === method && path.test(request.path)) resolve();
        return undefined;
      });
    });

  for (const [title, line, method, path, taskMs] of moments) {
    test(`${title} leaves neither clone nor candidate`, async () => {
      await using world = await startWorld({ pools: [pool], taskMs, guest: { fault: "clone-stuck" } });
      const end = await kubehenge(world, line, { kill: { when: reached(world, method, path), signal: "SIGTERM" } });
      assertCode(end, 143);
      await world.proxmox.settle();
      assertNothingLeft(world, 0);
    });
  }

  test("by a kill is cleaned up after by the post step", async () => {
    await using world = await startWorld({ pools: [pool], guest: { fault: "clone-stuck" } });
    const dieAfter = reached(world, "GET", /\/qemu\/101\/status\/current$/);
    const end = await action(world, { distribution: "rke2", "smoke-test": "true" }, { dieAfter });
    assert.equal(end.signal, "SIGKILL");
    await world.proxmox.settle();
    assertNothingLeft(world, 0);
  });

  test("by a kill without a post step is swept once its lease has ended, the clone before its candidate", async () => {
    await using world = await startWorld({ pools: [pool], speed: 60, guest: { fault: "clone-stuck" } });
    const dieAfter = reached(world, "GET", /\/qemu\/101\/status\/current$/);
    const inputs = { distribution: "rke2", "smoke-test": "true" };
    const end = await action(world, inputs, { dieAfter, skipPost: true });
    assert.equal(end.signal, "SIGKILL");
    assert.deepEqual(new Set(world.proxmox.state.vms.keys()), new Set([100, 101]));
    for (const vm of world.proxmox.state.vms.values()) {
      const notes = vm.config.get("description") ?? "";
      vm.config.set("description", notes.replace(/"until":"[^"]*"/, '"until":"2020-01-01T00:00:00.000Z"'));
    }
    const swept = await kubehenge(world, "template sweep");
    assertCode(swept, 0);
    assert.deepEqual([...world.proxmox.state.vms.keys()], []);
    // The image waits for its age; it is nobody's lease that holds it.
    const volumes = world.proxmox.leftovers().volumes.filter((one) => !one.startsWith("local:import/"));
    assert.deepEqual(volumes, []);
  });

  test("by a lost answer to the cloning finds its clone again", async () => {
    await using world = await startWorld({ pools: [pool] });
    let lost = false;
    world.proxmox.inject(({ method, path, phase }) => {
      if (lost || phase !== "after" || method !== "POST" || !path.endsWith("/clone")) return undefined;
      lost = true;
      return { kind: "reset-after" };
    });
    const end = await kubehenge(world, `${kubeadm} --smoke-test true`);
    assertCode(end, 0);
    assert.ok(lost);
    assert.equal(to(end.calls, "POST", /\/clone$/).length, 1, "it is not sent again");
    assertNothingLeft(world, 1);
  });
});
