import { randomUUID } from "node:crypto";
import type { Call } from "../call.ts";
import { died } from "../refusal.ts";
import { type Storage, type Volume, volid } from "../storage/volumes.ts";
import { TaskFailure, WorkerDeath, type Worker } from "../tasks.ts";
import type { World } from "../world.ts";
import { formattingLine, nextDiskName, registerDisk, transfer } from "./allocate.ts";
import { checkPool, normalNetwork } from "./create.ts";
import { drivesOf, isCdrom, printDrive } from "./disks.ts";
import { checkBridges } from "./permissions.ts";
import { Vm } from "./vm.ts";

/** Storages on which a disk can be based on another one (PVE::Storage, volume_has_feature). */
const LINKABLE = new Set(["dir", "nfs", "cifs", "btrfs", "lvmthin", "zfspool", "rbd"]);

interface Plan {
  source: Vm;
  target: Vm;
  full: boolean;
  pool: string | undefined;
  storage: string | undefined;
  name: string | undefined;
  description: string | undefined;
}

/** `POST clone`: linked by default from a template, always full from a VM. */
export function clone(call: Call): string {
  const { world, who, node, params } = call;
  const source = world.vm(params.int("vmid") ?? 0, node);
  const newid = params.int("newid") ?? 0;
  const targetNode = params.get("target") ?? node;
  const pool = params.get("pool");
  checkPool(world, pool);
  const storage = params.get("storage");
  if (storage !== undefined) {
    world.access.check(who, `/storage/${storage}`, ["Datastore.AllocateSpace"]);
    world.storageOn(storage, targetNode);
  }
  world.checkNode(targetNode);
  source.checkLock();
  const full = params.get("full") === undefined ? !source.isTemplate : params.flag("full");
  if (!full && storage !== undefined) throw died("parameter 'storage' not allowed for linked clones");
  checkMovable(world, source, targetNode, full);
  checkSpaceRights(world, who, source, storage);
  checkBridges(world, who, source.config);
  if (world.vms.has(newid)) throw died(`unable to create VM ${newid}: config file already exists`);
  const target = new Vm(newid, targetNode);
  target.config.set("lock", "clone");
  world.vms.set(newid, target);
  const plan: Plan = {
    source,
    target,
    full,
    pool,
    storage,
    name: params.get("name"),
    description: params.get("description"),
  };
  return world.tasks.start(node, "qmclone", String(source.vmid), who, (worker) => run(world, worker, plan));
}

/** To another node only what that node can read too, CD-ROMs on local storage among it. */
function checkMovable(world: World, source: Vm, target: string, full: boolean): void {
  for (const { option, drive, volume: id } of drivesOf(source.config)) {
    const storage = world.storage(id.slice(0, id.indexOf(":")));
    if (target !== source.node && !storage.shared) {
      throw died(`can't clone VM to node '${target}' (VM uses local storage)`);
    }
    if (isCdrom(drive)) continue;
    const isBase = /(^|[:/])base-[^/]*$/.test(id);
    if (!full && !(isBase && LINKABLE.has(storage.type))) {
      throw died(`Linked clone feature is not supported for drive '${option}'`);
    }
  }
}

function checkSpaceRights(world: World, who: string, source: Vm, storage: string | undefined): void {
  for (const { drive, volume } of drivesOf(source.config)) {
    if (isCdrom(drive)) continue;
    world.access.check(who, `/storage/${storage ?? volume.slice(0, volume.indexOf(":"))}`, ["Datastore.AllocateSpace"]);
  }
}

async function run(world: World, worker: Worker, plan: Plan): Promise<void> {
  const { source, target } = plan;
  const made: Volume[] = [];
  worker.log(`creating a clone of VM ${source.vmid} with ID ${target.vmid}`);
  try {
    const config = new Map(source.config);
    for (const option of ["template", "lock", "parent", "vmstate"]) config.delete(option);
    for (const option of source.config.keys()) if (/^unused\d+$/.test(option)) config.delete(option);
    for (const [option, value] of config) {
      // A clone gets addresses of its own.
      if (/^net\d+$/.test(option)) config.set(option, normalNetwork(value.replace(/^([\w-]+)=[^,]+/, "$1")));
    }
    let worked = false;
    for (const { option, drive, volume: id } of drivesOf(source.config)) {
      if (isCdrom(drive)) continue;
      const from = world.findVolume(id, source.node);
      if (!from) throw new TaskFailure(`volume '${id}' does not exist`);
      const to = plan.full
        ? await copyDisk(world, worker, plan, option, from, made)
        : await linkDisk(world, worker, plan, option, from, made, !worked);
      worked = true;
      config.set(option, printDrive(new Map(drive).set("file", volid(to))));
    }
    if (!worked) await worker.work();
    config.set("smbios1", `uuid=${randomUUID()}`);
    config.set("vmgenid", randomUUID());
    if (plan.name !== undefined) config.set("name", plan.name);
    else config.set("name", source.config.has("name") ? `Copy-of-${source.name}` : `Copy-of-VM-${source.vmid}`);
    if (plan.description !== undefined) config.set("description", plan.description.replace(/\n+$/, ""));
    target.config = config;
    if (plan.pool !== undefined) world.pools.get(plan.pool)?.vms.add(target.vmid);
  } catch (error) {
    if (error instanceof WorkerDeath) throw error;
    for (const volume of made) {
      await world.backend.free(volume);
      world.volumes.remove(volume);
    }
    world.vms.delete(target.vmid);
    if (error instanceof TaskFailure && error.verbatim) throw error;
    throw new TaskFailure(`clone failed: ${(error as Error).message}`);
  }
}

async function copyDisk(
  world: World,
  worker: Worker,
  plan: Plan,
  option: string,
  from: Volume,
  made: Volume[],
): Promise<Volume> {
  const { target } = plan;
  worker.log(`create full clone of drive ${option} (${volid(from)})`);
  const storage = world.storageOn(plan.storage ?? from.storage, target.node);
  const format = storage.isFileStorage ? from.format : "raw";
  const name = nextDiskName(world, storage, target.node, target.vmid, format);
  worker.log(formattingLine(storage, name, format, from.sizeBytes));
  const volume = registerDisk(world, storage, target.node, target.vmid, {
    name,
    format,
    sizeBytes: from.sizeBytes,
    usedBytes: from.usedBytes,
  });
  made.push(volume);
  worker.log(`allocated target volume '${volid(volume)}'`);
  await transfer({ log: worker.log, work: worker.work }, from.sizeBytes);
  await world.backend.copy(from, volume, worker.signal);
  return volume;
}

/** A linked disk's name holds its base's where the storage keeps track of it. */
function linkedName(storage: Storage, base: Volume, own: string): string {
  return storage.type === "lvmthin" ? own : `${base.name}/${own}`;
}

async function linkDisk(
  world: World,
  worker: Worker,
  plan: Plan,
  option: string,
  base: Volume,
  made: Volume[],
  work: boolean,
): Promise<Volume> {
  const { target } = plan;
  const storage = world.storageOn(base.storage, target.node);
  worker.log(`create linked clone of drive ${option} (${volid(base)})`);
  const own = nextDiskName(world, storage, target.node, target.vmid, base.format);
  const file = own.slice(own.lastIndexOf("/") + 1);
  worker.log(`clone ${base.name}: images, ${file}, ${target.vmid} to ${file} (base=../${base.name})`);
  const backing = `backing_file=../${base.name} backing_fmt=${base.format} `;
  worker.log(formattingLine(storage, own, base.format, base.sizeBytes, backing));
  const volume = registerDisk(world, storage, target.node, target.vmid, {
    name: linkedName(storage, base, own),
    format: base.format,
    sizeBytes: base.sizeBytes,
    usedBytes: 528_384,
    // LVM-thin keeps no track of who is based on what: there a base can be deleted under its clones.
    ...(storage.type === "lvmthin" ? {} : { parent: base.name }),
  });
  made.push(volume);
  if (work) await worker.work();
  await world.backend.link(base, volume);
  return volume;
}
