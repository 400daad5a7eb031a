import { randomBytes, randomUUID } from "node:crypto";
import type { Call } from "../call.ts";
import { died, forbidden, Refusal } from "../refusal.ts";
import { splitList } from "../schema/formats.ts";
import type { Volume } from "../storage/volumes.ts";
import { TaskFailure, WorkerDeath, type Worker } from "../tasks.ts";
import type { World } from "../world.ts";
import { createDisks } from "./allocate.ts";
import { isCdrom, isDrive, parseDrive } from "./disks.ts";
import { checkBridges, checkDrives, checkOptions, checkSerial, parseNetwork } from "./permissions.ts";
import { startMachine } from "./power.ts";
import { Vm } from "./vm.ts";

const OWN = [
  "node",
  "vmid",
  "pool",
  "start",
  "storage",
  "unique",
  "force",
  "archive",
  "bwlimit",
  "ha-managed",
  "live-restore",
  "import-working-storage",
];

/** Puts tags into the order and case of the datacenter's tag-style. */
export function normalTags(world: World, text: string): string {
  const { ordering, caseSensitive } = world.tagStyle;
  const tags = [...new Set(splitList(text).map((tag) => (caseSensitive ? tag : tag.toLowerCase())))];
  return (ordering === "config" ? tags : tags.sort()).join(";");
}

/** `virtio,bridge=vmbr0` with a MAC address, in the order in which a configuration has it. */
export function normalNetwork(text: string): string {
  const card = parseNetwork(text);
  const mac = card.macaddr ?? `BC:24:11:${(randomBytes(3).toString("hex").toUpperCase().match(/../g) ?? []).join(":")}`;
  const keys = text
    .split(",")
    .filter((part) => /^(bridge|firewall|link_down|mtu|queues|rate|tag|trunks|host-tunnel)=/.test(part))
    .sort();
  return [`${card.model}=${mac.toUpperCase()}`, ...keys].join(",");
}

/** An option as the configuration file will hold it. */
export function normalOption(world: World, option: string, value: string): string {
  if (option === "tags") return normalTags(world, value);
  if (/^net\d+$/.test(option)) return normalNetwork(value);
  if (option === "description") return value.replace(/\n+$/, "");
  return value;
}

/** Boot order of a VM that names none: its first disk, CD-ROM and network card; a single space for none. */
function defaultBoot(config: ReadonlyMap<string, string>): string {
  const drives = [...config].filter(([option]) => isDrive(option) && option !== "efidisk0");
  const disk = drives.find(([option, text]) => !isCdrom(parseDrive(option, text)));
  const cdrom = drives.find(([option, text]) => isCdrom(parseDrive(option, text)));
  const card = [...config.keys()].find((option) => /^net\d+$/.test(option));
  const order = [disk?.[0], cdrom?.[0], card].filter((device) => device !== undefined);
  return order.length > 0 ? `order=${order.join(";")}` : " ";
}

/** Throws the API's words when an id is taken, on whichever node. */
function checkFree(world: World, vmid: number): void {
  const other = world.vms.get(vmid);
  if (other) throw died(`unable to create VM ${vmid} - VM ${vmid} already exists on node '${other.node}'`);
}

export function checkPool(world: World, pool: string | undefined): void {
  if (pool !== undefined && !world.pools.has(pool)) throw forbidden(`pool '${pool}' does not exist`);
}

/** `POST /nodes/{node}/qemu`: checks at once, takes the id with a lock, and does the rest in a task. */
export function create({ world, who, node, params }: Call): string {
  const vmid = params.int("vmid") ?? 0;
  const pool = params.get("pool");
  const options = params.except(...OWN);
  const { access } = world;
  if (params.get("archive") !== undefined) throw died("restoring an archive is not part of this stand-in");
  checkPool(world, pool);
  const storage = params.get("storage");
  if (storage !== undefined) access.check(who, `/storage/${storage}`, ["Datastore.AllocateSpace"]);
  if (
    !access.has(who, `/vms/${vmid}`, "VM.Allocate") &&
    !(pool !== undefined && access.has(who, `/pool/${pool}`, "VM.Allocate"))
  ) {
    throw forbidden();
  }
  checkDrives(world, who, vmid, options);
  checkSerial(world, who, vmid, pool, options);
  checkBridges(world, who, options);
  checkOptions(world, who, vmid, pool, options.keys());
  if (params.flag("start")) access.checkVm(who, vmid, pool, ["VM.PowerMgmt"]);
  // Before 9.2 the permission for tags is looked up with the pool, and here.
  if (options.has("tags") && !world.atLeast(9, 2)) access.checkVm(who, vmid, pool, ["VM.Config.Options"]);
  checkFree(world, vmid);
  const vm = new Vm(vmid, node);
  vm.config.set("lock", "create");
  world.vms.set(vmid, vm);
  const request = { vm, pool, options, start: params.flag("start") };
  return world.tasks.start(node, "qmcreate", String(vmid), who, (worker) => run(world, worker, who, request));
}

interface CreateRequest {
  vm: Vm;
  pool: string | undefined;
  options: Map<string, string>;
  start: boolean;
}

async function run(world: World, worker: Worker, who: string, request: CreateRequest): Promise<void> {
  const { vm, pool, options } = request;
  const made: Volume[] = [];
  try {
    const config = await build(world, worker, who, vm, options, made);
    vm.config = config;
    if (pool !== undefined) world.pools.get(pool)?.vms.add(vm.vmid);
  } catch (error) {
    // A worker that was killed cleans nothing up: the id stays taken, under its lock.
    if (error instanceof WorkerDeath) throw error;
    for (const volume of made) {
      await world.backend.free(volume);
      world.volumes.remove(volume);
    }
    world.vms.delete(vm.vmid);
    if (error instanceof TaskFailure && error.verbatim) throw error;
    const text =
      error instanceof Refusal && error.status !== 500 ? `${error.status} ${error.message}` : (error as Error).message;
    throw new TaskFailure(`unable to create VM ${vm.vmid} - ${text}`);
  }
  if (!request.start) return;
  worker.log("Execute autostart");
  await world.exclusive(vm, () => startMachine(world, vm));
}

async function build(
  world: World,
  worker: Worker,
  who: string,
  vm: Vm,
  options: Map<string, string>,
  made: Volume[],
): Promise<Map<string, string>> {
  const { vmid, node } = vm;
  // Media are looked up before any disk is made.
  for (const [option, text] of options) {
    if (isDrive(option) && isCdrom(parseDrive(option, text)))
      checkMedium(world, node, parseDrive(option, text).get("file"));
  }
  const copies = [...options].some(([option, text]) => isDrive(option) && text.includes("import-from="));
  const work = { log: worker.log, signal: worker.signal, work: worker.work };
  const drives = await createDisks(
    world,
    node,
    vmid,
    options,
    copies ? work : { log: worker.log, signal: worker.signal },
    made,
  );
  if (!copies) await worker.work();
  // 9.2 looks the permission for tags up here, at /vms/VMID, before the VM is in its pool (GuestHelpers).
  if (options.has("tags") && world.atLeast(9, 2)) world.access.check(who, `/vms/${vmid}`, ["VM.Config.Options"]);
  const config = new Map<string, string>();
  for (const [option, value] of options) config.set(option, drives.get(option) ?? normalOption(world, option, value));
  if (!config.has("boot")) config.set("boot", defaultBoot(config));
  if (!config.has("smbios1")) config.set("smbios1", `uuid=${randomUUID()}`);
  if (!config.has("vmgenid")) config.set("vmgenid", randomUUID());
  config.set("meta", `creation-qemu=${world.atLeast(9, 0) ? "10.1.2" : "9.2.0"},ctime=${world.clock.seconds()}`);
  return config;
}

function checkMedium(world: World, node: string, file: string | undefined): void {
  if (file === undefined || file === "none" || file === "cdrom" || file.endsWith(":cloudinit")) return;
  if (!world.findVolume(file, node)) throw died(`volume '${file}' does not exist`);
}
