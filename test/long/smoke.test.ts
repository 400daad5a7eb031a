import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FaultName } from "../stand-in/guest/index.ts";
import { action, assertConclusion } from "../e2e/harness/action.ts";
import { api } from "../stand-in/api.ts";
import { shown, to, writes } from "../e2e/harness/calls.ts";
import { findTemplates, type ResourceRow } from "../e2e/harness/capmox.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World } from "../e2e/harness/world.ts";
import { kubeadm, pool, reported } from "./smoke-stage.ts";

const tags = tagsOf.kubeadm("v1.37.1", "26.04");

/** The template that Cluster API's Proxmox provider would clone now. */
async function selected(world: World, wanted: readonly string[]): Promise<number[]> {
  return findTemplates(
    (await api(world.proxmox, "GET", "/cluster/resources", { type: "vm" })) as ResourceRow[],
    wanted,
  );
}

/** A world that holds a template already, made without a smoke test. */
async function worldWithTemplate(options: Parameters<typeof startWorld>[0], line = kubeadm): Promise<World> {
  const world = await startWorld({ pools: [pool], resourcesLagMs: 0, ...options });
  try {
    assertCode(await kubehenge(world, line), 0);
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
  return world;
}

describe("a refresh boots a clone of the new template and", { concurrency: 3 }, () => {
  test("publishes it once the clone has proven itself; nothing of the clone stays", async () => {
    await using world = await worldWithTemplate({});
    assert.deepEqual(await selected(world, tags), [100]);
    const end = await kubehenge(world, `${kubeadm} --refresh always -o json`);
    assertCode(end, 0);
    const outcome = reported(end.stdout);
    assert.equal(outcome.result, "created");
    assert.deepEqual(
      outcome.smokeTest?.map(({ what, ok }) => `${ok ? "ok" : "NOT"}: ${what}`),
      [
        "ok: it boots and reads its seed",
        "ok: cloud-init ends without errors and warnings",
        "ok: the host name of its seed",
        "ok: a machine-id of its own",
        "ok: fresh ssh host keys",
        "ok: an address on its network card",
        "ok: the guest agent runs",
        "ok: containerd answers",
        "ok: kubeadm's images are there",
        "ok: kubeadm's preflight checks find nothing that the template is to blame for",
      ],
    );
    assert.ok(outcome.phases?.some(({ title }) => title === "booting a clone"));
    assert.deepEqual(await selected(world, tags), [101]);
    assertTemplate(world, tags);
    assert.deepEqual(new Set(world.proxmox.state.vms.keys()), new Set([100, 101]));
    assert.deepEqual(world.proxmox.leftovers(() => true).volumes, []);
    assert.deepEqual(world.proxmox.leftovers(() => true).tasks, []);
  });

  test("gives the clone what Cluster API's Proxmox provider gives it: linked, seed on ide0, a size of its own", async () => {
    await using world = await worldWithTemplate({});
    const end = await kubehenge(world, `${kubeadm} --refresh always`);
    assertCode(end, 0);
    const [clone] = to(end.calls, "POST", /\/qemu\/101\/clone$/);
    assert.deepEqual({ ...clone?.form, name: "" }, { newid: "102", name: "", pool, full: "0" });
    const [equipped] = to(end.calls, "PUT", /\/qemu\/102\/config$/);
    const form = equipped?.form ?? {};
    assert.match(String(form["ide0"]), /^local:iso\/kubehenge-seed-[0-9a-f]{12}\.iso,media=cdrom$/);
    assert.equal(form["boot"], "order=scsi0;ide0");
    assert.match(String(form["net0"]), /^virtio=BC:24:11:[0-9A-F:]{8},bridge=vmbr0$/);
    assert.equal(form["scsi1"], "shared-storage:0.01");
    assert.ok(Number(form["cores"]) > 1 && Number(form["memory"]) > 512);
    // Before the tags move, and gone before that, too.
    const order = shown(writes(end.calls)).join("\n");
    const [cloned, destroyed, tagged] = [/\/101\/clone/, /DELETE .*\/qemu\/102/, /PUT .*\/qemu\/100\/config/].map(
      (one) => order.search(one),
    );
    assert.ok((cloned ?? 0) > 0 && (cloned ?? 0) < (destroyed ?? 0) && (destroyed ?? 0) < (tagged ?? 0), order);
  });

  const failures: [fault: FaultName, words: RegExp, evidence: RegExp | undefined, lacks: string | undefined][] = [
    [
      "clone-warns",
      /cloud-init ended with warnings/,
      /\| FAILED: cloud-init ended with warnings: status: done extended_status: degraded done/,
      "cloud-init ends without errors and warnings",
    ],
    [
      "clone-cloud-init-fails",
      /cloud-init ended with an error/,
      /\| FAILED: cloud-init ended with an error/,
      "cloud-init ends without errors and warnings",
    ],
    [
      "no-hostname",
      /it does not bear the host name of its seed/,
      /\| FAILED: The host name is localhost, not kubehenge-smoke-/,
      "the host name of its seed",
    ],
    [
      "seal-keeps-machine-id",
      /its machine-id is the template's/,
      /\| FAILED: The machine-id [0-9a-f]{32} is made of/,
      "a machine-id of its own",
    ],
    ["no-host-keys", /it has no ssh host key/, /\| FAILED: There is no host key/, "fresh ssh host keys"],
    [
      "clone-runtime-silent",
      /containerd does not answer as a container runtime/,
      /\| FAILED: containerd does not answer crictl/,
      "containerd answers",
    ],
    [
      "clone-preflight-fails",
      /kubeadm's preflight checks find an error/,
      /\| FAILED: .*\[ERROR FileExisting-conntrack\]/,
      "kubeadm's preflight checks find nothing that the template is to blame for",
    ],
    [
      "clone-unexplained",
      /failed while proving that what it is called by is its own \(code 520\)/,
      undefined,
      'an end of "proving that what it is called by is its own"',
    ],
    ["clone-powers-off", /VM 102 is switched off .*but its guest had not proven itself/, undefined, undefined],
  ];
  for (const [fault, words, evidence, lacks] of failures) {
    test(`${fault}: takes candidate and clone away, and the old template stays`, async () => {
      // Slow enough for what a clone says before it is off to be seen.
      const pace = fault === "clone-powers-off" ? { stepMs: 150 } : {};
      await using world = await worldWithTemplate({ guest: { fault, ...pace } });
      const end = await kubehenge(world, `${kubeadm} --refresh always -o json`);
      assertCode(end, 6);
      assert.match(
        end.stderr,
        /The new template of .* \(VM 101\) did not pass its smoke test; VM 100 stays the template: /,
      );
      assert.match(end.stderr, words);
      if (evidence) assert.match(end.stderr, evidence);
      assert.match(end.stderr, /--smoke-test false/);
      const last = reported(end.stdout).smokeTest?.at(-1);
      assert.deepEqual(last, { what: lacks ?? last?.what, ok: false });
      assert.deepEqual(await selected(world, tags), [100]);
      assertNothingLeft(world, 1);
    });
  }

  test("gives a clone up that says nothing new, at the bound of its step", async () => {
    await using world = await worldWithTemplate({ speed: 60, guest: { fault: "clone-stuck" } });
    const end = await kubehenge(world, `${kubeadm} --refresh always`);
    assertCode(end, 124);
    assert.match(end.stderr, /has shown nothing new for 6 min 00 s.*waiting for cloud-init to end/);
    assert.deepEqual(await selected(world, tags), [100]);
    assertNothingLeft(world, 1);
  });

  test("keeps clone and candidate where that is asked for, and says how they go; later runs refuse", async () => {
    await using world = await worldWithTemplate({ guest: { fault: "clone-warns" } });
    const end = await kubehenge(world, `${kubeadm} --refresh always --keep-on-failure`);
    assertCode(end, 6);
    assert.match(
      end.stderr,
      /VM 102 and VM 101 on node pve1 were kept.*qm destroy 102 --purge; qm destroy 101 --purge/,
    );
    const clone = world.proxmox.state.vms.get(102) ?? assert.fail("the clone is gone");
    assert.equal(clone.machine, undefined, "it is switched off");
    assert.equal(clone.config.get("ide0"), undefined, "its seed is detached");
    assert.deepEqual(world.proxmox.leftovers(() => true).volumes, []);
    assert.deepEqual(await selected(world, tags), [100]);
    const again = await kubehenge(world, `${kubeadm} --refresh always`);
    assertCode(again, 5);
    assert.match(again.stderr, /VM 102 on node pve1 was kept.*/);
    assert.match(again.stderr, /qm destroy 102 --purge; qm destroy 101 --purge/);
  });

  test("does not where the person says so", async () => {
    await using world = await worldWithTemplate({ guest: { fault: "clone-warns" } });
    const end = await kubehenge(world, `${kubeadm} --refresh always --smoke-test false`);
    assertCode(end, 0);
    assert.deepEqual(to(end.calls, "POST", /\/clone$/), []);
    assert.deepEqual(await selected(world, tags), [101]);
  });
});

describe("a first build", { concurrency: 3 }, () => {
  test("boots no clone unless asked, and then is not published when the clone fails", async () => {
    await using world = await startWorld({ pools: [pool], guest: { fault: "clone-warns" } });
    const end = await kubehenge(world, `${kubeadm} --smoke-test true`);
    assertCode(end, 6);
    assert.match(end.stderr, /did not pass its smoke test: The guest of VM 101 failed/);
    assertNothingLeft(world, 0);
    const plain = await kubehenge(world, kubeadm);
    assertCode(plain, 0);
    assert.deepEqual(to(plain.calls, "POST", /\/clone$/), []);
  });

  test("of RKE2 proves what it has, without Kubernetes", async () => {
    await using world = await startWorld({ pools: [pool] });
    const end = await kubehenge(world, "template create rke2 --node pve1 --smoke-test true -o json");
    assertCode(end, 0);
    const proven = reported(end.stdout).smokeTest?.map(({ what }) => what) ?? [];
    assert.ok(proven.includes("the guest agent runs"));
    assert.ok(!proven.some((what) => /containerd|kubeadm/.test(what)));
    assertNothingLeft(world, 1);
  });

  test("by the Action shows what was proven in its summary", async () => {
    await using world = await startWorld({ pools: [pool] });
    const end = await action(world, { distribution: "k3s", "smoke-test": "true" });
    assertConclusion(end, "success");
    assert.match(end.summary, /### Proven on a clone/);
    assert.match(end.summary, /\| a machine-id of its own \| yes \|/);
    assertNothingLeft(world, 1);
  });
});
