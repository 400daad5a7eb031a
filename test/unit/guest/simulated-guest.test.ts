import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  guestSteps,
  lastLines,
  logPath,
  parseReport,
  readHostNameSignal,
  readSignal,
  reportPath,
  seedIso,
  type GuestPlan,
} from "../../../src/guest/index.ts";
import { writeIso } from "../../../src/guest/iso9660/write-iso.ts";
import type { GuestHardware } from "../../stand-in/guest-contract.ts";
import {
  faults,
  freshDisk,
  guestDisk,
  simulatedGuest,
  type FaultName,
  type GuestDisk,
  type SimulatedGuestOptions,
} from "../../stand-in/guest/index.ts";
import { kubeadmPlan, ubuntuPlan } from "./plans.ts";

const created = new Date("2026-11-30T10:00:00Z");
const uuid = "6f1c0b1e-6a0e-4c8e-9d52-0123456789ab";

function hardware(
  seed: Uint8Array | undefined,
  changes: Partial<GuestHardware> & { content?: unknown; drive?: string } = {},
): GuestHardware {
  const { content, drive = "ide2", ...rest } = changes;
  return {
    vmid: 100,
    cdroms: seed === undefined ? [] : [{ device: drive, read: () => seed }],
    networks: [{ device: "net0", mac: "BC:24:11:00:00:01", bridge: "vmbr0" }],
    disks: new Map([
      ["scsi0", { sizeBytes: 6 * 1024 ** 3, content }],
      ["scsi1", { sizeBytes: 10_485_760, content: undefined }],
    ]),
    smbiosUuid: uuid,
    memoryMiB: 2048,
    cores: 2,
    ...rest,
  };
}

/** Starts a guest and records all that it tells; `until` waits for a state and fails when it is not reached. */
function start(machine: GuestHardware, options: SimulatedGuestOptions = {}) {
  const seen = { codes: [] as number[], agent: false, off: false, read: 0 };
  const guest = simulatedGuest({ stepMs: 1, ...options })(machine, {
    wroteSector: (device, sector) => void (device === "scsi1" && seen.codes.push(sector)),
    readBytes: (_device, bytes) => void (seen.read += bytes),
    agent: (up) => void (seen.agent = up),
    poweredOff: () => void (seen.off = true),
  });
  const until = async (what: string, reached: () => boolean): Promise<void> => {
    const end = Date.now() + 5000;
    while (!reached()) {
      if (Date.now() > end) assert.fail(`not reached: ${what}; seen ${JSON.stringify(seen)}`);
      await new Promise((done) => setTimeout(done, 1));
    }
  };
  /** Long enough for a guest with steps of 1 ms to do all it ever will. */
  const quiet = (): Promise<void> => new Promise((done) => setTimeout(done, 60));
  const signal = (plan: GuestPlan) =>
    readSignal(guestSteps(plan), seen.codes.length === 0 ? undefined : (Math.max(...seen.codes) + 1) * 512);
  const disk = (): GuestDisk => guestDisk(machine.disks.get("scsi0")?.content);
  return { guest, seen, until, quiet, signal, disk };
}

async function build(plan: GuestPlan, options: SimulatedGuestOptions = {}) {
  const machine = hardware(seedIso(plan, created));
  const run = start(machine, options);
  await run.until("success", () => run.signal(plan).kind === "done");
  return { machine, ...run };
}

describe("the simulated guest, building", () => {
  for (const [name, plan] of Object.entries({ ubuntu: ubuntuPlan, kubeadm: kubeadmPlan })) {
    it(`goes through every step of the ${name} seed, seals, and stays up until it is shut down`, async () => {
      const { seen, guest, until, disk, quiet } = await build(plan);
      assert.deepEqual(seen.codes, [...guestSteps(plan).map((step) => step.code), 100]);
      assert.equal(seen.agent, true);
      await quiet();
      assert.equal(seen.off, false);
      assert.equal(disk().sealed, true);
      assert.equal(disk().instanceId, undefined);
      assert.deepEqual([disk().machineId, disk().hostKeys, disk().buildFiles], ["", [], []]);
      assert.ok(disk().packages["qemu-guest-agent"]);
      guest.shutdown();
      await until("off", () => seen.off);
      assert.equal(seen.agent, false);
    });
  }

  it("leaves what the seed asked for on the disk, and reports it", async () => {
    const { guest, disk } = await build(kubeadmPlan);
    assert.equal(disk().packages["kubeadm"], "1.37.1-1.1");
    assert.equal(disk().packages["cri-tools"], "1.36.0-1.1");
    assert.ok(disk().held.includes("kubelet"));
    assert.ok(disk().images.includes("registry.example.org:5000/kubernetes/kube-apiserver:v1.37.1"));
    const report = parseReport(guest.readFile(reportPath) ?? "");
    assert.deepEqual([report.packages, report.images], [disk().packages, disk().images]);
    guest.kill();
  });

  it("reads the whole seed, beyond the firmware's first look", async () => {
    const iso = seedIso(ubuntuPlan, created);
    const { seen, guest } = await build(ubuntuPlan);
    assert.equal(seen.read, 2048 + iso.length);
    guest.kill();
  });

  for (const [name, fault] of Object.entries(faults)) {
    if (fault.does !== "fail") continue;
    it(`fails in its step and stays up with its last words: ${name}`, async () => {
      const run = start(hardware(seedIso(kubeadmPlan, created)), { fault: name as FaultName });
      await run.until("failure", () => run.signal(kubeadmPlan).kind === "failed");
      const signal = run.signal(kubeadmPlan);
      assert.ok(signal.kind === "failed");
      assert.equal(signal.step.name, fault.step);
      assert.equal(signal.reason?.number, "reason" in fault ? fault.reason : undefined);
      await run.quiet();
      assert.equal(run.seen.off, false);
      assert.equal(run.disk().sealed, false);
      assert.equal(run.guest.readFile(reportPath), undefined);
      const words = lastLines(run.guest.readFile(logPath) ?? "").join("\n");
      assert.match(words, /FAILED: /);
      if ("words" in fault) assert.ok(words.includes(fault.words));
      run.guest.kill();
    });
  }

  it("stays in its step for ever when it is stuck or the kernel panics", async () => {
    for (const fault of ["stuck", "kernel-panic"] as const) {
      const run = start(hardware(seedIso(ubuntuPlan, created)), { fault, faultStep: "verify" });
      await run.until("the step", () => run.seen.codes.includes(80));
      if (fault === "kernel-panic") await run.until("the panic", () => !run.seen.agent);
      await run.quiet();
      const signal = run.signal(ubuntuPlan);
      assert.equal(signal.kind === "step" && signal.step.name, "verify");
      assert.equal(run.seen.off, false);
      assert.equal(run.seen.agent, fault === "stuck");
      run.guest.kill();
    }
  });

  it("switches itself off before it has proven anything", async () => {
    for (const fault of ["power-off-early", "power-off-while-sealing"] as const) {
      const run = start(hardware(seedIso(ubuntuPlan, created)), { fault });
      await run.until("off", () => run.seen.off);
      assert.equal(run.signal(ubuntuPlan).kind, "step");
      assert.ok(!run.seen.codes.includes(100));
    }
  });

  it("starts again from the top after a reboot in the middle, and succeeds", async () => {
    const iso = seedIso(ubuntuPlan, created);
    const { seen, disk, guest } = await build(ubuntuPlan, { fault: "reboot-once" });
    assert.equal(seen.codes.filter((code) => code === 1).length, 2);
    assert.equal(seen.read, 2048 + 2 * iso.length);
    assert.equal(disk().boots, 2);
    guest.kill();
  });

  it("only takes longer when another process keeps the lock for a minute", async () => {
    const { guest } = await build(ubuntuPlan, { fault: "apt-lock-minute" });
    guest.kill();
  });

  it("says nothing when cloud-init cannot make anything of the seed, although the seed was read", async () => {
    const broken = new TextEncoder().encode("#cloud-config\nwrite_files: [\n");
    const meta = new TextEncoder().encode("instance-id: a\n");
    const iso = writeIso(
      [
        { name: "user-data", bytes: broken },
        { name: "meta-data", bytes: meta },
      ],
      { label: "cidata", created },
    );
    const runs = [start(hardware(iso)), start(hardware(seedIso(ubuntuPlan, created)), { fault: "broken-seed" })];
    for (const run of runs) {
      await run.until("the seed read", () => run.seen.read > 2048);
      await run.quiet();
      assert.deepEqual(run.seen.codes, []);
      run.guest.kill();
    }
  });

  it("B67: does not see a seed with another label, without meta-data, or without long names", async () => {
    const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
    const user = file("user-data", "#cloud-config\nruncmd: [[systemctl, start, x.service]]\n");
    const media = [
      writeIso([user, file("meta-data", "instance-id: a\n")], { label: "CiData", created }),
      writeIso([user], { label: "cidata", created }),
      writeIso([user, file("meta-data", "local-hostname: a\n")], { label: "cidata", created }),
      writeIso([file("user_data", "#cloud-config\n"), file("meta_data", "instance-id: a\n")], {
        label: "cidata",
        created,
      }),
    ];
    for (const iso of media) {
      const run = start(hardware(iso));
      await run.until("a boot", () => run.disk().boots === 1);
      await run.quiet();
      assert.deepEqual([run.seen.codes, run.disk().instanceId], [[], undefined]);
      run.guest.kill();
    }
  });

  it("finds no address when the seed names another card, or nobody answers DHCP", async () => {
    const other = start(hardware(seedIso({ ...kubeadmPlan, mac: "BC:24:11:FF:FF:FF" }, created)));
    const silent = start(hardware(seedIso(ubuntuPlan, created)), { world: { dhcp: false } });
    for (const run of [other, silent]) {
      await run.until("failure", () => run.signal(kubeadmPlan).kind === "failed");
      assert.deepEqual(run.seen.codes, [1, 10, 1102]);
      run.guest.kill();
    }
    const fixed = await build(kubeadmPlan, { world: { dhcp: false } });
    fixed.guest.kill();
  });

  it("does not find a package version that the repository does not have", async () => {
    const run = start(hardware(seedIso(kubeadmPlan, created)), {
      world: { versionsOf: (name) => (name === "kubelet" ? ["1.36.4-1.1"] : undefined) },
    });
    await run.until("failure", () => run.signal(kubeadmPlan).kind === "failed");
    assert.match(run.guest.readFile(logPath) ?? "", /kubelet=1\.37\.1-1\.1 is not in/);
    run.guest.kill();
  });

  it("says the same by its host name where writes do not show", async () => {
    const run = start(hardware(seedIso(ubuntuPlan, created)), { fault: "no-blockstat" });
    await run.until(
      "success by host name",
      () => readHostNameSignal(guestSteps(ubuntuPlan), run.guest.hostname()).kind === "done",
    );
    assert.deepEqual(run.seen.codes, []);
    run.guest.kill();
  });

  it("does nothing more once it was pulled", async () => {
    const run = start(hardware(seedIso(ubuntuPlan, created)), { stepMs: 2 });
    await run.until("the first code", () => run.seen.codes.length > 0);
    run.guest.kill();
    const before = structuredClone(run.seen);
    await run.quiet();
    assert.deepEqual(run.seen, before);
  });
});

describe("the simulated guest, as a clone", () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const capmoxSeed = (instance: string): Uint8Array =>
    writeIso(
      [
        {
          name: "user-data",
          bytes: encode("## template: jinja\n#cloud-config\nruncmd:\n  - kubeadm init\n  - [touch, /run/done]\n"),
        },
        {
          name: "meta-data",
          bytes: encode(
            `instance-id: ${instance}\nlocal-hostname: worker-1\nhostname: worker-1\nprovider-id: proxmox://${instance}\n`,
          ),
        },
        {
          name: "network-config",
          bytes: encode(
            "network:\n  version: 2\n  renderer: networkd\n  ethernets:\n    eth0:\n      match:\n        macaddress: bc:24:11:aa:bb:cc\n      dhcp4: false\n      addresses: [192.0.2.50/24]\n",
          ),
        },
      ],
      { label: "cidata", created },
    );
  const clone = (content: unknown, instance: string): GuestHardware =>
    hardware(capmoxSeed(instance), {
      content,
      drive: "ide0",
      smbiosUuid: instance,
      networks: [{ device: "net0", mac: "BC:24:11:AA:BB:CC", bridge: "vmbr0" }],
    });

  it("boots a sealed template as a machine of its own, and runs no build", async () => {
    const template = await build(kubeadmPlan);
    template.guest.kill();
    const instances = ["6f1c0b1e-6a0e-4c8e-9d52-000000000001", "6f1c0b1e-6a0e-4c8e-9d52-000000000002"];
    const disks: GuestDisk[] = [];
    for (const instance of instances) {
      const run = start(clone(structuredClone(template.machine.disks.get("scsi0")?.content), instance));
      await run.until("agent", () => run.seen.agent);
      assert.deepEqual(run.seen.codes, []);
      assert.deepEqual(run.guest.exec(["cloud-init", "status"]), { exitcode: 0, out: "status: done\n", err: "" });
      assert.equal(run.guest.hostname(), "worker-1");
      assert.deepEqual(run.disk().netplan?.addresses, ["192.0.2.50/24"]);
      assert.deepEqual(run.disk().commands, ["kubeadm init", "touch /run/done"]);
      disks.push(run.disk());
      run.guest.kill();
    }
    assert.notEqual(disks[0]?.machineId, disks[1]?.machineId);
    assert.notDeepEqual(disks[0]?.hostKeys, disks[1]?.hostKeys);
  });

  it("runs its first-boot commands once, however often it boots", async () => {
    const machine = clone({ ...freshDisk(), packages: { "qemu-guest-agent": "1" }, sealed: true }, uuid);
    for (let boot = 0; boot < 2; boot++) {
      const run = start(machine);
      await run.until("agent", () => run.seen.agent);
      assert.equal(run.disk().commands.length, 2);
      run.guest.kill();
    }
  });

  it("B64: of an unsealed disk takes over the machine-id", async () => {
    const machine = clone({ ...freshDisk(), machineId: "f".repeat(32) }, uuid);
    const run = start(machine);
    await run.until("a boot", () => run.disk().boots === 1);
    assert.equal(run.disk().machineId, "f".repeat(32));
    run.guest.kill();
  });

  it("boots without a seed too, silent", async () => {
    const run = start(hardware(undefined));
    await run.until("a boot", () => run.disk().boots === 1);
    await run.quiet();
    assert.deepEqual([run.seen.codes, run.seen.agent, run.seen.off], [[], false, false]);
    run.guest.kill();
  });
});
