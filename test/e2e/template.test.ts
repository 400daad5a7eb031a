import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { guestDisk, seedText } from "../stand-in/guest/index.ts";
import { api, apiTask } from "../stand-in/api.ts";
import { to } from "./harness/calls.ts";
import { findTemplates } from "./harness/capmox.ts";
import type { ResourceRow } from "./harness/capmox.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { assertTemplate, manifestOf, tagsOf, vmWithTags } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";

describe("a template", { concurrency: 3 }, () => {
  test("of Talos holds the factory's image with the guest agent's schematic, and was never started", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 0);
    const vm = assertTemplate(world, tagsOf.talos("v1.14.4"));
    assert.equal(vm.config.get("name"), "talos-v1.14.4");
    assert.equal(vm.config.get("bios"), "ovmf");
    assert.equal(vm.config.get("scsihw"), "virtio-scsi-pci");
    assert.match(vm.config.get("efidisk0") ?? "", /pre-enrolled-keys=0/);
    assert.equal(to(end.calls, "POST", /\/status\/start$/).length, 0);
    const manifest = manifestOf(vm);
    const schematic = "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515";
    assert.equal(
      manifest.image.url,
      `${world.upstreams.talosFactoryUrl}/image/${schematic}/v1.14.4/nocloud-amd64.qcow2`,
    );
    assert.deepEqual(
      manifest.verified.map(({ by }) => by),
      ["tls"],
    );
    assertNothingLeft(world, 1);
  });

  test("of kubeadm holds exactly the wanted packages, held, on a sealed Ubuntu", async () => {
    await using world = await startWorld();
    assertCode(
      await kubehenge(world, "template create kubeadm --kubernetes-version 1.36.3 --ubuntu-release 24.04 --node pve1"),
      0,
    );
    const vm = assertTemplate(world, tagsOf.kubeadm("v1.36.3", "24.04"));
    assert.equal(vm.config.get("name"), "kubeadm-v1.36.3-ubuntu-24.04");
    assert.match(vm.config.get("scsi0") ?? "", /size=10G/, "grown for the images that are pulled");
    const manifest = manifestOf(vm);
    assert.match(manifest.packages?.["kubeadm"] ?? "", /^1\.36\.3-/);
    assert.match(manifest.packages?.["kubelet"] ?? "", /^1\.36\.3-/);
    assert.ok((manifest.packageCount ?? 0) > 0, "the guest's own list of packages was read");
    assert.deepEqual(
      manifest.verified.map(({ by, signer }) => [by, signer]),
      [
        ["signature", world.upstreams.ubuntuFingerprint.toUpperCase()],
        ["signature", world.upstreams.kubernetesKeyFingerprint.toUpperCase()],
      ],
    );
    const image = world.upstreams.ubuntuFile("24.04", "ubuntu-24.04-server-cloudimg-amd64.img") ?? assert.fail();
    assert.equal(manifest.image.sha256, createHash("sha256").update(image).digest("hex"));
    assertNothingLeft(world, 1);
  });

  test("B64: gives every clone an identity of its own, linked or full, and CAPMOX finds exactly one", async () => {
    await using world = await startWorld({ resourcesLagMs: 0 });
    assertCode(await kubehenge(world, "template create rke2 --node pve1"), 0);
    assertCode(await kubehenge(world, "template create kubeadm --node pve1"), 0);
    const template = assertTemplate(world, tagsOf.ubuntu("26.04"));
    assert.equal(template.config.get("scsihw"), "virtio-scsi-single");
    for (const [newid, full] of [
      [300, 0],
      [301, 1],
    ] as const) {
      const path = `/nodes/pve1/qemu/${newid}`;
      await apiTask(world.proxmox, "POST", `/nodes/pve1/qemu/${template.vmid}/clone`, {
        newid,
        name: `node-${newid}`,
        full,
      });
      // CAPMOX puts its own ISO on ide0 and adds it to the template's boot order.
      await api(world.proxmox, "PUT", `${path}/config`, {
        cores: 2,
        memory: 2048,
        net0: "virtio,bridge=vmbr0",
        ide0: "none,media=cdrom",
        boot: `${template.config.get("boot")};ide0`,
      });
      await apiTask(world.proxmox, "POST", `${path}/status/start`);
    }
    const rows = (await api(world.proxmox, "GET", "/cluster/resources", { type: "vm" })) as ResourceRow[];
    assert.deepEqual(findTemplates(rows, tagsOf.ubuntu("26.04")), [template.vmid]);
    assert.deepEqual(findTemplates(rows, tagsOf.kubeadm("v1.37.1", "26.04")), [
      vmWithTags(world, tagsOf.kubeadm("v1.37.1", "26.04")).vmid,
    ]);
    const read = () => [300, 301].map((vmid) => guestDisk(diskContent(world, vmid)));
    while (read().some(({ machineId }) => machineId === "")) await new Promise((resolve) => setTimeout(resolve, 10));
    const disks = read();
    assert.equal(new Set(disks.map(({ machineId }) => machineId)).size, 2, "each clone has a machine id of its own");
    assert.ok(disks.every(({ packages }) => packages["qemu-guest-agent"] !== undefined));
  });

  test("B09: has a qcow2 disk on storages of files, and no format is named for block storages", async () => {
    for (const [type, format] of [
      ["lvmthin", undefined],
      ["nfs", "qcow2"],
    ] as const) {
      await using world = await startWorld({
        storages: [
          { name: "local", type: "dir", content: ["iso", "import"], path: "/var/lib/vz" },
          { name: "disks", type, content: ["images"], path: "/mnt/pve/disks" },
        ],
      });
      const end = await kubehenge(world, "template create talos --node pve1");
      assertCode(end, 0);
      const [create] = to(end.calls, "POST", /\/qemu$/).filter(({ status }) => status === 200);
      assert.equal(/format=(\w+)/.exec(String(create?.form?.["scsi0"]))?.[1], format, type);
      assertTemplate(world, tagsOf.talos("v1.14.4"), "disks");
      assertNothingLeft(world, 1);
    }
  });

  test("B30: is converted in a step of its own, and its tags come last", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 0);
    for (const create of to(end.calls, "POST", /\/qemu$/)) {
      assert.ok(!("template" in (create.form ?? {})));
      assert.ok(!("tags" in (create.form ?? {})), "B51: PVE 9.2 looks for the privilege without the pool there");
    }
    const order = end.calls
      .map(({ method, path, form }) =>
        method === "POST" && path.endsWith("/template")
          ? "convert"
          : method === "PUT" && form?.["tags"]
            ? "tags"
            : method === "GET" && path.endsWith("/config")
              ? "read"
              : "",
      )
      .filter(Boolean);
    assert.deepEqual(order, ["convert", "read", "tags"]);
  });

  test("of a node that says it is arm64 is made of arm64 images, by their exact names", async () => {
    await using world = await startWorld({ nodes: [{ name: "pve1", arch: "aarch64" }] });
    assertCode(await kubehenge(world, "template create talos --node pve1"), 0);
    assert.match(manifestOf(vmWithTags(world, tagsOf.talos("v1.14.4"))).image.url, /\/nocloud-arm64\.qcow2$/);
    assertCode(await kubehenge(world, "template create rke2 --node pve1"), 0);
    assert.match(
      manifestOf(vmWithTags(world, tagsOf.ubuntu("26.04"))).image.url,
      /\/ubuntu-26\.04-server-cloudimg-arm64\.img$/,
    );
    assertNothingLeft(world, 2);
  });

  test("takes disk size, VLAN, bridge, storages and a fixed address from the options, and keeps none of the build's", async () => {
    await using world = await startWorld({
      nodes: [{ name: "pve1", bridges: ["vmbr0", "vmbr7"] }],
      storages: [
        { name: "images", type: "dir", content: ["import"], path: "/srv/images" },
        { name: "seeds", type: "dir", content: ["iso"], path: "/srv/seeds" },
        { name: "fast", type: "dir", content: ["images"], path: "/srv/fast" },
        { name: "slow", type: "dir", content: ["images"], path: "/srv/slow" },
      ],
    });
    const end = await kubehenge(
      world,
      "template create rke2 --node pve1 --storage fast --import-storage images --iso-storage seeds --bridge vmbr7 --vlan 12 --disk-size 20 --build-address 192.0.2.10/24 --build-gateway 192.0.2.1 --build-dns 192.0.2.53 --build-dns 192.0.2.54",
    );
    assertCode(end, 0);
    const vm = assertTemplate(world, tagsOf.ubuntu("26.04"), "fast");
    assert.match(vm.config.get("scsi0") ?? "", /size=20G/);
    const [create] = to(end.calls, "POST", /\/qemu$/).filter(({ status }) => status === 200);
    assert.match(String(create?.form?.["net0"]), /^virtio=BC:24:11:[0-9A-F:]{8},bridge=vmbr7,tag=12$/);
    assert.match(String(create?.form?.["scsi0"]), /import-from=images:import\//);
    assert.match(String(create?.form?.["ide2"]), /^seeds:iso\//);
    assert.doesNotMatch(JSON.stringify([...vm.config]), /192\.0\.2\.|vmbr7/);
    assertNothingLeft(world, 1);
  });

  test("is built from the mirrors that were named, which stand in its seed and not in what stays", async () => {
    await using world = await startWorld();
    let seed = "";
    world.proxmox.inject(({ path, phase }) => {
      if (phase !== "before" || !path.endsWith("/status/start")) return undefined;
      for (const { content, file } of world.proxmox.state.volumes)
        if (content === "iso" && file !== undefined) seed = seedText(readFileSync(file));
      return undefined;
    });
    const end = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1 --apt-mirror http://apt.example.org/ubuntu --image-repository registry.example.org/k8s",
    );
    assertCode(end, 0);
    for (const text of [
      "http://apt.example.org/ubuntu",
      "registry.example.org/k8s",
      world.upstreams.kubernetesPackagesUrl,
    ])
      assert.ok(seed.includes(text), `the seed does not name ${text}`);
    assert.doesNotMatch(seed, /trusted=yes/, "B68: no package is taken unsigned");
    const vm = assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"));
    assert.doesNotMatch(JSON.stringify([...vm.config]), /apt\.example\.org/);
  });

  test("B47: is found again whatever order and case the datacenter's tag-style gives its tags", async () => {
    await using world = await startWorld({ tagStyle: { ordering: "config", caseSensitive: true } });
    world.proxmox.state.addTemplate({ vmid: 201, pool: "kubehenge-templates", tags: "Talos-v1.14.4;TALOS;kubehenge" });
    const end = await kubehenge(world, "template create talos --talos-version 1.14.4 --node pve1");
    assertCode(end, 0);
    assert.match(end.stdout, /reused: VM 201/);
  });
});

function diskContent(world: Awaited<ReturnType<typeof startWorld>>, vmid: number): unknown {
  const { volumes } = world.proxmox.state;
  const disk = (world.proxmox.state.vms.get(vmid)?.config.get("scsi0") ?? "").split(",")[0] ?? "";
  return [...volumes].find((volume) => disk.endsWith(volume.name))?.handle;
}
