import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyQcow2 } from "../../stand-in/proxmox/index.ts";
import { Session, succeeded } from "./session/session.ts";
import { sha256, startUpstream, TINY, TINY_SHA256, TINY2_SHA256 } from "./session/upstream.ts";

const DOWNLOAD = "/nodes/pve1/storage/local/download-url";
const wanted = (port: number, file: string, more: Record<string, unknown> = {}) => ({
  content: "import",
  filename: file,
  url: `http://127.0.0.1:${port}/tiny.qcow2`,
  ...more,
});
const checked = { checksum: TINY_SHA256, "checksum-algorithm": "sha256" };

test("a download really fetches the file, and shows the disk's size from the image's header", async () => {
  await using pve = await Session.start();
  const upstream = await startUpstream();
  assert.equal(await pve.task("POST", DOWNLOAD, wanted(upstream.port, "a.qcow2", checked)), "OK");
  assert.deepEqual(await pve.get("/nodes/pve1/storage/local/content/local:import/a.qcow2"), {
    path: "/var/lib/vz/import/a.qcow2",
    format: "qcow2",
    size: 64 * 1024 ** 2,
    used: TINY.length,
  });
  await upstream.close();
});

test("B01, B02: an existing file passes with the same checksum, fails with another, and is not overridden without one", async () => {
  await using pve = await Session.start();
  const upstream = await startUpstream();
  assert.equal(await pve.task("POST", DOWNLOAD, wanted(upstream.port, "a.qcow2", checked)), "OK");
  await upstream.close();
  // The server is gone: what passes now passed without it.
  assert.equal(await pve.task("POST", DOWNLOAD, wanted(upstream.port, "a.qcow2", checked)), "OK");
  const other = wanted(upstream.port, "a.qcow2", { ...checked, checksum: TINY2_SHA256 });
  assert.match(await pve.task("POST", DOWNLOAD, other), /^checksum mismatch: got '.*' != expect '.*', aborting$/);
  const without = await pve.task("POST", DOWNLOAD, wanted(upstream.port, "a.qcow2"));
  assert.equal(without, "refusing to override existing file '/var/lib/vz/import/a.qcow2'");
});

test("a wrong checksum leaves nothing behind", async () => {
  await using pve = await Session.start();
  const upstream = await startUpstream();
  const exit = await pve.task(
    "POST",
    DOWNLOAD,
    wanted(upstream.port, "a.qcow2", { ...checked, checksum: "0".repeat(64) }),
  );
  assert.equal(exit, `checksum mismatch: got '${TINY_SHA256}' != expect '${"0".repeat(64)}'`);
  assert.deepEqual(pve.pve.leftovers().volumes, []);
  await upstream.close();
});

test("junk under an image's name, a missing file and a dead server fail in the task", async () => {
  await using pve = await Session.start();
  const upstream = await startUpstream();
  const from = (path: string) =>
    pve.task("POST", DOWNLOAD, { content: "import", filename: "a.qcow2", url: `http://127.0.0.1:${path}` });
  assert.match(
    await from(`${upstream.port}/not-an-image.txt`),
    /^failed to verify file: .*Image is not in qcow2 format$/,
  );
  assert.equal(await from(`${upstream.port}/absent`), "download failed: exit code 8");
  assert.equal(await from("1/x"), "download failed: Connecting to 127.0.0.1:1... failed: Connection refused.");
  await upstream.close();
});

test("B05: .img is refused for content import, and odd characters in names are made underscores", async () => {
  await using pve = await Session.start();
  const upstream = await startUpstream();
  const refused = await pve.ask("POST", DOWNLOAD, wanted(upstream.port, "noble.img"));
  assert.deepEqual(refused.errors, { filename: "invalid filename or wrong extension" });
  for (const [given, stored] of [
    ["a b.qcow2", "a_b.qcow2"],
    ["x/c.qcow2", "c.qcow2"],
    ["d+(e).qcow2", "d__e_.qcow2"],
  ] as const) {
    assert.equal(await pve.task("POST", DOWNLOAD, wanted(upstream.port, given)), "OK");
    assert.ok(pve.state.volumes.find("local", `import/${stored}`, "pve1"), stored);
  }
  await upstream.close();
});

test("B08: a storage without the content refuses at once, an unknown one too", async () => {
  await using pve = await Session.start();
  const at = (storage: string) => pve.ask("POST", `/nodes/pve1/storage/${storage}/download-url`, wanted(1, "a.qcow2"));
  assert.equal(
    (await at("shared-storage")).reason,
    "storage 'shared-storage' is not configured for content-type 'import'",
  );
  assert.equal((await at("nosuch")).reason, "storage 'nosuch' does not exist");
});

test("a stopped download says so and leaves nothing", async () => {
  await using pve = await Session.start();
  const upstream = await startUpstream();
  const params = { content: "import", filename: "slow.qcow2", url: `http://127.0.0.1:${upstream.port}/slow.qcow2` };
  const upid = String(succeeded(await pve.ask("POST", DOWNLOAD, params)).data);
  succeeded(await pve.ask("DELETE", `/nodes/pve1/tasks/${upid}`));
  assert.equal(await pve.exitOf(upid), "download failed: received interrupt");
  assert.deepEqual(pve.pve.leftovers().volumes, []);
  await upstream.close();
});

test("B36: an upload takes its fields before the file, and overwrites a file without a word", async () => {
  await using pve = await Session.start();
  const first = succeeded(await pve.upload("seed.iso", Buffer.from("one")));
  assert.equal(await pve.exitOf(String(first.data)), "OK");
  const bytes = Buffer.from("two, longer");
  const second = succeeded(
    await pve.upload("seed.iso", bytes, { "checksum-algorithm": "sha256", checksum: sha256(bytes) }),
  );
  assert.equal(await pve.exitOf(String(second.data)), "OK");
  const [iso] = (await pve.get("/nodes/pve1/storage/local/content", { content: "iso" })) as { size: number }[];
  assert.equal(iso?.size, bytes.length);
  const wrong = succeeded(
    await pve.upload("other.iso", bytes, { "checksum-algorithm": "sha256", checksum: "0".repeat(64) }),
  );
  assert.match(await pve.exitOf(String(wrong.data)), /^checksum mismatch/);
});

test("deleting an absent volume is OK, and so is deleting the disk and the ISO of a running VM", async () => {
  await using pve = await Session.start();
  pve.state.addVolume({ storage: "local", name: "iso/seed.iso" });
  await pve.makeVm(100, { ide2: "local:iso/seed.iso,media=cdrom" });
  assert.equal(await pve.task("POST", "/nodes/pve1/qemu/100/status/start"), "OK");
  const at = "/nodes/pve1/storage";
  for (const path of [`${at}/local/content/local:iso/seed.iso`, `${at}/local/content/local%3Aiso%2Fseed.iso`]) {
    assert.equal(await pve.task("DELETE", path), "OK");
  }
  assert.equal(await pve.task("DELETE", `${at}/shared-storage/content/shared-storage:100/vm-100-disk-0.qcow2`), "OK");
  await pve.task("POST", "/nodes/pve1/qemu/100/status/stop");
  const exit = await pve.task("POST", "/nodes/pve1/qemu/100/status/start");
  assert.match(exit, /^volume '.*' does not exist$/);
});

test("a delete with a delay answers when it is done, without a UPID", async () => {
  await using pve = await Session.start();
  pve.state.addVolume({ storage: "local", name: "import/a.qcow2" });
  const answer = succeeded(
    await pve.ask("DELETE", "/nodes/pve1/storage/local/content/local:import/a.qcow2", { delay: 30 }),
  );
  assert.equal(answer.data, null);
  assert.equal(pve.state.volumes.find("local", "import/a.qcow2", "pve1"), undefined);
});

test("the order of a storage's contents changes from call to call", async () => {
  await using pve = await Session.start();
  const seen = new Set<string>();
  for (let n = 0; n < 40 && seen.size < 2; n++) {
    seen.add(((await pve.get("/nodes/pve1/storage/local/status")) as { content: string }).content);
  }
  assert.ok(seen.size > 1);
});

test("B09: block storages name disks without a folder and take no format but raw", async () => {
  const types = { lvmthin: "base-100-disk-0", zfspool: "base-100-disk-0", rbd: "base-100-disk-0" };
  for (const [type, base] of Object.entries(types)) {
    await using pve = await Session.start({
      storages: [
        { name: "local", type: "dir", content: ["import", "iso"] },
        { name: "block", type, content: ["images"] },
      ],
    });
    pve.state.addVolume({ storage: "local", name: "import/image.qcow2" });
    const create = (scsi0: string) => pve.task("POST", "/nodes/pve1/qemu", { vmid: 100, scsi0 });
    const withFormat = await create("block:0,import-from=local:import/image.qcow2,format=qcow2");
    assert.match(withFormat, /^unable to create VM 100 - unsupported format 'qcow2'/, type);
    assert.equal(await create("block:0,import-from=local:import/image.qcow2"), "OK");
    assert.equal((await pve.config(100))["scsi0"], "block:vm-100-disk-0,size=4G");
    assert.equal(await pve.task("POST", "/nodes/pve1/qemu/100/template"), "OK");
    assert.equal((await pve.config(100))["scsi0"], `block:${base},size=4G`);
  }
});

test("a full storage fails the import, and nothing of it stays", async () => {
  await using pve = await Session.start({
    storages: [
      { name: "local", type: "dir", content: ["import"] },
      { name: "shared-storage", type: "nfs", content: ["images"], availBytes: 1000 },
    ],
  });
  pve.state.addVolume({
    storage: "local",
    name: "import/image.qcow2",
    bytes: Buffer.concat([emptyQcow2(1024 ** 3), Buffer.alloc(4096)]),
  });
  assert.match(await pve.makeVm(100), /No space left on device/);
  assert.deepEqual([pve.pve.leftovers().vms, pve.pve.leftovers().volumes], [[], []]);
});

test("a storage that is not on a node is not listed there", async () => {
  await using pve = await Session.start({
    nodes: [{ name: "pve1" }, { name: "pve2" }],
    storages: [
      { name: "one", type: "dir", content: ["images"], nodes: ["pve2"] },
      { name: "all", type: "nfs", content: ["images"] },
    ],
  });
  const names = async (node: string) =>
    ((await pve.get(`/nodes/${node}/storage`)) as { storage: string }[]).map((row) => row.storage);
  assert.deepEqual(await names("pve1"), ["all"]);
  assert.deepEqual(await names("pve2"), ["one", "all"]);
  assert.equal(
    (await pve.ask("GET", "/nodes/pve1/storage/one/content")).reason,
    "storage 'one' is not available on node 'pve1'",
  );
});
