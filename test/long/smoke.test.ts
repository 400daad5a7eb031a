import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FaultName } from "../stand-in/guest/index.ts";
import { leastPrivileges } from "../stand-in/proxmox/index.ts";
import { action, assertConclusion } from "../e2e/harness/action.ts";
import { api } from "../stand-in/api.ts";
import { shown, to, writes } from "../e2e/harness/calls.ts";
import { findTemplates, type ResourceRow } from "../e2e/harness/capmox.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World } from "../e2e/harness/world.ts";

const pool = "kubehenge-templates";
const kubeadm = "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1";
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

interface Reported {
  result: string;
  smokeTest?: { what: string; ok: boolean }[];
  phases?: { title: string }[];
}

const reported = (stdout: string) => (JSON.parse(stdout) as Reported[])[0] ?? assert.fail("no outcome");

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

describe("a Talos clone", { concurrency: 3 }, () => {
  const talos = "template create talos --node pve1 --smoke-test true";

  test("proves by its serial console that it comes to maintenance mode, without a network card", async () => {
    await using world = await startWorld({ pools: [pool], ...leastPrivileges({ pool, smokeTest: true }) });
    const end = await kubehenge(world, `${talos} -o json`);
    assertCode(end, 0);
    assert.deepEqual(reported(end.stdout).smokeTest, [
      { what: "it boots into maintenance mode, as its serial console says", ok: true },
    ]);
    assert.equal(
      to(end.calls, "GET", /\/vncwebsocket$/)
        .map(({ status }) => status)
        .join(),
      "101",
    );
    assert.ok(!shown(writes(end.calls)).some((line) => /\/qemu\/101\/config.*net0/.test(line)));
    await world.proxmox.settle();
    assertNothingLeft(world, 1);
  });

  for (const [fault, words, code] of [
    ["talos-silent", /its serial console did not say so within 5 min 00 s/, 124],
    ["talos-panics", /its serial console did not say so within 5 min 00 s[^]*\| .*Kernel panic - not syncing/, 124],
    ["talos-powers-off", /it is switched off/, 6],
  ] as const) {
    test(`${fault}: is no proof, and the template is not published`, async () => {
      await using world = await startWorld({ pools: [pool], speed: 60, guest: { fault } });
      const end = await kubehenge(world, talos);
      assertCode(end, code);
      assert.match(end.stderr, /did not pass its smoke test: VM 101 did not come to Talos' maintenance mode: /);
      assert.match(end.stderr, words);
      await world.proxmox.settle();
      assertNothingLeft(world, 0);
    });
  }

  test("is not passed over where Proxmox VE lets no token read consoles: the remedy is named", async () => {
    const version = "8.4.0" as const;
    await using world = await startWorld({
      version,
      pools: [pool],
      ...leastPrivileges({ pool, version, smokeTest: true }),
    });
    const end = await kubehenge(world, talos);
    assertCode(end, 4);
    assert.match(
      end.stderr,
      /could not be put to its smoke test: The smoke test is not possible: the serial console of VM 101 cannot be read/,
    );
    assert.match(end.stderr, /API tokens can use consoles since late releases of Proxmox VE 9\.0/);
    assert.match(end.stderr, /--smoke-test false \(smoke-test: false\)/);
    await world.proxmox.settle();
    assertNothingLeft(world, 0);
  });
});

describe("what a smoke test needs", { concurrency: 3 }, () => {
  for (const [line, privilege] of [
    ["template create rke2 --node pve1 --storage shared-storage --smoke-test true", "VM.Clone"],
    ["template create talos --node pve1 --storage shared-storage --smoke-test true", "VM.Clone"],
    ["template create talos --node pve1 --storage shared-storage --smoke-test true", "VM.Console"],
  ] as const) {
    test(`${privilege} is named with its pveum line before anything is made: ${line.split(" ")[2]}`, async () => {
      await using world = await startWorld({
        pools: [pool],
        ...leastPrivileges({ pool, smokeTest: true, without: [privilege] }),
      });
      const end = await kubehenge(world, line);
      assertCode(end, 4);
      assert.match(end.stderr, new RegExp(`${privilege.replace(".", "\\.")} at /pool/${pool} \\(.*smoke-test`));
      assert.match(end.stderr, new RegExp(`pveum role add \\S+ --privs "${privilege.replace(".", "\\.")}"`));
      assert.deepEqual(shown(writes(end.calls)), []);
      assertNothingLeft(world, 0);
    });
  }

  test("is enough, and a build without one needs none of it", async () => {
    await using world = await startWorld({ pools: [pool], ...leastPrivileges({ pool, smokeTest: true }) });
    assertCode(await kubehenge(world, `${kubeadm} --smoke-test true`), 0);
    assertNothingLeft(world, 1);
  });
});

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
