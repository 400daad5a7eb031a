import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FaultName } from "../stand-in/guest/index.ts";
import { to } from "./harness/calls.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { assertTemplate, tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";

const create = "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1";

describe("a guest that fails ends the build with its reason", { concurrency: 4 }, () => {
  const rows: [fault: FaultName, ...words: RegExp[]][] = [
    [
      "no-address",
      /failed while checking the network: it got no address/,
      /--bridge and --vlan.*DHCP.*--build-address/,
    ],
    ["mirror-refused", /it cannot connect to the package mirror/, /--apt-mirror/],
    ["apt-signature", /the signature of a package list does not hold/],
    ["disk-full", /the root file system is full/, /--disk-size/, /\| FAILED: The root file system is too small/],
    [
      "package-missing",
      /a package of the wanted version is not in the repository/,
      /\| FAILED: The package kubeadm is not in the repository at the wanted version\./,
    ],
    ["image-pull-fails", /an image cannot be pulled/, /\| FAILED: kubeadm cannot pull its images/],
    ["not-as-promised", /something promised is not there/, /\| FAILED: Not as promised: kubelet held/],
    ["unexplained", /failed while upgrading all packages \(code 540\)/, /\| FAILED: line 1: false/],
    [
      "power-off-early",
      /is switched off .* but its guest had not proven itself: it was last seen [\w,. ]+ \(code \d+\)/,
    ],
    [
      "power-off-while-sealing",
      /is switched off .* but its guest had not proven itself: it was last seen [\w,. ]+ \(code \d+\)/,
    ],
  ];
  for (const [fault, ...words] of rows) {
    test(`${fault}: told at once, with the guest's last words where they can be had`, async () => {
      // Slow enough for what it says before it is off to be seen.
      const pace = fault.startsWith("power-off") ? { stepMs: 150 } : {};
      await using world = await startWorld({ guest: { fault, ...pace } });
      const end = await kubehenge(world, create);
      assertCode(end, 6);
      for (const one of words) assert.match(end.stderr, one);
      assert.match(end.stderr, /--keep-on-failure/);
      assertNothingLeft(world, 0);
    });
  }

  // The bounds are minutes: this world and the command's clock run sixty times as fast.
  const slow: [fault: FaultName, step: string | undefined, ...words: RegExp[]][] = [
    ["broken-seed", undefined, /has shown nothing new for 5 min 00 s/, /it has read its seed, but nothing of it ran/],
    ["panic-at-boot", undefined, /has shown nothing new for 5 min 00 s/, /it has not read its seed/],
    [
      "kernel-panic",
      "network",
      /has shown nothing new for 4 min 00 s/,
      /it was last seen checking the network \(code 10\)/,
    ],
    ["stuck", "seal", /has shown nothing new for 6 min 00 s/, /it was last seen sealing \(code 90\)/],
  ];
  for (const [fault, step, ...words] of slow) {
    test(`${fault === "broken-seed" || fault === "panic-at-boot" ? "B59: " : ""}${fault}: given up at the bound of its step, not at the run's`, async () => {
      await using world = await startWorld({ speed: 60, guest: { fault, ...(step ? { faultStep: step } : {}) } });
      const end = await kubehenge(world, "template create rke2 --ubuntu-release 26.04 --node pve1 --timeout 60");
      assertCode(end, 124);
      for (const one of words) assert.match(end.stderr, one);
      assertNothingLeft(world, 0);
    });
  }
});

describe("a guest that comes through", { concurrency: 4 }, () => {
  for (const fault of ["reboot-once", "apt-lock-minute", "ignores-shutdown"] as const) {
    test(`${fault}: makes a template all the same`, async () => {
      await using world = await startWorld({ speed: 20, guest: { fault } });
      const end = await kubehenge(world, "template create rke2 --ubuntu-release 26.04 --node pve1");
      assertCode(end, 0);
      assertTemplate(world, tagsOf.ubuntu("26.04"));
      assert.equal(to(end.calls, "POST", /\/status\/start$/).length, 1, "started once");
      assertNothingLeft(world, 1);
    });
  }

  test("where Proxmox VE shows no block statistics is asked through its agent, which is said", async () => {
    await using world = await startWorld({ speed: 20 });
    world.proxmox.inject(({ method, path, phase, status }) => {
      if (phase !== "after" || method !== "GET" || !path.endsWith("/status/current") || status !== 200)
        return undefined;
      const running = world.proxmox.state.vms.get(100)?.machine !== undefined;
      const data = { vmid: 100, status: running ? "running" : "stopped", qmpstatus: running ? "running" : "stopped" };
      return { kind: "answer-after", status: 200, reason: "OK", body: { data } };
    });
    const end = await kubehenge(world, "template create rke2 --ubuntu-release 26.04 --node pve1");
    assertCode(end, 0);
    assert.match(end.stderr, /shows no block statistics: its guest agent is asked instead/);
    assert.ok(to(end.calls, "GET", /\/agent\/get-host-name$/).length > 0);
    assertTemplate(world, tagsOf.ubuntu("26.04"));
    assertNothingLeft(world, 1);
  });
});
