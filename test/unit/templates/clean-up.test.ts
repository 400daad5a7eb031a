import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { journalInto } from "../../../src/shell/journal.ts";
import type { Context } from "../../../src/templates/context.ts";
import { newLease, type Lease } from "../../../src/templates/lease.ts";
import { leaseNotes } from "../../../src/templates/notes.ts";
import { type Remnant } from "../../../src/templates/remnant.ts";
import { sweep } from "../../../src/templates/sweep.ts";
import { createUndo } from "../../../src/templates/undo.ts";
import { talosTarget } from "../../../src/distributions/target.ts";
import { inSession, type Stage } from "../../faults/in-process.ts";
import { fastProxmox, leftOn } from "../../faults/stage.ts";
import type { FaultHook, ProxmoxStandIn, StandInOptions } from "../../stand-in/proxmox/index.ts";
import { startUpstreams, type Upstreams } from "../../stand-in/upstreams/index.ts";
import { destroyStopped, removeRemnant } from "../../../src/templates/remove-remnant.ts";
import { isOurs, readOwnConfig } from "../../../src/templates/own-vm.ts";

const mine = "0123456789ab";
const theirs = "ba9876543210";
const target = talosTarget("v1.14.4");
const pool = "kubehenge-templates";

let upstreams: Upstreams;
before(async () => void (upstreams = await startUpstreams()));
after(() => upstreams.close());

interface Scene {
  proxmox: ProxmoxStandIn;
  context: Context;
  said: string[];
  /** Makes a VM with a lease, as a build does, and waits for it. */
  makeVm(vmid: number, build: string, change?: Partial<Lease>, untilMs?: number): Promise<void>;
  calls(): string[];
}

async function scene(act: (scene: Scene) => Promise<void>, options: StandInOptions = {}): Promise<void> {
  await using proxmox = await fastProxmox(options);
  const stage: Stage = { proxmox, upstreams };
  const said: string[] = [];
  await inSession(
    stage,
    { signal: new AbortController().signal, said, journal: journalInto(() => {}) },
    async (context) => {
      const makeVm: Scene["makeVm"] = async (vmid, build, change = {}, untilMs = 3_600_000) => {
        const now = proxmox.state.clock.now();
        const lease = {
          ...newLease(build, target, context.run, now, now + untilMs, {
            seed: undefined,
            image: "local:import/x.qcow2",
          }),
          ...change,
        };
        await create(context, vmid, leaseNotes(lease));
        await proxmox.settle();
      };
      await act({
        proxmox,
        context,
        said,
        makeVm,
        calls: () => proxmox.transcript.map(({ method, path }) => `${method} ${path}`),
      });
    },
  );
}

async function create({ proxmox }: Context, vmid: number, description: string): Promise<string> {
  const { createVm } = await import("../../../src/proxmox/vm.ts");
  return await createVm(proxmox, "pve1", {
    vmid,
    name: `vm-${vmid}`,
    pool,
    description,
    scsi0: "shared-storage:1",
    memory: 512,
  });
}

const notesOf = (build: string, { run, proxmox }: Context): string =>
  leaseNotes(
    newLease(build, target, run, proxmox.clock.now(), proxmox.clock.now() + 3_600_000, {
      seed: undefined,
      image: "local:import/x.qcow2",
    }),
  );

const vmRemnant = (vmid: number, build = mine): Remnant & { kind: "vm" } => ({ kind: "vm", node: "pve1", vmid, build });
const on = (method: string, path: RegExp, fault: ReturnType<FaultHook>, phase = "before", times = 1): FaultHook => {
  let left = times;
  return (request) =>
    left > 0 && request.phase === phase && request.method === method && path.test(request.path) && left-- > 0
      ? fault
      : undefined;
};

suite("removing what a run has made", () => {
  test("B45: a VM whose notes name another build is left alone, as is an id without a VM", async () => {
    await scene(async ({ context, makeVm, proxmox }) => {
      await makeVm(100, theirs);
      assert.equal(await removeRemnant(context.proxmox, vmRemnant(100)), "not-ours");
      assert.equal(await removeRemnant(context.proxmox, vmRemnant(101)), "absent");
      assert.deepEqual([...proxmox.state.vms.keys()], [100]);
    });
  });

  test("B45: an import under the same id that is not known to be this build's is not stopped, and what it made stays", async () => {
    await scene(
      async ({ context, proxmox, calls }) => {
        const now = proxmox.state.clock.now();
        await create(
          context,
          100,
          leaseNotes(
            newLease(theirs, target, context.run, now, now + 3_600_000, {
              seed: undefined,
              image: "local:import/x.qcow2",
            }),
          ),
        );
        assert.equal(await removeRemnant(context.proxmox, vmRemnant(100)), "not-ours");
        assert.deepEqual(
          calls().filter((call) => call.startsWith("DELETE")),
          [],
        );
        assert.ok(
          isOurs(
            {
              description: proxmox.state.vms.get(100)?.config.get("description"),
              tags: [],
              template: false,
              protection: false,
            },
            theirs,
          ),
        );
      },
      { taskMs: { qmcreate: 10_000 } },
    );
  });

  test("this build's own import, known by its UPID, is stopped, and nothing of it stays", async () => {
    await scene(
      async ({ context, proxmox, calls }) => {
        const upid = await create(context, 100, "");
        assert.equal(await removeRemnant(context.proxmox, { ...vmRemnant(100), upid }), "absent");
        assert.equal(calls().filter((call) => call.startsWith("DELETE") && call.includes("/tasks/")).length, 1);
        await proxmox.settle();
        assert.deepEqual(leftOn(proxmox), { vms: [], volumes: [], tasks: [] });
      },
      { taskMs: { qmcreate: 600_000 } },
    );
  });

  test("B45: before each attempt the VM is looked at again: after a lost answer the id may be somebody else's", async () => {
    await scene(async ({ context, makeVm, proxmox }) => {
      await makeVm(100, mine);
      let lost = false;
      proxmox.inject(({ method, path, phase }) => {
        if (phase !== "before") return undefined;
        if (method === "DELETE" && path.endsWith("/qemu/100")) {
          lost = true;
          return { kind: "answer", status: 596, reason: "Connection timed out" };
        }
        // By the next look the id has gone to another run.
        if (lost && path.endsWith("/config"))
          proxmox.state.vms.get(100)?.config.set("description", notesOf(theirs, context));
        return undefined;
      });
      await destroyStopped(context.proxmox, "pve1", 100, (config) => isOurs(config, mine));
      await proxmox.settle();
      assert.ok(lost);
      assert.match(proxmox.state.vms.get(100)?.config.get("description") ?? "", new RegExp(theirs));
    });
  });

  test("B45: a build whose VM's notes are not its own any more stops, and says so", async () => {
    await scene(async ({ context, makeVm }) => {
      await makeVm(100, theirs);
      await assert.rejects(readOwnConfig(context.proxmox, vmRemnant(100)), {
        kind: "conflict",
        message: /VM 100 on node pve1 is not this run's any more/,
      });
    });
  });

  test("B41: locks and gateways in the way of a removal are waited for", async () => {
    for (const fault of [
      { kind: "answer", status: 500, reason: "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout" },
      { kind: "answer", status: 596, reason: "Connection timed out" },
      { kind: "reset-before" },
    ] as const) {
      await scene(async ({ context, makeVm, proxmox }) => {
        await makeVm(100, mine);
        proxmox.inject(on("DELETE", /\/qemu\/100$/, fault, "before", 2));
        assert.equal(await removeRemnant(context.proxmox, vmRemnant(100)), "removed");
        assert.equal(proxmox.state.vms.size, 0);
      });
    }
  });
});

suite("undo", () => {
  test("goes backwards, tries once more what was refused, and answers what stays with the reason", async () => {
    await scene(async ({ context, makeVm, proxmox, calls }) => {
      await makeVm(100, mine);
      await makeVm(101, mine);
      const open: string[] = [];
      const undo = createUndo({ about: (remnant) => open.push(remnant.kind), settled: () => open.pop() });
      undo.push(vmRemnant(100));
      undo.push(vmRemnant(101));
      proxmox.inject(
        on("DELETE", /\/qemu\/100$/, { kind: "answer", status: 403, reason: "Permission check failed" }, "before", 1),
      );
      assert.deepEqual(await undo.run(context.proxmox), []);
      assert.deepEqual(
        calls().filter((call) => call.startsWith("DELETE")),
        ["DELETE /nodes/pve1/qemu/101", "DELETE /nodes/pve1/qemu/100", "DELETE /nodes/pve1/qemu/100"],
      );
      assert.deepEqual([open, undo.pending], [[], []]);

      await makeVm(102, mine);
      undo.push(vmRemnant(102));
      proxmox.inject(
        on("DELETE", /\/qemu\/102$/, { kind: "answer", status: 403, reason: "Permission check failed" }, "before", 99),
      );
      const [left] = await undo.run(context.proxmox);
      assert.deepEqual(left?.remnant, vmRemnant(102));
      assert.match(left?.why ?? "", /403 Permission check failed/);
    });
  });

  test("uses the task of a remnant that became known after it was registered", async () => {
    await scene(
      async ({ context, calls }) => {
        const undo = createUndo(journalInto(() => {}));
        const upid = await create(context, 100, "");
        undo.push(vmRemnant(100));
        undo.push({ ...vmRemnant(100), upid });
        await undo.remove(context.proxmox, vmRemnant(100));
        assert.ok(calls().some((call) => call.startsWith("DELETE") && call.includes("/tasks/")));
      },
      { taskMs: { qmcreate: 600_000 } },
    );
  });
});

suite("the sweep", () => {
  const request = { pool, dryRun: false, timeoutMs: 3_600_000 };

  test("removes a build VM after its lease, and neither a live one, nor a kept one, nor a VM without our notes", async () => {
    await scene(async ({ context, makeVm, proxmox }) => {
      await makeVm(100, mine, { until: new Date(proxmox.state.clock.now() - 1000).toISOString() });
      await makeVm(101, theirs);
      await makeVm(102, theirs, { state: "kept", until: "2020-01-01T00:00:00.000Z", reason: "for a look" });
      await create(context, 103, "somebody's notes");
      await proxmox.settle();
      const swept = await sweep(context, request);
      assert.deepEqual(
        swept.removed.map(({ remnant }) => remnant),
        [vmRemnant(100)],
      );
      assert.deepEqual([...proxmox.state.vms.keys()], [101, 102, 103]);
    });
  });

  test("names what it would remove in a dry run, and removes nothing", async () => {
    await scene(async ({ context, makeVm, proxmox }) => {
      await makeVm(100, mine, { until: "2020-01-01T00:00:00.000Z" });
      const swept = await sweep(context, { ...request, dryRun: true });
      assert.equal(swept.removed.length, 1);
      assert.equal(proxmox.state.vms.size, 1);
    });
  });

  test("removes seeds and images under our names that no lease holds, once they are older than any; others never", async () => {
    await scene(async ({ context, makeVm, proxmox }) => {
      const { uploadIso } = await import("../../../src/proxmox/storage.ts");
      const upload = async (fileName: string) => {
        await uploadIso(context.proxmox, "pve1", "local", {
          fileName,
          bytes: Buffer.alloc(2048),
          sha256: "e5a00aa9991ac8a5ee3109844d84a55583bd20572ad3ffcd42792f3c36b183ad",
        });
        await proxmox.settle();
      };
      for (const name of [
        `kubehenge-seed-${mine}.iso`,
        `kubehenge-seed-${theirs}.iso`,
        "kubehenge-seed-mine.iso",
        "debian-13.iso",
      ])
        await upload(name);
      // Held by a build with a long timeout in another pool.
      proxmox.state.pools.set("elsewhere", { id: "elsewhere", vms: new Set(), storages: new Set() });
      await makeVm(100, theirs, {}, 24 * 3_600_000);
      proxmox.state.pools.get(pool)?.vms.delete(100);
      proxmox.state.pools.get("elsewhere")?.vms.add(100);
      assert.deepEqual((await sweep(context, request)).removed, [], "all are young");
      proxmox.state.clock.advance(2 * 3_600_000);
      const swept = await sweep(context, request);
      assert.deepEqual(
        swept.removed.map(({ remnant }) => remnant.kind === "volume" && remnant.volume),
        [`local:iso/kubehenge-seed-${mine}.iso`],
      );
    });
  });

  test("tells a VM that a killed import left locked with the command that only root may give", async () => {
    await scene(async ({ context, proxmox }) => {
      proxmox.inject(on("POST", /\/qemu$/, { kind: "task-dies" }));
      await create(context, 100, "");
      await proxmox.settle();
      const { left } = await sweep(context, request);
      assert.deepEqual(
        left.map(({ remnant }) => remnant),
        [vmRemnant(100, "")],
      );
      assert.match(left[0]?.why ?? "", /locked \(create\), which only root may undo/);
    });
  });

  test("goes on where a node of a VM is down", async () => {
    await scene(async ({ context, makeVm, proxmox }) => {
      await makeVm(100, mine, { until: "2020-01-01T00:00:00.000Z" });
      proxmox.inject(
        on("GET", /\/qemu\/100\/config$/, { kind: "answer", status: 595, reason: "No route to host" }, "before", 99),
      );
      assert.deepEqual(await sweep(context, request), { removed: [], left: [] });
    });
  });
});
