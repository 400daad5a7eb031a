import assert from "node:assert/strict";
import { test } from "node:test";
import { leastPrivileges, type PveVersion } from "../../stand-in/proxmox/index.ts";
import { Session } from "./session/session.ts";

/** Everything that a build does, but the download. Gives the first refusal, of a call or of a task. */
async function build(pve: Session, more: Record<string, unknown> = {}): Promise<string> {
  const create = {
    vmid: 100,
    name: "x",
    pool: "p",
    scsi0: "shared-storage:0,import-from=local:import/image.qcow2",
    scsi1: "shared-storage:0.01",
    scsihw: "virtio-scsi-single",
    net0: "virtio,bridge=vmbr0",
    boot: "order=scsi0",
    agent: 1,
    serial0: "socket",
    vga: "serial0",
    memory: 512,
    cores: 1,
    cpu: "host",
    ostype: "l26",
    description: "lease",
    ide2: "local:iso/seed.iso,media=cdrom",
    ...more,
  };
  const at = "/nodes/pve1/qemu/100";
  const steps: [string, string, Record<string, unknown>?][] = [
    ["POST", "/pools", { poolid: "p" }],
    ["POST", "/nodes/pve1/qemu", create],
    ["PUT", `${at}/config`, { tags: "a;b" }],
    ["PUT", `${at}/resize`, { disk: "scsi0", size: "8G" }],
    ["GET", `${at}/config`],
    ["POST", `${at}/status/start`],
    ["POST", `${at}/status/stop`],
    ["PUT", `${at}/config`, { delete: "ide2,net0" }],
    ["PUT", `${at}/config`, { delete: "scsi1", force: 1 }],
    ["DELETE", "/nodes/pve1/storage/local/content/local:iso/seed.iso"],
    ["POST", `${at}/template`],
    ["DELETE", at, { purge: 1, "destroy-unreferenced-disks": 1 }],
    ["DELETE", "/pools", { poolid: "p" }],
  ];
  for (const [method, path, params] of steps) {
    const answer = await pve.ask(method, path, params);
    if (answer.status !== 200) return `${method} ${path}: ${answer.reason}`;
    const end =
      typeof answer.data === "string" && answer.data.startsWith("UPID:") ? await pve.exitOf(answer.data) : "OK";
    if (end !== "OK") return `${method} ${path}: task: ${end}`;
  }
  return "OK";
}

async function leastSession(version: PveVersion, without: string[] = []): Promise<Session> {
  const pve = await Session.start({ version, ...leastPrivileges({ pool: "p", version, without }) });
  pve.state.addVolume({ storage: "local", name: "import/image.qcow2" });
  pve.state.addVolume({ storage: "local", name: "iso/seed.iso" });
  return pve;
}

for (const version of ["8.4.0", "9.1.0", "9.2.11"] as const) {
  test(`B58: the least privileges are enough for a whole build on ${version}`, async () => {
    await using pve = await leastSession(version);
    assert.equal(await build(pve), "OK");
  });
}

const NEEDED: Record<string, RegExp> = {
  "Pool.Allocate": /^POST \/pools: Permission check failed \(\/pool\/p, Pool\.Allocate\)$/,
  "VM.Allocate": /^POST \/nodes\/pve1\/qemu: Permission check failed$/,
  "VM.Config.CPU": /qemu: Permission check failed \(\/vms\/100, VM\.Config\.CPU\)$/,
  "VM.Config.Disk": /qemu: Permission check failed \(\/vms\/100, VM\.Config\.Disk\)$/,
  "VM.Config.HWType": /qemu: Permission check failed \(\/vms\/100, VM\.Config\.HWType\)$/,
  "VM.Config.Memory": /qemu: Permission check failed \(\/vms\/100, VM\.Config\.Memory\)$/,
  "VM.Config.Network": /qemu: Permission check failed \(\/vms\/100, VM\.Config\.Network\)$/,
  "VM.Config.Options": /qemu: Permission check failed \(\/vms\/100, VM\.Config\.Options\)$/,
  "VM.Config.CDROM": /^PUT .*config: Permission check failed \(\/vms\/100, VM\.Config\.CDROM\)$/,
  "VM.Audit": /^GET .*config: Permission check failed \(\/vms\/100, VM\.Audit\)$/,
  "VM.PowerMgmt": /start: Permission check failed \(\/vms\/100, VM\.PowerMgmt\)$/,
  "SDN.Use": /qemu: Permission check failed \(\/sdn\/zones\/localnetwork\/vmbr0, SDN\.Use\)$/,
  "Datastore.AllocateSpace": /qemu: Permission check failed \(\/storage\/shared-storage, Datastore\.AllocateSpace\)$/,
  "/storage/local Datastore.Audit": /\(\/storage\/local, Datastore\.AllocateSpace\|Datastore\.Audit\)$/,
  "Datastore.Allocate": /^DELETE .*seed\.iso: Permission check failed \(\/storage\/local, Datastore\.Allocate\)$/,
};

for (const [privilege, refusal] of Object.entries(NEEDED)) {
  test(`without ${privilege} a build is refused in Proxmox VE's words`, async () => {
    await using pve = await leastSession("9.2.11", [privilege]);
    assert.match(await build(pve), refusal);
  });
}

test("B07: download-url without Sys.AccessNetwork is a bare 403", async () => {
  for (const [without, reason] of [
    ["Sys.AccessNetwork", "Permission check failed"],
    ["Datastore.AllocateTemplate", "Permission check failed (/storage/local, Datastore.AllocateTemplate)"],
  ] as const) {
    await using pve = await leastSession("9.2.11", [without]);
    const params = { content: "import", filename: "a.qcow2", url: "http://127.0.0.1:1/a" };
    const answer = await pve.ask("POST", "/nodes/pve1/storage/local/download-url", params);
    assert.deepEqual([answer.status, answer.reason], [403, reason]);
  }
});

test("B51: tags at create ignore the pool on 9.2 and fail the task after the import; before 9.2 they pass", async () => {
  await using newer = await leastSession("9.2.11");
  const refusal =
    "POST /nodes/pve1/qemu: task: unable to create VM 100 - 403 Permission check failed (/vms/100, VM.Config.Options)";
  assert.equal(await build(newer, { tags: "a" }), refusal);
  assert.ok(newer.state.tasks.all.at(-1)?.log.some((line) => line.startsWith("scsi0: successfully created disk")));
  assert.deepEqual(newer.pve.leftovers().vms, []);
  assert.deepEqual(newer.pve.leftovers().volumes, []);
  await using none = await leastSession("9.2.11", ["VM.Config.Options"]);
  none.state.pools.set("p", { id: "p", vms: new Set(), storages: new Set() });
  const only = await none.ask("POST", "/nodes/pve1/qemu", { vmid: 100, pool: "p", tags: "a" });
  assert.equal(only.status, 200, "the call itself does not look at it");
  assert.match(await none.exitOf(String(only.data)), /VM\.Config\.Options/);
  for (const version of ["8.4.0", "9.1.0"] as const) {
    await using older = await leastSession(version);
    assert.equal(await build(older, { tags: "a" }), "OK", version);
  }
});

test("B53: a card with a VLAN needs SDN.Use at the VLAN's path", async () => {
  await using pve = await leastSession("9.2.11", []);
  assert.equal(await build(pve, { net0: "virtio,bridge=vmbr0,tag=12" }), "OK", "the bridge's grant propagates");
  const only = leastPrivileges({ pool: "p", vlan: 12 });
  await using other = await Session.start(only);
  other.state.addVolume({ storage: "local", name: "import/image.qcow2" });
  other.state.addVolume({ storage: "local", name: "iso/seed.iso" });
  assert.match(await build(other), /\(\/sdn\/zones\/localnetwork\/vmbr0, SDN\.Use\)$/);
});
