// Real guests through the bundled product: a template of RKE2 and k3s, and its clone. Started by main.ts, in a network
// namespace of its own; one test after the other, for the later ones need what the earlier ones made.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertNothingLeft, assertTemplate, diskOf, templateWith, wanted } from "./checks.ts";
import { cloudConfig, startClone } from "./clone.ts";
import { kubehenge } from "./command.ts";
import { runFailures } from "./failure-queue.ts";
import { assertOwnMachine } from "./own-machine.ts";
import { assertSealed, looked } from "./sealed.ts";
import { stopwatch } from "./stopwatch.ts";
import { readDisk } from "./template-disk.ts";
import { bootSeconds, openLab, type Lab } from "./world.ts";

let lab: Lab;
before(async () => {
  lab = await openLab();
});
after(async () => {
  await lab[Symbol.asyncDispose]();
});

describe("a real guest of RKE2 and k3s", { concurrency: false }, () => {
  test("create rke2 by DHCP makes a template", async (t) => {
    if (!wanted(t)) return;
    const end = await kubehenge(lab, ["template", "create", "rke2"]);
    assert.equal(end.code, 0, end.stderr);
    assertTemplate(templateWith(lab, "ubuntu-26.04"));
    assertNothingLeft(lab);
    console.log(`rke2 template: ${end.seconds} s`);
  });

  test("the rke2 template's disk holds every package at its newest and nothing of its build", async (t) => {
    if (!wanted(t)) return;
    using files = readDisk(diskOf(lab, templateWith(lab, "ubuntu-26.04")), lab.directory, looked);
    assertSealed(files);
    const { allocated, virtual } = files.size;
    console.log(`the disk takes ${(allocated / 1024 ** 2).toFixed(0)} of ${(virtual / 1024 ** 2).toFixed(0)} MiB`);
    assert.ok(allocated < 900 * 1024 ** 2, "trimmed");
  });

  test("a clone as CAPMOX makes it is a machine of its own, runs an install script at its first boot, and boots again", async (t) => {
    if (!wanted(t)) return;
    const took = stopwatch();
    const template = templateWith(lab, "ubuntu-26.04").vmid;
    const clone = await startClone(lab, template, {
      vmid: 501,
      name: "worker-1",
      full: true,
      diskGiB: 14,
      cores: 2,
      memoryMiB: 1024,
      userData: cloudConfig(["curl -sfL http://get.rke2.io | INSTALL_RKE2_VERSION=v1.37.0+rke2r1 sh -s - server"]),
    });
    const first = await assertOwnMachine(clone, "worker-1", bootSeconds);
    console.log(`first boot of a clone: ${took()}`);
    assert.equal(first.machineId, clone.uuid.replaceAll("-", ""), "an empty machine-id becomes the SMBIOS UUID");
    assert.equal((await clone.exec("cat", "/var/lib/rke2-installed")).out.trim(), "v1.37.0+rke2r1 server");
    assert.equal((await clone.exec("systemctl", "is-active", "rke2-server")).out.trim(), "active");
    const tookAgain = stopwatch();
    const key = (await clone.exec("cat", "/etc/ssh/ssh_host_ed25519_key.pub")).out;
    await clone.shutdown();
    await clone.start();
    const again = await clone.ready(bootSeconds);
    assert.equal(again.exitcode, 0, again.out);
    assert.equal((await clone.exec("cat", "/etc/machine-id")).out.trim(), first.machineId);
    assert.equal((await clone.exec("cat", "/etc/ssh/ssh_host_ed25519_key.pub")).out, key);
    assert.equal((await clone.exec("systemctl", "is-active", "rke2-server")).out.trim(), "active");
    console.log(`second boot of the clone: ${tookAgain()}`);
    await clone.destroy();
  });
});

runFailures(() => lab);
