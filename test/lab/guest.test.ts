// Real guests through the bundled product. Started by main.ts, in the lab's network namespace; one test after the other,
// for each needs the machine alone and the later ones what the earlier ones made.
import assert from "node:assert/strict";
import { after, before, describe, test, type TestContext } from "node:test";
import type { Vm } from "../stand-in/proxmox/index.ts";
import { startClone } from "./clone.ts";
import { kubehenge } from "./command.ts";
import { failures } from "./failures.ts";
import { openGuestImage } from "./guest-image.ts";
import { network } from "./network.ts";
import { assertOwnMachine } from "./own-machine.ts";
import { assertSealed, looked } from "./sealed.ts";
import { readDisk } from "./template-disk.ts";
import { startLab, type Lab } from "./world.ts";

const emulated = process.env["KUBEHENGE_LAB_ACCELERATOR"] !== "kvm";
/** Failures are tried as long as this many minutes from the beginning are not over; the rest is named. */
const minutes = Number(process.env["KUBEHENGE_LAB_MINUTES"] ?? 17);
const began = performance.now();
const only = process.env["KUBEHENGE_LAB_ONLY"];
const bootSeconds = emulated ? 600 : 180;

let lab: Lab;
before(async () => {
  lab = await startLab(await openGuestImage(process.env["KUBEHENGE_LAB_IMAGE"] ?? ""), emulated ? "tcg" : "kvm");
});
after(async () => {
  await lab[Symbol.asyncDispose]();
});

const elapsed = (): number => (performance.now() - began) / 1000;
const seconds = (from: number): string => `${(elapsed() - from).toFixed(0)} s`;

function templateWith(tag: string): Vm {
  const found = [...lab.proxmox.state.vms.values()].filter(
    (vm) => vm.isTemplate && (vm.config.get("tags") ?? "").split(";").includes(tag),
  );
  assert.equal(found.length, 1, `${found.length} templates carry ${tag}`);
  return found[0] as Vm;
}

function diskOf(vm: Vm): string {
  const id = (vm.config.get("scsi0") ?? "").split(",")[0] ?? "";
  const volume = lab.proxmox.state.findVolume(id, vm.node);
  assert.ok(volume, `${id} is not there`);
  return lab.machines.fileOf(volume);
}

function assertTemplate(vm: Vm): void {
  const { config } = vm;
  assert.equal(config.get("template"), "1");
  assert.match(config.get("scsi0") ?? "", /:(\d+\/)?base-/);
  const unwanted = /^(ide\d|net\d+|scsi[1-9]\d*|unused\d+|lock)$/;
  assert.deepEqual(
    [...config.keys()].filter((option) => unwanted.test(option)),
    [],
  );
  assert.match(config.get("description") ?? "", /"kubehenge":\s*"template"/);
}

function assertNothingLeft(): void {
  const whole = ({ template, tags }: { template: boolean; tags: string }) => template && tags.includes("kubehenge");
  assert.deepEqual(lab.proxmox.leftovers(whole), { vms: [], volumes: [], tasks: [] });
}

/** Skips a test when only others were asked for (KUBEHENGE_LAB_ONLY, a part of names). */
function wanted(t: TestContext): boolean {
  if (only === undefined || only.split(",").some((part) => t.name.includes(part))) return true;
  t.skip("not asked for");
  return false;
}

const cloudConfig = (commands: readonly string[]): string =>
  `#cloud-config\nssh_genkeytypes: [ed25519]\nruncmd:\n${commands.map((line) => `  - ${JSON.stringify(line)}\n`).join("")}`;

describe("a real guest", { concurrency: false }, () => {
  test("create rke2 by DHCP makes a template", async (t) => {
    if (!wanted(t)) return;
    const end = await kubehenge(lab, ["template", "create", "rke2"]);
    assert.equal(end.code, 0, end.stderr);
    assertTemplate(templateWith("ubuntu-26.04"));
    assertNothingLeft();
    console.log(`rke2 template: ${end.seconds} s`);
  });

  test("the rke2 template's disk holds every package at its newest and nothing of its build", async (t) => {
    if (!wanted(t)) return;
    using files = readDisk(diskOf(templateWith("ubuntu-26.04")), lab.directory, looked);
    assertSealed(files);
    const { allocated, virtual } = files.size;
    console.log(`the disk takes ${(allocated / 1024 ** 2).toFixed(0)} of ${(virtual / 1024 ** 2).toFixed(0)} MiB`);
    assert.ok(allocated < 900 * 1024 ** 2, "trimmed");
  });

  test("a clone as CAPMOX makes it is a machine of its own, runs an install script at its first boot, and boots again", async (t) => {
    if (!wanted(t)) return;
    const from = elapsed();
    const template = templateWith("ubuntu-26.04").vmid;
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
    console.log(`first boot of a clone: ${seconds(from)}`);
    assert.equal(first.machineId, clone.uuid.replaceAll("-", ""), "an empty machine-id becomes the SMBIOS UUID");
    assert.equal((await clone.exec("cat", "/var/lib/rke2-installed")).out.trim(), "v1.37.0+rke2r1 server");
    assert.equal((await clone.exec("systemctl", "is-active", "rke2-server")).out.trim(), "active");
    const rebooted = elapsed();
    const key = (await clone.exec("cat", "/etc/ssh/ssh_host_ed25519_key.pub")).out;
    await clone.shutdown();
    await clone.start();
    const again = await clone.ready(bootSeconds);
    assert.equal(again.exitcode, 0, again.out);
    assert.equal((await clone.exec("cat", "/etc/machine-id")).out.trim(), first.machineId);
    assert.equal((await clone.exec("cat", "/etc/ssh/ssh_host_ed25519_key.pub")).out, key);
    assert.equal((await clone.exec("systemctl", "is-active", "rke2-server")).out.trim(), "active");
    console.log(`second boot of the clone: ${seconds(rebooted)}`);
    await clone.destroy();
  });

  test("create kubeadm by a static address and from a package mirror makes a template", async (t) => {
    if (!wanted(t)) return;
    const end = await kubehenge(lab, [
      "template",
      "create",
      "kubeadm",
      "--kubernetes-version",
      "1.37.1",
      "--build-address",
      network.guestAddress,
      "--build-gateway",
      network.gateway,
      "--build-dns",
      network.dns,
      "--apt-mirror",
      `http://${network.gateway}/ubuntu`,
    ]);
    assert.equal(end.code, 0, end.stderr);
    const vm = templateWith("kubeadm");
    assertTemplate(vm);
    assertNothingLeft();
    const notes = vm.config.get("description") ?? "";
    for (const part of ["1.37.1-1.1", "kubelet", "containerd"]) assert.ok(notes.includes(part), `${part} in the notes`);
    console.log(`kubeadm template: ${end.seconds} s`);
  });

  test("the kubeadm template's disk holds Kubernetes, held and not started, and nothing of its build", async (t) => {
    if (!wanted(t)) return;
    using files = readDisk(diskOf(templateWith("kubeadm")), lab.directory, looked);
    assertSealed(files);
    const status = files.read("/var/lib/dpkg/status") ?? "";
    for (const name of ["kubeadm", "kubelet", "kubectl", "cri-tools", "kubernetes-cni"]) {
      assert.match(status, new RegExp(`Package: ${name}\nStatus: hold ok installed`), `${name} is held`);
    }
    assert.ok(files.exists("/etc/systemd/system/multi-user.target.wants/kubelet.service"), "kubelet enabled");
    assert.equal(files.exists("/var/lib/kubelet/pki"), false, "kubelet never started");
    const containerd = files.read("/etc/containerd/config.toml") ?? "";
    assert.match(containerd, /SystemdCgroup = true/);
    assert.match(containerd, /sandbox(_image)? = "registry\.k8s\.io\/pause:3\.10\.2"/);
    assert.equal(/\sswap\s/.test(files.read("/etc/fstab") ?? ""), false, "no swap in fstab");
    assert.match(files.read("/etc/modules-load.d/kubernetes.conf") ?? "", /br_netfilter/);
    assert.match(files.read("/etc/sysctl.d/90-kubernetes.conf") ?? "", /net\.ipv4\.ip_forward = 1/);
    const { allocated, virtual } = files.size;
    console.log(`the disk takes ${(allocated / 1024 ** 2).toFixed(0)} of ${(virtual / 1024 ** 2).toFixed(0)} MiB`);
  });

  test("a clone of the kubeadm template has containerd running, the images in it, and a kubelet that waits", async (t) => {
    if (!wanted(t)) return;
    const from = elapsed();
    const clone = await startClone(lab, templateWith("kubeadm").vmid, {
      vmid: 503,
      name: "control-1",
      full: false,
      diskGiB: 14,
      cores: 2,
      memoryMiB: 1024,
      userData: cloudConfig(["systemctl is-active containerd > /var/lib/containerd-at-first-boot"]),
    });
    await assertOwnMachine(clone, "control-1", bootSeconds);
    console.log(`first boot of a clone: ${seconds(from)}`);
    const out = async (script: string) => (await clone.exec("sh", "-c", script)).out.trim();
    assert.equal(await out("cat /var/lib/containerd-at-first-boot"), "active");
    const images = (await out("ctr --namespace k8s.io images check -q")).split("\n");
    for (const image of (await out("kubeadm config images list")).split("\n")) {
      assert.ok(images.includes(image), `${image} is in the clone: ${images.join(" ")}`);
    }
    assert.equal(await out("systemctl is-enabled kubelet"), "enabled");
    assert.equal(await out("wc -l < /proc/swaps"), "1");
    assert.equal(await out("sysctl -n net.ipv4.ip_forward net.bridge.bridge-nf-call-iptables | tr '\\n' ' '"), "1 1");
    await clone.destroy();
  });

  for (const failure of failures) {
    test(failure.name, async (t) => {
      if (!wanted(t)) return;
      if (only === undefined && elapsed() > minutes * 60) {
        t.skip(`left out: ${minutes} minutes are over`);
        return;
      }
      const from = elapsed();
      await failure.run(lab);
      lab.web.intercept = undefined;
      console.log(`${failure.name}: ${seconds(from)}`);
    });
  }
});
