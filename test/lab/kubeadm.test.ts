// Real guests through the bundled product: a template of kubeadm, and its clone. Started as rke2.test.ts is.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertNothingLeft, assertTemplate, diskOf, templateWith, wanted } from "./checks.ts";
import { cloudConfig, startClone } from "./clone.ts";
import { kubehenge } from "./command.ts";
import { runFailures } from "./failure-queue.ts";
import { network } from "./network.ts";
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

describe("a real guest of kubeadm", { concurrency: false }, () => {
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
    const vm = templateWith(lab, "kubeadm");
    assertTemplate(vm);
    assertNothingLeft(lab);
    const notes = vm.config.get("description") ?? "";
    for (const part of ["1.37.1-1.1", "kubelet", "containerd"]) assert.ok(notes.includes(part), `${part} in the notes`);
    console.log(`kubeadm template: ${end.seconds} s`);
  });

  test("the kubeadm template's disk holds Kubernetes, held and not started, and nothing of its build", async (t) => {
    if (!wanted(t)) return;
    using files = readDisk(diskOf(lab, templateWith(lab, "kubeadm")), lab.directory, looked);
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
    const took = stopwatch();
    const clone = await startClone(lab, templateWith(lab, "kubeadm").vmid, {
      vmid: 503,
      name: "control-1",
      full: false,
      diskGiB: 14,
      cores: 2,
      memoryMiB: 1024,
      userData: cloudConfig(["systemctl is-active containerd > /var/lib/containerd-at-first-boot"]),
    });
    await assertOwnMachine(clone, "control-1", bootSeconds);
    console.log(`first boot of a clone: ${took()}`);
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
});

runFailures(() => lab);
