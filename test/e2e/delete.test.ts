import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apiTask } from "../stand-in/api.ts";
import { shown, writes } from "./harness/calls.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";
import type { World } from "./harness/world.ts";

const pool = "kubehenge-templates";

function leaseNotes(world: World, changes: Record<string, unknown> = {}): string {
  const now = world.proxmox.state.clock.now();
  const lease = {
    schema: 1,
    state: "building",
    build: "0123456789ab",
    tags: tagsOf.talos("v1.14.3"),
    title: "Talos v1.14.3",
    run: "4711-1",
    since: new Date(now - 3_600_000).toISOString(),
    until: new Date(now + 3_600_000).toISOString(),
    ...changes,
  };
  return `# Being built\n\n\`\`\`json\n${JSON.stringify({ kubehenge: "lease", lease })}\n\`\`\`\n`;
}

describe("template delete", { concurrency: 4 }, () => {
  test("refuses when several templates fit, and lists them", async () => {
    await using world = await startWorld();
    const seed = world.proxmox.state;
    const { vms } = seed;
    seed.addTemplate({ vmid: 201, pool, tags: tagsOf.talos("v1.14.3").join(";") });
    seed.addTemplate({ vmid: 202, pool, tags: tagsOf.talos("v1.14.4").join(";") });
    const end = await kubehenge(world, "template delete talos");
    assertCode(end, 5);
    assert.match(
      end.stderr,
      /Several templates fit.*Talos v1\.14\.3 \(VM 201 on pve1\).*Talos v1\.14\.4 \(VM 202 on pve1\)/,
    );
    assert.deepEqual(shown(writes(end.calls)), []);
    const named = await kubehenge(world, "template delete talos --talos-version ~1.14");
    assertCode(named, 0);
    assert.deepEqual([...vms.keys()], [201], "a range means the newest that is there");
    assertNothingLeft(world);
  });

  test("takes the pool into account, and every pool with --pool ''", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({
      vmid: 201,
      pool: "elsewhere",
      tags: tagsOf.kubeadm("v1.37.1", "26.04").join(";"),
    });
    const own = await kubehenge(world, "template delete kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04");
    assertCode(own, 3);
    assert.match(own.stderr, /There is no template of kubeadm 1\.37\.1 on Ubuntu 26\.04 in pool kubehenge-templates/);
    assertCode(await kubehenge(world, "template delete kubeadm --kubernetes-version 1.37.1 --pool ''"), 0);
    assert.deepEqual([...world.proxmox.state.vms.keys()], []);
  });

  test("refuses a template with linked clones in plain words and leaves it whole", async () => {
    await using world = await startWorld();
    const seed = world.proxmox.state;
    const { vms } = seed;
    seed.addTemplate({ vmid: 201, pool, tags: tagsOf.ubuntu("26.04").join(";") });
    await apiTask(world.proxmox, "POST", "/nodes/pve1/qemu/201/clone", { newid: 300, name: "node-1" });
    const end = await kubehenge(world, "template delete rke2");
    assertCode(end, 5);
    assert.match(
      end.stderr,
      /Ubuntu 26\.04 for RKE2 and k3s \(VM 201 on node pve1\) was not deleted: linked clones still use its disk/,
    );
    assert.match(end.stderr, /RKE2 and k3s share this template/);
    assert.ok(vms.has(201) && vms.has(300));
    assert.match(vms.get(201)?.config.get("scsi0") ?? "", /base-201/);
  });

  test("says that RKE2 and k3s share theirs", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({ vmid: 201, pool, tags: tagsOf.ubuntu("24.04").join(";") });
    const end = await kubehenge(world, "template delete k3s --ubuntu-release noble -o json");
    assertCode(end, 0);
    assert.match(end.stderr, /RKE2 and k3s share this template: it is gone for both \(VM 201\)/);
    const [deletion] = JSON.parse(end.stdout) as { vmid: number; deleted: boolean; what: string }[];
    assert.deepEqual([deletion?.vmid, deletion?.deleted, deletion?.what], [201, true, "template"]);
    assert.equal(world.proxmox.state.vms.size, 0);
  });

  test("deletes a broken template, a kept build VM and one whose lease has ended, and never a clone", async () => {
    await using world = await startWorld();
    const seed = world.proxmox.state;
    const { vms } = seed;
    seed.addTemplate({ vmid: 201, pool, converted: false, name: "half", tags: tagsOf.talos("v1.14.3").join(";") });
    seed.addVm({
      vmid: 202,
      pool,
      config: { name: "build-kept", description: leaseNotes(world, { state: "kept", reason: "It failed." }) },
    });
    seed.addVm({
      vmid: 203,
      pool,
      config: { name: "build-old", description: leaseNotes(world, { until: "2020-01-01T00:00:00.000Z" }) },
    });
    seed.addVm({ vmid: 204, pool, config: { name: "clone", tags: tagsOf.talos("v1.14.3").join(";") } });
    seed.addVm({
      vmid: 205,
      pool,
      config: { name: "other", description: leaseNotes(world, { state: "kept", tags: tagsOf.talos("v1.14.2") }) },
    });
    const end = await kubehenge(world, "template delete talos --talos-version v1.14.3");
    assertCode(end, 0);
    for (const words of [
      /broken template half \(VM 201/,
      /kept build VM build-kept \(VM 202/,
      /abandoned build VM build-old \(VM 203/,
    ])
      assert.match(end.stdout, words);
    assert.deepEqual([...vms.keys()], [204, 205]);
  });

  test("refuses while another run builds the target, and names that run", async () => {
    await using world = await startWorld();
    world.proxmox.state.addVm({ vmid: 202, pool, config: { name: "build", description: leaseNotes(world) } });
    const end = await kubehenge(world, "template delete talos --talos-version v1.14.3");
    assertCode(end, 5);
    assert.match(end.stderr, /VM 202 on node pve1 is being built by run 4711-1/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("refuses a protected template and says how to release it", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({
      vmid: 201,
      pool,
      tags: tagsOf.talos("v1.14.3").join(";"),
      config: { protection: 1 },
    });
    const end = await kubehenge(world, "template delete talos");
    assertCode(end, 5);
    assert.match(end.stderr, /is protected[^]*qm set 201 --protection 0/);
    assert.ok(world.proxmox.state.vms.has(201));
  });

  test("ends with 3 when there is nothing", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template delete k3s");
    assertCode(end, 3);
    assert.match(end.stderr, /There is no template of k3s in pool kubehenge-templates/);
    assert.match(end.stderr, /kubehenge template list/);
  });
});

describe("a build VM that was kept", { concurrency: 2 }, () => {
  test("stays powered off with the reason in its notes, stops the next run with its id, and delete removes it", async () => {
    await using world = await startWorld({ guest: { fault: "mirror-refused" } });
    const failed = await kubehenge(world, "template create rke2 --node pve1 --keep-on-failure");
    assertCode(failed, 6);
    assert.match(failed.stderr, /VM 100 on node pve1 was kept for inspection, switched off/);
    const kept = world.proxmox.state.vms.get(100) ?? assert.fail("no VM was kept");
    assert.equal(kept.machine, undefined, "it is switched off");
    assert.match(
      kept.config.get("description") ?? "",
      /^# Kept: Ubuntu 26\.04 for RKE2 and k3s failed\n\n.*cannot connect to the package mirror/,
    );
    assert.equal(kept.config.get("tags"), undefined, "no cluster finds it");
    assert.equal(kept.config.get("ide2"), undefined, "it can be started without its seed");
    assert.deepEqual(
      world.proxmox.leftovers().volumes.filter((volume) => /:(iso|import)\//.test(volume)),
      [],
    );
    const next = await kubehenge(world, "template create k3s --node pve1");
    assertCode(next, 5);
    assert.match(next.stderr, /VM 100 on node pve1 was kept from a failed build of Ubuntu 26\.04 for RKE2 and k3s/);
    assert.match(next.stderr, /kubehenge template delete k3s --ubuntu-release 26\.04$/m);
    assert.match(next.stderr, /qm destroy 100 --purge/);
    assert.deepEqual(shown(writes(next.calls)), []);
    assertCode(await kubehenge(world, "template delete rke2 --ubuntu-release 26.04"), 0);
    assertNothingLeft(world, 0);
  });

  test("is removed by the line that was shown, in whichever pool; none is kept unasked, or where there was no VM yet", async () => {
    await using world = await startWorld({ guest: { fault: "mirror-refused" } });
    assertCode(await kubehenge(world, "template create rke2 --node pve1"), 6);
    assertNothingLeft(world, 0);
    const elsewhere = await kubehenge(world, "template create rke2 --node pve1 --keep-on-failure --pool other");
    assertCode(elsewhere, 6);
    const line = /kubehenge (template delete .*)$/m.exec(elsewhere.stderr)?.[1] ?? assert.fail(elsewhere.stderr);
    assertCode(await kubehenge(world, line), 0);
    assertNothingLeft(world, 0);
    world.proxmox.inject(({ method, path, phase }) =>
      phase === "before" && method === "POST" && path.endsWith("/download-url")
        ? { kind: "task-fails", text: "download failed: 404 Not Found" }
        : undefined,
    );
    const end = await kubehenge(world, "template create rke2 --node pve1 --keep-on-failure");
    assertCode(end, 3);
    assert.match(end.stderr, /404 Not Found/);
    assertNothingLeft(world, 0);
  });
});
