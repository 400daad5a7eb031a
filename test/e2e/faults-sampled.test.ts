import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inParallel } from "../../src/templates/in-parallel.ts";
import { cancelModes, runCancelCase } from "../faults/cancel-matrix.ts";
import { faultCases, runFaultCase, type FaultCase } from "../faults/fault-matrix.ts";
import { createInProcess } from "../faults/in-process.ts";
import { runRace, raceFields } from "../faults/races.ts";
import { fastProxmox, finishedOn, isClean, leftOn } from "../faults/stage.ts";
import { simulatedGuest } from "../stand-in/guest/index.ts";
import { startUpstreams, type Upstreams } from "../stand-in/upstreams/index.ts";

// A sample of what `npm run test:faults` runs whole.
let upstreams: Upstreams;
before(async () => void (upstreams = await startUpstreams()));
after(() => upstreams.close());

describe("a fault at a call of a create", () => {
  test("ends well or in a clear error, leaves nothing, and the next run succeeds", async () => {
    const all = await faultCases(upstreams, ["talos", "kubeadm"]);
    // A step that shares no factor with the number of kinds meets each of them.
    const cases = all.filter((_one, at) => at % 53 === 5);
    assert.ok(cases.length >= 12, `${cases.length} of ${all.length} cases`);
    const bad = await inParallel(cases, 4, async (one) =>
      (await runFaultCase(upstreams, one)).bad.map((words) => `${say(one)}: ${words}`),
    );
    assert.deepEqual(bad.flat(), []);
  });

  for (const call of [
    "POST /nodes/pve1/qemu",
    "PUT /nodes/pve1/qemu/100/config",
    "POST /nodes/pve1/qemu/100/template",
  ]) {
    test(`${call}: a lost answer is settled by reading, whether the call was carried out or not`, async () => {
      const cases = (await faultCases(upstreams, ["talos"])).filter(
        (one) => one.call === call && /reset|596|599/.test(one.kind.name),
      );
      assert.equal(cases.length, 6);
      const ends = await inParallel(cases, 3, async (one) => ({
        one: say(one),
        ...(await runFaultCase(upstreams, one)),
      }));
      for (const { one, bad, end, struck } of ends) assert.deepEqual([one, end, struck, bad], [one, "well", true, []]);
    });
  }
});

const say = ({ distribution, call, kind }: FaultCase): string => `${distribution} ${call} x ${kind.name}`;

describe("a run that ends before its time", () => {
  for (const [at, mode] of cancelModes.entries()) {
    test(`B73: ${mode}: nothing is left`, async () => {
      // While the image is downloaded, the VM is made, and the guest works.
      const end = await runCancelCase({
        distribution: at % 2 === 0 ? "kubeadm" : "talos",
        index: [8, 12, 20, 11, 16, 12][at] ?? 8,
        mode,
      });
      assert.deepEqual([end.bad, typeof end.struck], [[], "string"]);
    });
  }
});

test("B39: eight processes for one target end with one template, none failed and nothing left", async () => {
  const [field] = raceFields;
  assert.ok(field);
  const seed = `sampled ${Date.now()}`;
  assert.deepEqual(await runRace(field, 0, seed), [], `seed ${seed}`);
});

test("B27: an import that takes 25 min and shows progress meets no bound of its own; one that shows none is given up by name", async () => {
  await using proxmox = await fastProxmox({ speed: 4000, taskMs: { qmcreate: 25 * 60_000 } });
  const end = await createInProcess({ proxmox, upstreams }, { distribution: "talos", versions: "v1.14.4" });
  assert.equal(end.failure?.message, undefined);
  assert.ok(
    end.said.some((line) => /transferred/.test(line)),
    "its progress is told",
  );
  assert.equal(finishedOn(proxmox).length, 1);

  await using silent = await fastProxmox({ speed: 4000, taskMs: { resize: 40 * 60_000, download: 40 * 60_000 } });
  const stalled = await createInProcess({ proxmox: silent, upstreams }, { distribution: "talos", versions: "v1.14.4" });
  assert.equal(stalled.failure?.kind, "deadline");
  assert.match(stalled.failure?.message ?? "", /downloading http.*no progress for .* \(its own bound is 10 min/);
  await silent.settle();
  assert.ok(isClean(leftOn(silent)));
});

test("B71: the template neither points to its seed nor keeps it, and boots from its disk alone", async () => {
  await using proxmox = await fastProxmox();
  const end = await createInProcess({ proxmox, upstreams }, { distribution: "rke2", versions: "26.04" });
  assert.equal(end.failure?.message, undefined);
  const [template] = finishedOn(proxmox);
  assert.deepEqual(
    [...(template?.config ?? [])].filter(([, value]) => /\.iso|cdrom/.test(value)),
    [],
  );
  assert.equal(template?.config.get("boot"), "order=scsi0");
  assert.ok(isClean(leftOn(proxmox)));
});

test("B72: a refresh that fails half-way leaves the old template as it was, found and whole", async () => {
  let builds = 0;
  await using proxmox = await fastProxmox({
    guest: simulatedGuest({ stepMs: 2, fault: "unexplained", faulty: () => (builds += 1) > 1 }),
  });
  const inputs = { distribution: "rke2", versions: "26.04" };
  await createInProcess({ proxmox, upstreams }, inputs);
  const [old] = finishedOn(proxmox);
  assert.ok(old);
  const asItWas = [...old.config];
  const end = await createInProcess({ proxmox, upstreams }, { ...inputs, refresh: "always" });
  assert.equal(end.failure?.kind, "verification");
  await proxmox.settle();
  assert.deepEqual(
    finishedOn(proxmox).map(({ vmid, config }) => [vmid, [...config]]),
    [[old.vmid, asItWas]],
  );
  assert.ok(isClean(leftOn(proxmox)));
});

test("a kept VM lets no later run build its target: refused with its id, node and how to remove it", async () => {
  await using proxmox = await fastProxmox({ guest: simulatedGuest({ stepMs: 2, fault: "unexplained" }) });
  const inputs = { distribution: "rke2", versions: "26.04" };
  const first = await createInProcess({ proxmox, upstreams }, { ...inputs, "keep-on-failure": "true" });
  assert.equal(first.failure?.kind, "verification");
  await proxmox.settle();
  const kept = [...proxmox.state.vms.values()];
  assert.equal(kept.length, 1);
  assert.match(kept[0]?.config.get("description") ?? "", /^# Kept: .*failed/);
  assert.equal(kept[0]?.machine, undefined, "it is switched off");
  const second = await createInProcess({ proxmox, upstreams }, inputs);
  assert.equal(second.failure?.kind, "conflict");
  assert.match(second.failure?.message ?? "", /VM 100 on node pve1 was kept/);
  assert.match(second.failure?.remedy.join("\n") ?? "", /kubehenge template delete rke2 .*\n.*qm destroy 100/);
});
