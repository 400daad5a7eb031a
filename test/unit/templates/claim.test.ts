import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as z from "zod";
import { talosTarget } from "../../../src/distributions/target.ts";
import type { Call, Proxmox } from "../../../src/proxmox/client.ts";
import { Failure } from "../../../src/failure/failure.ts";
import { awaitOther } from "../../../src/templates/await-other.ts";
import type { Context } from "../../../src/templates/context.ts";
import { liveClaims, readClaims, settleClaim } from "../../../src/templates/claim.ts";
import { newLease, type Lease } from "../../../src/templates/lease.ts";
import { leaseNotes, templateNotes } from "../../../src/templates/notes.ts";
import { listReporter } from "../../faults/in-process.ts";

const target = talosTarget("v1.14.4");
const pool = "kubehenge-templates";
const run = { id: "other", program: "kubehenge/0" };
const lease = (build: string, sinceMs: number, untilMs = 9e6): Lease =>
  newLease(build, target, run, sinceMs, untilMs, { seed: undefined, image: "local:import/x.qcow2" });

interface FakeVm {
  lease?: Lease;
  tags?: string;
  status?: string;
  config?: Record<string, unknown>;
}

type Vms = Record<number, FakeVm | undefined>;

/** Answers from what `look` says the cluster holds at each listing; time passes only by sleeping. */
function scripted(look: (listing: number) => Vms): { proxmox: Proxmox; listings: () => number } {
  let listings = 0;
  let now = 0;
  let vms: Vms = {};
  const answer = ({ path }: Call<unknown>): unknown => {
    if (path === "/cluster/resources") {
      vms = look((listings += 1));
      return Object.entries(vms).map(([vmid, vm]) => ({
        vmid: Number(vmid),
        node: "pve1",
        type: "qemu",
        pool,
        tags: vm?.tags ?? "",
        status: vm?.status ?? "stopped",
      }));
    }
    const vm = vms[Number(/\/qemu\/(\d+)\/config$/.exec(path)?.[1])] ?? assert.fail(`asked for ${path}`);
    return { ...(vm.lease ? { description: leaseNotes(vm.lease) } : {}), tags: vm.tags ?? "", ...vm.config };
  };
  const proxmox = {
    call: <T>(call: Call<T>) => Promise.resolve(z.parse(call.schema, answer(call as Call<unknown>))),
    clock: { now: () => now, sleep: (ms: number) => Promise.resolve(void (now += ms)) },
    signal: undefined,
  } as unknown as Proxmox;
  return { proxmox, listings: () => listings };
}

const mine = { vmid: 100, pool, lease: lease("aaaaaaaaaaaa", 1000), replaces: undefined };
const settle = (look: (listing: number) => Vms) => settleClaim(scripted(look).proxmox, mine, target);

suite("two builds of one target", () => {
  test("one that sees nobody else goes on at once, after one listing", async () => {
    const { proxmox, listings } = scripted(() => ({ 100: { lease: mine.lease } }));
    assert.deepEqual([await settleClaim(proxmox, mine, target), listings()], [{ wins: true }, 1]);
  });

  test("the later lease gives way to the earlier one, and says to whom", async () => {
    const standing = await settle(() => ({ 100: { lease: mine.lease }, 101: { lease: lease("bbbbbbbbbbbb", 500) } }));
    assert.deepEqual([standing.wins, standing.to?.row.vmid], [false, 101]);
  });

  test("leases of the same millisecond are told apart by their builds", async () => {
    const before = await settle(() => ({ 100: {}, 101: { lease: lease("000000000000", 1000) } }));
    assert.equal(before.wins, false);
    const later = await settle((listing) =>
      listing < 3 ? { 100: {}, 101: { lease: lease("ffffffffffff", 1000) } } : { 100: {} },
    );
    assert.equal(later.wins, true);
  });

  test("the earlier lease waits until the later one is gone", async () => {
    const { proxmox, listings } = scripted((listing) =>
      listing < 4 ? { 100: {}, 101: { lease: lease("bbbbbbbbbbbb", 2000) } } : { 100: {} },
    );
    assert.deepEqual(await settleClaim(proxmox, mine, target), { wins: true });
    assert.equal(listings(), 4);
  });

  for (const [how, vm] of [
    ["has started its guest", { status: "running" }],
    ["is being converted", { config: { template: 1 } }],
    ["is locked by its own work", { config: { lock: "snapshot" } }],
  ] as const) {
    test(`the earlier lease gives way to a later one that ${how}: it had looked before this one was there`, async () => {
      const standing = await settle((listing) => ({
        100: {},
        101: { lease: lease("bbbbbbbbbbbb", 2000), ...(listing < 2 ? {} : vm) },
      }));
      assert.deepEqual([standing.wins, standing.to?.row.vmid], [false, 101]);
    });
  }

  test("a template that was published meanwhile is not built a second time", async () => {
    const standing = await settle(() => ({
      100: {},
      101: { tags: target.tags.join(";"), config: { template: 1, scsi0: "s:101/base-101-disk-0.qcow2" } },
    }));
    assert.deepEqual(standing, { wins: false });
  });

  test("a template that is published between the listing and the reading of its notes is not built a second time", async () => {
    const manifest = {
      schema: 1 as const,
      build: "cccccccccccc",
      distribution: "talos",
      version: target.version,
      architecture: "amd64",
      image: { url: "https://factory.example.org/x.qcow2", file: "x.qcow2" },
      verified: [],
      created: "2026-11-30T00:00:00.000Z",
      run: "other",
      program: "kubehenge/0",
    };
    const standing = await settle(() => ({
      100: {},
      101: {
        config: { template: 1, scsi0: "s:101/base-101-disk-0.qcow2", description: templateNotes(target, manifest) },
      },
    }));
    assert.deepEqual(standing, { wins: false });
  });

  test("the earlier lease does not wait for ever for one that neither goes on nor goes", async () => {
    const standing = await settle(() => ({ 100: {}, 101: { lease: lease("bbbbbbbbbbbb", 2000) } }));
    assert.equal(standing.wins, false);
  });

  test("a lease that has ended, a kept VM and another target's build keep nobody from building", async () => {
    const other = { ...lease("cccccccccccc", 10), tags: ["kubehenge", "talos", "talos-v1.0.0"] };
    const vms = {
      101: { lease: lease("bbbbbbbbbbbb", -2e6, -1e6) },
      102: { lease: { ...lease("dddddddddddd", 1), state: "kept" as const } },
      103: { lease: other },
    };
    assert.deepEqual(await settle(() => ({ 100: {}, ...vms })), { wins: true });
    const { proxmox } = scripted(() => vms);
    const { listGuests } = await import("../../../src/proxmox/cluster.ts");
    const claims = await readClaims(proxmox, await listGuests(proxmox), pool);
    assert.equal(claims.length, 3);
    assert.deepEqual(liveClaims(claims, target, 0), []);
  });
});

test("a deadline that passes while a run waits for another says for whom it waited", async () => {
  const { proxmox } = scripted(() => ({ 101: { lease: lease("bbbbbbbbbbbb", 500) } }));
  const late = new Failure("deadline", "The run took longer than its bound of 60 minutes", { remedy: ["--timeout"] });
  const said: string[] = [];
  const context = {
    proxmox: { ...proxmox, clock: { now: () => 0, sleep: () => Promise.reject(late) } },
    reporter: listReporter(said),
  } as unknown as Context;
  const phases = { run: <T>(_title: string, work: () => Promise<T>) => work(), progress: () => {}, list: [] };
  await assert.rejects(awaitOther(context, { target, pool, replaces: undefined }, phases), {
    kind: "deadline",
    message: /bound of 60 minutes; it was waiting for VM 101 on node pve1, being built by run other since .*, until /,
    remedy: ["--timeout"],
  });
  assert.match(said.join("\n"), /Waiting for VM 101 on node pve1/);
});
