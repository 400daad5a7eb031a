import assert from "node:assert/strict";
import { test } from "node:test";
import { Session, succeeded } from "./session/session.ts";

const AT = "/nodes/pve1/qemu/100";

test("while a create imports, the configuration holds only its lock, and the pool has no member yet", async () => {
  await using pve = await Session.start({ pools: ["p"], taskMs: { qmcreate: 60_000 } });
  pve.state.addVolume({ storage: "local", name: "import/image.qcow2" });
  const scsi0 = "shared-storage:0,import-from=local:import/image.qcow2";
  const upid = String(
    succeeded(await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100, pool: "p", description: "lease", scsi0 })).data,
  );
  const config = await pve.config(100);
  assert.deepEqual(Object.keys(config).sort(), ["digest", "lock"]);
  assert.equal(config["lock"], "create");
  const [row] = (await pve.get("/cluster/resources", { type: "vm" })) as Record<string, unknown>[];
  assert.deepEqual(row, { type: "qemu", id: "qemu/100", vmid: 100, node: "pve1", lock: "create", status: "unknown" });
  assert.equal((await pve.ask("PUT", `${AT}/config`, { description: "x" })).reason, "VM is locked (create)");
  assert.equal(
    (await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100 })).reason,
    "unable to create VM 100 - VM 100 already exists on node 'pve1'",
  );
  assert.equal(await pve.task("DELETE", AT), "VM is locked (create)");
  succeeded(await pve.ask("DELETE", `/nodes/pve1/tasks/${upid}`));
  assert.match(await pve.exitOf(upid), /^unable to create VM 100 - cannot import from .* received interrupt$/);
  assert.deepEqual([pve.pve.leftovers().vms, pve.pve.leftovers().volumes], [[], []]);
});

test("B39: of two creates with one id, one gets 500 at once", async () => {
  await using pve = await Session.start();
  const answers = await Promise.all([1, 2].map(() => pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100 })));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 500]));
});

test("nextid reserves nothing, and is a string", async () => {
  await using pve = await Session.start();
  assert.equal(await pve.get("/cluster/nextid"), "100");
  assert.equal(await pve.get("/cluster/nextid"), "100");
  await pve.makeVm(100);
  assert.equal(await pve.get("/cluster/nextid"), "101");
  assert.deepEqual((await pve.ask("GET", "/cluster/nextid", { vmid: 100 })).errors, { vmid: "VM 100 already exists" });
});

test("a configuration has numbers for whole numbers and flags, text for everything else", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100, { agent: 1, memory: 1024, cores: 2, onboot: 1 });
  const { agent, memory, cores, onboot, boot } = await pve.config(100);
  assert.deepEqual(
    { agent, memory, cores, onboot, boot },
    { agent: "1", memory: "1024", cores: 2, onboot: 1, boot: "order=scsi0" },
  );
  await pve.task("POST", "/nodes/pve1/qemu", { vmid: 101 });
  assert.equal((await pve.config(101))["boot"], " ");
});

test("B47: tags are lower-cased, de-duplicated and sorted, unless tag-style says otherwise", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100, { tags: "Zeta;alpha,ALPHA zeta" });
  assert.equal((await pve.config(100))["tags"], "alpha;zeta");
  await using other = await Session.start({ tagStyle: { ordering: "config", caseSensitive: true } });
  await other.makeVm(100, { tags: "Zeta;alpha;Alpha" });
  assert.equal((await other.config(100))["tags"], "Zeta;alpha;Alpha");
});

test("B45: a change with another digest is refused, with the right one taken", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  const { digest } = await pve.config(100);
  await pve.put(`${AT}/config`, { name: "a", digest });
  const stale = await pve.ask("PUT", `${AT}/config`, { name: "b", digest });
  assert.equal(stale.reason, "checksum mismatch (file change by other user?)");
});

test("deleting an absent option is OK, an unknown one 400, none at all 500", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  assert.equal((await pve.ask("PUT", `${AT}/config`, { delete: "net0" })).status, 200);
  assert.deepEqual((await pve.ask("PUT", `${AT}/config`, { delete: "nosuch" })).errors, {
    delete: "unknown option 'nosuch'",
  });
  assert.equal((await pve.ask("PUT", `${AT}/config`)).reason, "no options specified");
});

test("a removed disk stays as unused0, and is gone at once with force", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100, { scsi1: "shared-storage:0.01" });
  assert.equal((await pve.config(100))["scsi1"], "shared-storage:100/vm-100-disk-1.raw,size=10486K");
  await pve.put(`${AT}/config`, { delete: "scsi1" });
  assert.equal((await pve.config(100))["unused0"], "shared-storage:100/vm-100-disk-1.raw");
  await pve.put(`${AT}/config`, { delete: "unused0" });
  await pve.put(`${AT}/config`, { scsi1: "shared-storage:1" });
  await pve.put(`${AT}/config`, { delete: "scsi1", force: 1 });
  const disks = (await pve.get("/nodes/pve1/storage/shared-storage/content", { vmid: 100 })) as { volid: string }[];
  assert.deepEqual(
    disks.map(({ volid }) => volid),
    ["shared-storage:100/vm-100-disk-0.qcow2"],
  );
  assert.equal((await pve.config(100))["unused0"], undefined);
});

test("resize grows, also by a sum, and a smaller size changes nothing", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  const size = async () => /size=(\w+)/.exec(String((await pve.config(100))["scsi0"]))?.[1];
  for (const [given, then] of [
    ["6G", "6G"],
    ["+2G", "8G"],
    ["1G", "8G"],
  ] as const) {
    assert.equal(await pve.task("PUT", `${AT}/resize`, { disk: "scsi0", size: given }), "OK");
    assert.equal(await size(), then);
  }
  assert.deepEqual((await pve.ask("PUT", `${AT}/resize`, { disk: "scsi0", size: "lots" })).errors, {
    size: "value does not match the regex pattern",
  });
});

test("hardware of a running VM waits for its next start, cards and names do not", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100, { memory: 1024 });
  await pve.task("POST", `${AT}/status/start`);
  await pve.put(`${AT}/config`, { memory: 2048, name: "other", net0: "virtio,bridge=vmbr0" });
  const current = (await pve.get(`${AT}/config`, { current: 1 })) as Record<string, unknown>;
  assert.deepEqual([current["memory"], current["name"]], ["1024", "other"]);
  assert.match(String(current["net0"]), /^virtio=BC:24:11:(..:){2}..,bridge=vmbr0$/);
  assert.equal((await pve.config(100))["memory"], "2048");
  await pve.task("POST", `${AT}/status/stop`);
  assert.equal(((await pve.get(`${AT}/config`, { current: 1 })) as Record<string, unknown>)["memory"], "2048");
});

test("a start fails in its task: no such VM, a template, no such bridge, running already", async () => {
  await using pve = await Session.start();
  assert.match(await pve.task("POST", "/nodes/pve1/qemu/999/status/start"), /^Configuration file .* does not exist$/);
  await pve.makeVm(100, { net0: "virtio,bridge=vmbr9" });
  assert.equal(await pve.task("POST", `${AT}/status/start`), "bridge 'vmbr9' does not exist");
  await pve.put(`${AT}/config`, { delete: "net0" });
  assert.equal(await pve.task("POST", `${AT}/status/start`), "OK");
  assert.equal(await pve.task("POST", `${AT}/status/start`), "VM 100 already running");
  pve.state.addTemplate({ vmid: 101 });
  assert.equal(await pve.task("POST", "/nodes/pve1/qemu/101/status/start"), "you can't start a vm if it's a template");
});

test("B30, B31: a template's disk is a base volume, and a second conversion is refused", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  assert.equal(await pve.task("POST", `${AT}/template`), "OK");
  const config = await pve.config(100);
  assert.deepEqual([config["template"], config["scsi0"]], [1, "shared-storage:100/base-100-disk-0.qcow2,size=4G"]);
  assert.equal((await pve.ask("POST", `${AT}/template`)).reason, "you can't convert a template to a template");
  await using other = await Session.start();
  await other.makeVm(100, { template: 1 });
  assert.equal(
    (await other.config(100))["scsi0"],
    "shared-storage:100/vm-100-disk-0.qcow2,size=4G",
    "template=1 at create skips the conversion",
  );
});

test("a conversion that fails leaves a template whose disk is no base volume", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  await pve.task("DELETE", "/nodes/pve1/storage/shared-storage/content/shared-storage:100/vm-100-disk-0.qcow2");
  assert.equal(await pve.task("POST", `${AT}/template`), "file_size_info on '100/vm-100-disk-0.qcow2' failed");
  const config = await pve.config(100);
  assert.deepEqual([config["template"], config["scsi0"]], [1, "shared-storage:100/vm-100-disk-0.qcow2,size=4G"]);
});

test("B28: a change that comes while a template is converted waits for it", async () => {
  await using pve = await Session.start({ taskMs: { qmtemplate: 50 } });
  await pve.makeVm(100);
  const upid = String(succeeded(await pve.ask("POST", `${AT}/template`)).data);
  await pve.put(`${AT}/config`, { tags: "a" });
  assert.equal(pve.state.tasks.find(upid)?.exitstatus, "OK");
  const config = await pve.config(100);
  assert.deepEqual([config["template"], config["tags"]], [1, "a"]);
});

test("a change that waited for a VM's deletion finds it gone", async () => {
  await using pve = await Session.start({ taskMs: { qmdestroy: 50 } });
  await pve.makeVm(100);
  const upid = String(succeeded(await pve.ask("DELETE", AT)).data);
  const late = await pve.ask("PUT", `${AT}/config`, { tags: "a" });
  assert.equal(late.reason, "Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist");
  assert.equal(await pve.exitOf(upid), "OK");
});

test("a locked VM refuses a change as a task at once, too", async () => {
  await using pve = await Session.start();
  pve.state.addVm({ vmid: 100, config: { lock: "backup" } });
  assert.equal((await pve.ask("POST", `${AT}/config`, { cores: 2 })).reason, "VM is locked (backup)");
});

test("B41: a wait for the VM's lock ends after 10 s with its name", async () => {
  await using pve = await Session.start({ speed: 1000, taskMs: { qmtemplate: 60_000_000 } });
  await pve.makeVm(100);
  const upid = String(succeeded(await pve.ask("POST", `${AT}/template`)).data);
  const late = await pve.ask("PUT", `${AT}/config`, { tags: "a" });
  assert.equal(late.reason, "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout");
  pve.state.tasks.find(upid)?.stop();
  assert.equal(await pve.exitOf(upid), "received interrupt");
  await pve.put(`${AT}/config`, { tags: "a" });
});

test("a running or protected VM is not deleted, and one that is leaves its pool", async () => {
  await using pve = await Session.start({ pools: ["p"] });
  await pve.makeVm(100, { pool: "p" });
  await pve.task("POST", `${AT}/status/start`);
  assert.equal((await pve.ask("DELETE", AT)).reason, "VM 100 is running - destroy failed");
  await pve.task("POST", `${AT}/status/stop`);
  await pve.put(`${AT}/config`, { protection: 1 });
  assert.equal((await pve.ask("DELETE", AT)).reason, "can't remove VM 100 - protection mode enabled");
  await pve.put(`${AT}/config`, { delete: "protection" });
  assert.equal(
    (await pve.ask("DELETE", "/pools", { poolid: "p" })).reason,
    "delete pool failed: pool 'p' is not empty (contains VM 100)",
  );
  assert.equal(await pve.task("DELETE", AT), "OK");
  assert.deepEqual(await pve.get("/pools", { poolid: "p" }), [{ poolid: "p", members: [] }]);
});

test("unreferenced disks of a VM go only when asked for", async () => {
  await using pve = await Session.start();
  const stray = () => pve.state.addVolume({ storage: "shared-storage", name: "100/vm-100-disk-7.raw" });
  await pve.makeVm(100);
  stray();
  await pve.task("DELETE", AT, { purge: 1 });
  assert.equal(pve.state.volumes.on("shared-storage", "pve1").length, 1);
  await pve.makeVm(100);
  await pve.task("DELETE", AT, { purge: 1, "destroy-unreferenced-disks": 1 });
  assert.equal(pve.state.volumes.on("shared-storage", "pve1").length, 0);
});

test("a disk for UEFI variables is as long as the firmware needs", async () => {
  for (const [arch, size] of [
    ["x86_64", "528K"],
    ["aarch64", "64M"],
  ] as const) {
    await using pve = await Session.start({ nodes: [{ name: "pve1", arch }] });
    assert.equal(await pve.makeVm(100, { bios: "ovmf", efidisk0: "shared-storage:1,efitype=4m" }), "OK");
    assert.equal((await pve.config(100))["efidisk0"], `shared-storage:100/vm-100-disk-0.raw,efitype=4m,size=${size}`);
  }
});

test("a guest that is off before its start is over leaves a stopped VM", async () => {
  await using pve = await Session.start({
    guest: (_hardware, events) => {
      events.poweredOff();
      return {
        readFile: () => undefined,
        hostname: () => "",
        exec: () => ({ exitcode: 0, out: "", err: "" }),
        shutdown: () => {},
        kill: () => {},
      };
    },
  });
  await pve.makeVm(100);
  assert.equal(await pve.task("POST", `${AT}/status/start`), "OK");
  assert.equal(((await pve.get(`${AT}/status/current`)) as { status: string }).status, "stopped");
});

test("a background change with a delay answers when it is done", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  assert.equal(succeeded(await pve.ask("POST", `${AT}/config`, { cores: 3, background_delay: 30 })).data, null);
  assert.equal((await pve.config(100))["cores"], 3);
  assert.equal(await pve.task("POST", `${AT}/config`, { cores: 4 }), "OK");
});
