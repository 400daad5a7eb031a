import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Fault, FaultHook, FaultRequest } from "../stand-in/proxmox/index.ts";
import { action, assertConclusion } from "./harness/action.ts";
import { shown, to } from "./harness/calls.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { assertTemplate, tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";

type Match = [method: string, path: RegExp];

/** Meets the first `times` requests that fit with a fault, before they are carried out. */
function meet([method, path]: Match, fault: Fault, times = 1): FaultHook {
  let met = 0;
  return (request: FaultRequest) => {
    if (request.phase !== "before" || request.method !== method || !path.test(request.path) || met >= times)
      return undefined;
    met += 1;
    return fault;
  };
}

const calls = {
  download: ["POST", /\/download-url$/],
  upload: ["POST", /\/upload$/],
  create: ["POST", /\/qemu$/],
  resize: ["PUT", /\/resize$/],
  start: ["POST", /\/status\/start$/],
  shutdown: ["POST", /\/status\/shutdown$/],
  config: ["PUT", /\/config$/],
  template: ["POST", /\/template$/],
  deleteVolume: ["DELETE", /\/content\//],
} as const satisfies Record<string, Match>;

const rke2 = "template create rke2 --ubuntu-release 26.04 --node pve1";
const talos = "template create talos --talos-version 1.14.4 --node pve1";

describe("a task that fails ends the build in its words, and nothing is left", { concurrency: 4 }, () => {
  for (const [name, text] of [
    ["download", "download failed: exit code 4"],
    ["upload", "unable to copy the upload: No space left on device"],
    ["create", "unable to create VM 100 - cannot import from 'x' - copy failed: qemu-img: error while reading"],
    ["resize", "command 'qemu-img resize' failed: exit code 1"],
    ["start", "start failed: QEMU exited with code 1"],
    ["template", "unable to convert disk to base volume"],
  ] as const) {
    test(`${name}: ${text}`, async () => {
      await using world = await startWorld();
      world.proxmox.inject(meet(calls[name], { kind: "task-fails", text }));
      const end = await kubehenge(world, rke2);
      assertCode(end, 1);
      assert.ok(end.stderr.includes(text), end.stderr);
      assert.match(end.stderr, /\| TASK ERROR: /, "the log's last lines are shown");
      assertNothingLeft(world, 0);
    });
  }

  test("config: an answer of 500 with parameter errors names the parameter", async () => {
    await using world = await startWorld();
    const body = {
      data: null,
      message: "Parameter verification failed.\n",
      errors: { memory: "value must be at least 1024" },
    };
    world.proxmox.inject(
      meet(calls.config, { kind: "answer", status: 400, reason: "Parameter verification failed.", body }),
    );
    const end = await kubehenge(world, rke2);
    assertCode(end, 1);
    assert.match(end.stderr, /memory: value must be at least 1024/);
    assertNothingLeft(world, 0);
  });

  test("B38: an upload for which there is no space names /var/tmp of the node that was asked", async () => {
    await using world = await startWorld();
    world.proxmox.inject(
      meet(calls.upload, { kind: "answer", status: 500, reason: "unable to write: No space left on device" }),
    );
    const end = await kubehenge(world, rke2);
    assertCode(end, 1);
    assert.match(end.stderr, /No space left on device/);
    assert.match(end.stderr, /\/var\/tmp/);
    assertNothingLeft(world, 0);
  });

  test("what cannot be removed is listed with the command that removes it, after the error itself", async () => {
    await using world = await startWorld();
    let destroys = 0;
    world.proxmox.inject(({ method, path, phase }) => {
      if (phase !== "before") return undefined;
      if (method === "POST" && path.endsWith("/template")) return { kind: "task-fails", text: "conversion failed" };
      if (method === "DELETE" && path.endsWith("/qemu/100")) {
        destroys += 1;
        return { kind: "answer", status: 500, reason: "unable to remove VM 100 - disk is busy" };
      }
      return undefined;
    });
    const end = await kubehenge(world, talos);
    assertCode(end, 1);
    assert.ok(destroys > 0);
    assert.match(end.stderr, /error: .*conversion failed/);
    assert.match(end.stderr, /left: VM 100 on pve1 \(.*disk is busy\)\n.*qm destroy 100 --purge/);
    assert.deepEqual(
      world.proxmox.leftovers().volumes.filter((volume) => volume.includes("import/")),
      [],
    );
  });
});

describe("B25: a task that ends in WARNINGS has succeeded", { concurrency: 3 }, () => {
  test("and its warnings are told", async () => {
    await using world = await startWorld();
    world.proxmox.inject(meet(calls.create, { kind: "task-warnings", count: 1 }));
    const end = await action(world, { distribution: "talos" });
    assertConclusion(end, "success");
    assert.ok(
      end.annotations.some(
        ({ level, title }) => level === "warning" && /warned while it created the VM/.test(title ?? ""),
      ),
      end.log,
    );
    assertNothingLeft(world, 1);
  });

  for (const name of ["start", "template", "shutdown"] as const) {
    test(`on ${name}`, async () => {
      await using world = await startWorld();
      world.proxmox.inject(meet(calls[name], { kind: "task-warnings", count: 2 }));
      assertCode(await kubehenge(world, rke2), 0);
      assertNothingLeft(world, 1);
    });
  }
});

describe("B26: a task whose worker died", { concurrency: 3 }, () => {
  for (const name of ["create", "template", "start"] as const) {
    test(`on ${name}: the VM itself is looked at, and either made good or taken back whole`, async () => {
      await using world = await startWorld();
      world.proxmox.inject(meet(calls[name], { kind: "task-dies" }));
      const end = await kubehenge(world, name === "start" ? rke2 : talos);
      if (end.code === 0) return assertNothingLeft(world, 1);
      assert.match(end.stderr, /its worker died .*, the outcome is unknown|VM is locked \(create\)/);
      // A hard-killed worker leaves lock=create, which only root@pam itself may skip: then it is named.
      const { vms } = world.proxmox.leftovers();
      for (const vm of vms)
        assert.match(end.stderr, new RegExp(`left: VM ${vm.vmid} on pve1[^]*qm destroy ${vm.vmid} --purge`));
    });
  }
});

describe("an answer that goes astray", { concurrency: 4 }, () => {
  const good: [title: string, hook: () => FaultHook, line?: string][] = [
    ["B20: a connection reset under a read is taken up again", () => meet(["GET", /./], { kind: "reset-before" }, 2)],
    [
      "B20: a connection reset after the create was accepted finds its task again",
      () => meet(calls.create, { kind: "reset-after" }),
    ],
    [
      "B20: a connection reset before the create was carried out sends it once more",
      () => meet(calls.create, { kind: "reset-before" }),
    ],
    ["a lost answer of the conversion is settled by looking", () => meet(calls.template, { kind: "reset-after" })],
    ["a lost answer of the start is settled by looking", () => meet(calls.start, { kind: "reset-after" }), rke2],
    ["a lost answer of the upload is settled by looking", () => meet(calls.upload, { kind: "reset-after" }), rke2],
    ["a lost answer of the download is settled by looking", () => meet(calls.download, { kind: "reset-after" })],
    [
      "B22: 596 of a change that was made counts as made",
      () => meet(calls.config, { kind: "answer-after", status: 596, reason: "Connection timed out" }),
    ],
    [
      "B22: 596 of a change that was not made is sent again",
      () => meet(calls.config, { kind: "answer", status: 596, reason: "Connection timed out" }),
    ],
    [
      "B23: 599 on a read is asked again",
      () => meet(["GET", /\/storage$/], { kind: "answer", status: 599, reason: "Too many redirections" }, 2),
    ],
    [
      "B23: 599 on a removal does not stop it",
      () => meet(calls.deleteVolume, { kind: "answer", status: 599, reason: "Too many redirections" }),
    ],
    [
      "B11: 596 of a slow storage's listing is asked again",
      () => meet(["GET", /\/content$/], { kind: "answer", status: 596, reason: "Connection timed out" }),
    ],
    [
      "B41: a configuration lock that others hold is waited for, on the create",
      () =>
        meet(calls.create, {
          kind: "answer",
          status: 500,
          reason: "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout",
        }),
    ],
    [
      "B41: and on the conversion",
      () =>
        meet(calls.template, {
          kind: "answer",
          status: 500,
          reason: "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout",
        }),
    ],
    [
      "B42: a storage lock that timed out in the create's task is tried again",
      () =>
        meet(calls.create, {
          kind: "task-fails",
          text: "unable to create VM 100 - error during cfs-locked 'storage-shared-storage' operation: got lock request timeout",
        }),
    ],
    ["a proxy that restarts is waited for", () => meet(["GET", /\/cluster\/nextid$/], { kind: "refuse", ms: 400 })],
  ];
  for (const [title, hook, line = talos] of good) {
    test(title, async () => {
      await using world = await startWorld({ speed: 4, pools: ["kubehenge-templates"] });
      world.proxmox.inject(hook());
      const end = await kubehenge(world, line);
      assertCode(end, 0);
      assertTemplate(world, line === talos ? tagsOf.talos("v1.14.4") : tagsOf.ubuntu("26.04"));
      assertNothingLeft(world, 1);
      assert.ok(to(end.calls, "POST", /\/download-url$/).length <= 2);
    });
  }

  test("B10: a fresh image that the listing misses twice is waited for and not downloaded again", async () => {
    await using world = await startWorld({ speed: 4 });
    let downloaded = false;
    let missed = 0;
    world.proxmox.inject(({ method, path, phase }) => {
      if (phase !== "before") return undefined;
      if (method === "POST" && path.endsWith("/download-url")) downloaded = true;
      if (!downloaded || method !== "GET" || !path.endsWith("/content") || missed >= 2) return undefined;
      missed += 1;
      return { kind: "answer", status: 200, reason: "OK", body: { data: [] } };
    });
    const end = await kubehenge(world, talos);
    assertCode(end, 0);
    assert.equal(missed, 2);
    assert.equal(to(end.calls, "POST", /\/download-url$/).length, 1);
  });

  test("B11: a storage whose listing stays late is told as slow storage, not as a network fault", async () => {
    await using world = await startWorld({ speed: 10 });
    world.proxmox.inject(
      meet(["GET", /\/content$/], { kind: "answer", status: 596, reason: "Connection timed out" }, 99),
    );
    const end = await kubehenge(world, talos);
    assertCode(end, 1);
    assert.match(end.stderr, /596/);
    assert.match(end.stderr, /slow or hanging storage/);
    assertNothingLeft(world, 0);
  });

  test("B24: 596 over a certificate is told to be between the cluster's nodes", async () => {
    await using world = await startWorld({ speed: 10 });
    world.proxmox.inject(
      meet(
        ["GET", /\/nodes\/pve1\/storage$/],
        { kind: "answer", status: 596, reason: "tls_process_server_certificate: certificate verify failed" },
        99,
      ),
    );
    const end = await kubehenge(world, talos);
    assertCode(end, 1);
    assert.match(end.stderr, /between the cluster's nodes.*pvecm updatecerts/);
  });

  test("B41: a lock that stays held ends in an error that names it", async () => {
    await using world = await startWorld({ speed: 60 });
    world.proxmox.inject(
      meet(
        calls.template,
        { kind: "answer", status: 500, reason: "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout" },
        99,
      ),
    );
    const end = await kubehenge(world, talos);
    assertCode(end, 5);
    assert.match(end.stderr, /lock-100\.conf/);
    assertNothingLeft(world, 0);
  });

  test("B39: an id that somebody else takes first is left alone, and the next one is taken", async () => {
    await using world = await startWorld({ pools: ["kubehenge-templates"] });
    let taken = false;
    world.proxmox.inject(({ method, path, phase }) => {
      if (phase === "before" && method === "POST" && path.endsWith("/qemu") && !taken) {
        taken = true;
        world.proxmox.state.addVm({ vmid: 100, config: { name: "somebody-else" } });
      }
      return undefined;
    });
    const end = await kubehenge(world, talos);
    assertCode(end, 0);
    assert.equal(assertTemplate(world, tagsOf.talos("v1.14.4")).vmid, 101);
    assert.equal(world.proxmox.state.vms.get(100)?.config.get("name"), "somebody-else");
    assert.deepEqual(
      shown(end.calls).filter((call) => call.startsWith("DELETE /nodes/pve1/qemu")),
      [],
    );
  });

  test("B20: idle connections that Proxmox VE closes while a guest works cost nothing", async () => {
    await using world = await startWorld({ idleMs: 150, guest: { stepMs: 80 } });
    assertCode(await kubehenge(world, rke2), 0);
    assertNothingLeft(world, 1);
  });
});
