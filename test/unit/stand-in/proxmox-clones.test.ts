import assert from "node:assert/strict";
import { test } from "node:test";
import type { GuestHardware } from "../../stand-in/guest-contract.ts";
import { Session } from "./session/session.ts";

const AT = "/nodes/pve1/qemu/100";

async function withTemplate(type = "dir", shared = true): Promise<Session> {
  const pve = await Session.start({
    nodes: [{ name: "pve1" }, { name: "pve2" }],
    storages: [
      { name: "local", type: "dir", content: ["import", "iso"] },
      { name: "shared-storage", type, content: ["images"], shared },
    ],
    pools: ["p"],
  });
  await pve.makeVm(100, { net0: "virtio,bridge=vmbr0", tags: "a;b", description: "of the template" });
  await pve.task("POST", `${AT}/template`);
  return pve;
}

test("a clone of a template is linked, with its own address and uuid, no template, in its pool", async () => {
  await using pve = await withTemplate();
  assert.equal(await pve.task("POST", `${AT}/clone`, { newid: 101, name: "c1", pool: "p" }), "OK");
  const [base, clone] = [await pve.config(100), await pve.config(101)];
  assert.equal(clone["scsi0"], "shared-storage:100/base-100-disk-0.qcow2/101/vm-101-disk-0.qcow2,size=4G");
  assert.deepEqual(
    [clone["name"], clone["tags"], clone["template"], clone["lock"]],
    ["c1", "a;b", undefined, undefined],
  );
  for (const option of ["net0", "smbios1", "vmgenid"]) assert.notEqual(clone[option], base[option]);
  assert.equal(pve.state.poolOfVm(101), "p");
});

test("a template with a linked clone is not deleted and stays whole; its tags can still change", async () => {
  await using pve = await withTemplate();
  await pve.task("POST", `${AT}/clone`, { newid: 101 });
  const before = await pve.config(100);
  const exit = await pve.task("DELETE", AT, { purge: 1, "destroy-unreferenced-disks": 1 });
  assert.equal(exit, "base volume 'shared-storage:100/base-100-disk-0.qcow2' is still in use by linked cloned");
  assert.deepEqual(await pve.config(100), before);
  await pve.put(`${AT}/config`, { tags: "retired" });
  assert.equal(await pve.task("DELETE", "/nodes/pve1/qemu/101"), "OK");
  assert.equal(await pve.task("DELETE", AT), "OK");
});

test("LVM-thin does not notice linked clones when their base is deleted", async () => {
  await using pve = await withTemplate("lvmthin");
  await pve.task("POST", `${AT}/clone`, { newid: 101 });
  assert.equal((await pve.config(101))["scsi0"], "shared-storage:vm-101-disk-0,size=4G");
  assert.equal(await pve.task("DELETE", AT), "OK");
});

test("a full clone has a disk of its own, and may be in another storage", async () => {
  await using pve = await withTemplate();
  assert.equal(await pve.task("POST", `${AT}/clone`, { newid: 101, full: 1 }), "OK");
  const clone = await pve.config(101);
  assert.deepEqual(
    [clone["scsi0"], clone["name"]],
    ["shared-storage:101/vm-101-disk-0.qcow2,size=4G", "Copy-of-vm100"],
  );
  assert.equal(await pve.task("DELETE", AT), "OK");
});

test("what a clone refuses it refuses at once", async () => {
  await using pve = await withTemplate();
  const reason = async (params: Record<string, unknown>, at = AT) =>
    (await pve.ask("POST", `${at}/clone`, params)).reason;
  assert.equal(await reason({ newid: 100 }), "unable to create VM 100: config file already exists");
  assert.equal(await reason({ newid: 101, pool: "nosuch" }), "Permission check failed (pool 'nosuch' does not exist)");
  assert.equal(
    await reason({ newid: 101, full: 0, storage: "shared-storage" }),
    "parameter 'storage' not allowed for linked clones",
  );
  await pve.makeVm(102);
  assert.equal(
    await reason({ newid: 103, full: 0 }, "/nodes/pve1/qemu/102"),
    "Linked clone feature is not supported for drive 'scsi0'",
  );
});

test("a VM with a CD-ROM on local storage is not cloned to another node, without it it is", async () => {
  await using pve = await withTemplate();
  pve.state.addVolume({ storage: "local", name: "iso/seed.iso" });
  await pve.put(`${AT}/config`, { ide2: "local:iso/seed.iso,media=cdrom" });
  const refused = await pve.ask("POST", `${AT}/clone`, { newid: 101, target: "pve2" });
  assert.equal(refused.reason, "can't clone VM to node 'pve2' (VM uses local storage)");
  await pve.put(`${AT}/config`, { delete: "ide2" });
  assert.equal(await pve.task("POST", `${AT}/clone`, { newid: 101, target: "pve2" }), "OK");
  assert.equal(pve.state.vms.get(101)?.node, "pve2");
});

test("a guest sees its disks with what was written to the template's, and its own hardware", async () => {
  const seen: GuestHardware[] = [];
  await using pve = await Session.start({
    guest: (hardware) => {
      seen.push(hardware);
      const disk = hardware.disks.get("scsi0");
      if (disk) disk.content = { written: `by ${hardware.vmid}`, before: disk.content };
      return {
        readFile: () => undefined,
        hostname: () => "",
        exec: () => ({ exitcode: 0, out: "", err: "" }),
        shutdown: () => {},
        kill: () => {},
      };
    },
  });
  pve.state.addVolume({ storage: "local", name: "iso/seed.iso", bytes: Buffer.from("the seed") });
  await pve.makeVm(100, {
    ide2: "local:iso/seed.iso,media=cdrom",
    net0: "virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=12",
    memory: 2048,
    cores: 2,
  });
  await pve.task("POST", `${AT}/status/start`);
  await pve.task("POST", `${AT}/status/stop`);
  await pve.task("POST", `${AT}/template`);
  await pve.task("POST", `${AT}/clone`, { newid: 101 });
  await pve.task("POST", "/nodes/pve1/qemu/101/status/start");
  const [first, second] = seen;
  assert.ok(first && second);
  assert.equal(Buffer.from(first.cdroms[0]?.read() ?? []).toString(), "the seed");
  assert.deepEqual(first.networks, [{ device: "net0", mac: "BC:24:11:00:00:01", bridge: "vmbr0", vlan: 12 }]);
  assert.deepEqual([first.memoryMiB, first.cores, first.disks.get("scsi0")?.sizeBytes], [2048, 2, 4 * 1024 ** 3]);
  assert.notEqual(second.smbiosUuid, first.smbiosUuid);
  const content = second.disks.get("scsi0")?.content as {
    written: string;
    before: { written: string; before: { name: string } };
  };
  assert.deepEqual([content.written, content.before.written], ["by 101", "by 100"]);
  assert.equal(content.before.before.name, "import/image.qcow2");
});
