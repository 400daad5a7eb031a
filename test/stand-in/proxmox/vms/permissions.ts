import { parseProperties } from "../schema/property-string.ts";
import { formatOf } from "../schema/schema.ts";
import { badParameters, died } from "../refusal.ts";
import type { World } from "../world.ts";
import { isCdrom, isDrive, newDisk, parseDrive } from "./disks.ts";

const set = (text: string) => new Set(text.split(" "));
const CPU = set("cores cpu cpulimit cpuunits numa smp sockets vcpus affinity");
const MEMORY = set("memory balloon shares hugepages keephugepages allow-ksm");
const HARDWARE = set(
  "acpi arch audio0 efidisk0 hotplug ivshmem kvm machine rng0 scsihw smbios1 tablet tpmstate0 vga vmgenid watchdog",
);
const GENERAL = set(
  "agent autostart bios description keyboard localtime migrate_downtime migrate_speed name onboot ostype protection reboot spice_enhancements startdate startup tdf template",
);
const DISK = set("boot bootdisk vmstatestorage");
const CLOUD_INIT = set("cicustom cipassword citype ciupgrade ciuser nameserver searchdomain sshkeys");

/** What an option of a configuration needs; undefined: it is looked at elsewhere. */
function privilegesFor(option: string): string[] | undefined {
  if (isDrive(option) || option === "cdrom" || /^(unused|serial|usb|hostpci|virtiofs)\d+$/.test(option))
    return undefined;
  if (option === "tags") return undefined;
  if (CPU.has(option) || /^numa\d+$/.test(option)) return ["VM.Config.CPU"];
  if (MEMORY.has(option)) return ["VM.Config.Memory"];
  if (HARDWARE.has(option)) return ["VM.Config.HWType"];
  if (GENERAL.has(option)) return ["VM.Config.Options"];
  if (DISK.has(option)) return ["VM.Config.Disk"];
  if (/^net\d+$/.test(option)) return ["VM.Config.Network"];
  if (CLOUD_INIT.has(option) || /^ipconfig\d+$/.test(option)) return ["VM.Config.Cloudinit", "VM.Config.Network"];
  // `args`, `hookscript`, `lock` and the like: for root@pam itself, not for its tokens.
  throw died(`only root can set '${option}' config`);
}

/** Checks the privileges for setting or deleting these options of a VM that is, or is going to be, in a pool. */
export function checkOptions(
  world: World,
  who: string,
  vmid: number,
  pool: string | undefined,
  options: Iterable<string>,
): void {
  if (who === "root@pam") return;
  for (const option of options) {
    const privileges = privilegesFor(option);
    if (privileges) world.access.checkVm(who, vmid, pool, privileges, privileges.length > 1);
  }
}

/** Serial ports need VM.Config.HWType; real devices, like all passed-through hardware, are root's. */
export function checkSerial(
  world: World,
  who: string,
  vmid: number,
  pool: string | undefined,
  options: Iterable<[string, string]>,
): void {
  if (who === "root@pam") return;
  for (const [option, value] of options) {
    if (!/^serial\d+$/.test(option)) continue;
    if (value !== "socket" && value !== "") throw died(`only root can set '${option}' config for real devices`);
    world.access.checkVm(who, vmid, pool, ["VM.Config.HWType"]);
  }
}

export interface NetworkCard {
  model: string;
  macaddr?: string;
  bridge?: string;
  tag?: number;
}

export function parseNetwork(text: string): NetworkCard {
  const { values } = parseProperties(text, formatOf("net0"));
  const [macaddr, bridge, tag] = [values.get("macaddr"), values.get("bridge"), values.get("tag")];
  return {
    model: values.get("model") ?? "virtio",
    ...(macaddr === undefined ? {} : { macaddr }),
    ...(bridge === undefined ? {} : { bridge }),
    ...(tag === undefined ? {} : { tag: Number(tag) }),
  };
}

/** A bridge needs SDN.Use at its own path, or at that of its VLAN when a tag is set (since PVE 8). */
export function checkBridges(world: World, who: string, options: Iterable<[string, string]>): void {
  for (const [option, value] of options) {
    if (!/^net\d+$/.test(option)) continue;
    const { bridge, tag } = parseNetwork(value);
    if (bridge === undefined) continue;
    const path = `/sdn/zones/localnetwork/${bridge}${tag === undefined ? "" : `/${tag}`}`;
    world.access.check(who, path, ["SDN.Use"]);
  }
}

/** Reading a volume that is there: ISOs and images for who sees the storage, disks for who may use their VM. */
function checkVolumeAccess(world: World, who: string, vmid: number, id: string): void {
  if (id.startsWith("/"))
    throw died("Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651.");
  const [storage = "", name = ""] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
  world.storage(storage);
  const owner = /(?:^|\/)(?:vm|base)-(\d+)-/.exec(name)?.[1];
  if (owner === String(vmid)) return;
  if (owner === undefined) {
    world.access.checkAny(who, `/storage/${storage}`, ["Datastore.AllocateSpace", "Datastore.Audit"]);
    return;
  }
  world.access.check(who, `/storage/${storage}`, ["Datastore.Allocate"]);
}

/** Checks every drive of a request: new disks need space, existing volumes need to be readable. */
export function checkDrives(world: World, who: string, vmid: number, options: Iterable<[string, string]>): void {
  for (const [option, text] of options) {
    if (!isDrive(option)) continue;
    const drive = parseDrive(option, text);
    const file = drive.get("file") ?? "none";
    const source = drive.get("import-from");
    const wanted = newDisk(file);
    if (source !== undefined && wanted?.gib !== 0) {
      throw badParameters({
        [option]: "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>",
      });
    }
    if (file === "none" || file.endsWith(":cloudinit")) continue;
    if (file === "cdrom") world.access.check(who, "/", ["Sys.Console"]);
    else if (wanted && !isCdrom(drive)) {
      world.access.check(who, `/storage/${wanted.storage}`, ["Datastore.AllocateSpace"]);
      const storage = world.storage(wanted.storage);
      if (!storage.content.includes("images")) {
        throw badParameters({ storage: `storage '${wanted.storage}' does not support vm images` });
      }
    } else checkVolumeAccess(world, who, vmid, file);
    if (source !== undefined) checkSource(world, who, vmid, option, source);
  }
}

function checkSource(world: World, who: string, vmid: number, option: string, source: string): void {
  checkVolumeAccess(world, who, vmid, source);
  const name = source.slice(source.indexOf(":") + 1);
  const type = /^(iso|import|snippets|vztmpl|backup)\//.exec(name)?.[1] ?? "images";
  if (type !== "images" && type !== "import") {
    throw badParameters({ [option]: `${source} has wrong type '${type}' - not an image` });
  }
}

/** Changing or taking away a drive of a VM that is there. */
export function checkDriveChange(
  world: World,
  who: string,
  vmid: number,
  option: string,
  text: string | undefined,
): void {
  if (who === "root@pam" || (!isDrive(option) && option !== "cdrom" && !/^unused\d+$/.test(option))) return;
  const cdrom = option === "cdrom" || (text !== undefined && isCdrom(parseDrive(option, text)));
  world.access.checkVm(who, vmid, undefined, [cdrom ? "VM.Config.CDROM" : "VM.Config.Disk"]);
}
