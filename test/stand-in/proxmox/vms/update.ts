import type { Call } from "../call.ts";
import { badParameters, died } from "../refusal.ts";
import { splitList } from "../schema/formats.ts";
import { CHANGE_PARAMETERS, CONFIG_OPTIONS } from "../schema/schema.ts";
import { findParameter } from "../schema/validate.ts";
import { type Volume, volid } from "../storage/volumes.ts";
import type { World } from "../world.ts";
import { createDisks } from "./allocate.ts";
import { normalOption } from "./create.ts";
import { isCdrom, isDrive, parseDrive } from "./disks.ts";
import { checkBridges, checkDriveChange, checkDrives, checkOptions, checkSerial } from "./permissions.ts";
import { checkSkipLock } from "./power.ts";
import type { Vm } from "./vm.ts";

/** Options that a running VM takes on at once. */
const AT_ONCE = new Set(
  "description hookscript lock name onboot protection shares startup tags template vmstatestorage".split(" "),
);

interface Change {
  set: Map<string, string>;
  remove: string[];
  revert: string[];
  force: boolean;
  digest: string | undefined;
}

/** Reads the request; throws 400 and 500 for what is wrong with it by itself. */
function changeOf(call: Call): Change {
  checkSkipLock(call);
  const { params } = call;
  const remove = splitList(params.get("delete") ?? "");
  const revert = splitList(params.get("revert") ?? "");
  const set = params.except(...CHANGE_PARAMETERS);
  for (const option of remove) {
    if (set.has(option))
      throw badParameters({ delete: `you can't use '-${option}' and -delete ${option}' at the same time` });
    if (!isKnown(option)) throw badParameters({ delete: `unknown option '${option}'` });
  }
  const unknown = revert.find((option) => !isKnown(option));
  if (unknown !== undefined) throw badParameters({ revert: `unknown option '${unknown}'` });
  if (remove.length + revert.length + set.size === 0) throw died("no options specified");
  return { set, remove, revert, force: params.flag("force"), digest: params.get("digest") };
}

const isKnown = (option: string) => findParameter(CONFIG_OPTIONS, option) !== undefined || option === "cdrom";

/** Privileges for a change, looked up before the VM is locked. */
function checkChange(world: World, who: string, vm: Vm, change: Change): void {
  const { vmid } = vm;
  checkDrives(world, who, vmid, change.set);
  checkSerial(world, who, vmid, undefined, change.set);
  checkBridges(world, who, change.set);
  checkOptions(world, who, vmid, undefined, [...change.remove, ...change.revert, ...change.set.keys()]);
  const merged = vm.merged();
  for (const option of [...change.remove, ...change.revert]) {
    const value = merged.get(option);
    checkDriveChange(world, who, vmid, option, value);
    if (value !== undefined) {
      checkSerial(world, who, vmid, undefined, [[option, "socket"]]);
      checkBridges(world, who, [[option, value]]);
    }
  }
  for (const [option, text] of change.set) checkDriveChange(world, who, vmid, option, text);
  const touchesTags = change.set.has("tags") || change.remove.includes("tags");
  // By now the VM is in its pool, and the pool's grants count.
  if (touchesTags) world.access.checkVm(who, vmid, undefined, ["VM.Config.Options"]);
}

function checkUnchanged(vm: Vm, { digest }: Change): void {
  if (digest !== undefined && digest !== vm.digest) throw died("checksum mismatch (file change by other user?)");
  vm.checkLock();
}

/** Carries a change out under the VM's file lock. */
async function apply(world: World, vm: Vm, change: Change): Promise<void> {
  await world.exclusive(vm, async () => {
    checkUnchanged(vm, change);
    for (const option of change.revert) vm.pending.delete(option);
    for (const option of change.remove) await removeOption(world, vm, option, change.force);
    const made: Volume[] = [];
    const drives = await createDisks(world, vm.node, vm.vmid, change.set, { log: () => {} }, made);
    for (const [option, value] of change.set) {
      setOption(vm, option, drives.get(option) ?? normalOption(world, option, value));
    }
  });
}

/** Disks and network cards are plugged in and out of a running machine; other hardware waits for its next start. */
function waits(vm: Vm, option: string): boolean {
  return vm.machine !== undefined && !AT_ONCE.has(option) && !/^(net|scsi|virtio|unused)\d+$/.test(option);
}

function setOption(vm: Vm, option: string, value: string): void {
  if (waits(vm, option) && vm.config.get(option) !== value) {
    vm.pending.set(option, value);
    return;
  }
  vm.pending.delete(option);
  const replaced = vm.config.get(option);
  if (replaced !== undefined && isDrive(option)) keepUnused(vm, option, replaced, value);
  vm.config.set(option, value);
}

/** A disk that is taken from its slot stays as `unusedN`. */
function keepUnused(vm: Vm, option: string, text: string, replacement?: string): void {
  const drive = parseDrive(option, text);
  const file = drive.get("file") ?? "none";
  if (isCdrom(drive) || file === "none") return;
  if (replacement !== undefined && parseDrive(option, replacement).get("file") === file) return;
  let n = 0;
  while (vm.config.has(`unused${n}`)) n++;
  vm.config.set(`unused${n}`, file);
}

async function removeOption(world: World, vm: Vm, option: string, force: boolean): Promise<void> {
  const text = vm.config.get(option);
  vm.pending.delete(option);
  if (text === undefined) return;
  if (waits(vm, option)) {
    vm.pending.set(option, null);
    return;
  }
  if (/^unused\d+$/.test(option)) await freeDisk(world, vm, text);
  else if (isDrive(option)) {
    const drive = parseDrive(option, text);
    if (force && !isCdrom(drive)) await freeDisk(world, vm, drive.get("file") ?? "none");
    else if (!isCdrom(drive)) keepUnused(vm, option, text);
  }
  vm.config.delete(option);
}

async function freeDisk(world: World, vm: Vm, id: string): Promise<void> {
  const volume = world.findVolume(id, vm.node);
  if (!volume) return;
  if (world.volumes.childrenOf(volume).length > 0)
    throw died(`base volume '${volid(volume)}' is still in use by linked cloned`);
  await world.backend.free(volume);
  world.volumes.remove(volume);
}

async function put(call: Call): Promise<void> {
  const change = changeOf(call);
  const vm = call.world.vm(call.params.int("vmid") ?? 0, call.node);
  checkChange(call.world, call.who, vm, change);
  await apply(call.world, vm, change);
}

/** The same as a task; with `background_delay` the answer waits for its end, and bears no UPID when that came in time. */
async function post(call: Call): Promise<string | null> {
  const { world, who, node, params } = call;
  const change = changeOf(call);
  const vm = world.vm(params.int("vmid") ?? 0, node);
  checkChange(world, who, vm, change);
  checkUnchanged(vm, change);
  const shown = [...change.set].map(([option, value]) => ` -${option} ${value}`).join("");
  const removed = change.remove.length > 0 ? ` -delete ${change.remove.join(",")}` : "";
  const upid = world.tasks.start(node, "qmconfig", String(vm.vmid), who, async (worker) => {
    worker.log(`update VM ${vm.vmid}:${shown}${removed}`);
    await worker.work();
    await apply(world, vm, change);
  });
  const delay = params.int("background_delay");
  const task = world.tasks.find(upid);
  if (delay === undefined || !task || !(await world.endsWithin(task, delay * 1000))) return upid;
  if (task.exitstatus !== "OK") throw died(task.exitstatus ?? "unknown");
  return null;
}

export const update = { put, post };
