import { died } from "../refusal.ts";
import { readImage } from "../storage/image.ts";
import { type Storage, type Volume, volid } from "../storage/volumes.ts";
import { formatSize, readableSize } from "../sizes.ts";
import { TaskFailure, type Worker } from "../tasks.ts";
import type { World } from "../world.ts";
import { type Drive, isCdrom, isDrive, newDisk, parseDrive, printDrive } from "./disks.ts";

const CLOUD_INIT_BYTES = 4 * 1024 ** 2;

/** Where lines of the work go, and how it is stopped; a call that runs without a task has none of both. */
export interface Work {
  log(line: string): void;
  signal?: AbortSignal;
  work?: Worker["work"];
}

/** The next free disk name of a VM in a storage. */
export function nextDiskName(world: World, storage: Storage, node: string, vmid: number, format: string): string {
  for (let n = 0; ; n++) {
    const taken = world.volumes
      .on(storage.name, node)
      .some(
        (volume) => volume.vmid === vmid && new RegExp(`(?:vm|base)-${vmid}-disk-${n}(?:\\.\\w+)?$`).test(volume.name),
      );
    if (!taken) return storage.diskName(vmid, `vm-${vmid}-disk-${n}`, format);
  }
}

/** Puts a new disk's volume into the books, before its bytes are made. */
export function registerDisk(
  world: World,
  storage: Storage,
  node: string,
  vmid: number,
  disk: { name: string; format: string; sizeBytes: number; usedBytes: number; parent?: string },
): Volume {
  return world.volumes.add({
    storage: storage.name,
    node: storage.shared ? "" : node,
    content: "images",
    virtualBytes: disk.sizeBytes,
    ctime: world.clock.seconds(),
    vmid,
    handle: undefined,
    seeded: false,
    ...disk,
  });
}

function checkSpace(world: World, storage: Storage, node: string, bytes: number): void {
  if (bytes <= storage.totalBytes - world.volumes.usedBytes(storage.name, node)) return;
  throw new TaskFailure(`write error (No space left on device) on storage '${storage.name}'`);
}

/** The line that qemu-img writes when it makes a file. */
export function formattingLine(storage: Storage, name: string, format: string, bytes: number, extra = ""): string {
  const path = storage.pathOf(name);
  if (!storage.isFileStorage) return `  Logical volume "${name}" created.`;
  if (format === "raw") return `Formatting '${path}', fmt=raw size=${bytes} preallocation=off`;
  const cluster = extra === "" ? "cluster_size=65536 extended_l2=off" : "cluster_size=131072 extended_l2=on";
  return `Formatting '${path}', fmt=${format} ${cluster} preallocation=metadata compression_type=zlib size=${bytes} ${extra}lazy_refcounts=off refcount_bits=16`;
}

/**
 * Makes the disks that a request asks for and finds those that it names (PVE::API2::Qemu, create_disks). Gives each
 * drive as the configuration will have it, and the volumes made, so that the caller can take them back.
 */
export async function createDisks(
  world: World,
  node: string,
  vmid: number,
  options: ReadonlyMap<string, string>,
  work: Work,
  made: Volume[],
): Promise<Map<string, string>> {
  const drives = new Map<string, string>();
  for (const [option, text] of [...options].filter(([name]) => isDrive(name)).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const drive = parseDrive(option, text);
    const file = drive.get("file") ?? "none";
    const wanted = newDisk(file);
    if (file.endsWith(":cloudinit"))
      drives.set(option, await cloudInitDrive(world, node, vmid, option, file, work, made));
    else if (wanted && !isCdrom(drive)) {
      const source = drive.get("import-from");
      const storage = world.storageOn(wanted.storage, node);
      const volume =
        source === undefined
          ? await emptyDisk(
              world,
              node,
              vmid,
              storage,
              drive,
              emptyBytes(world, node, storage, option, wanted.gib),
              work,
              made,
            )
          : await importDisk(world, node, vmid, storage, drive, source, work, made);
      const done = printDrive(new Map(drive).set("file", volid(volume)).set("size", formatSize(volume.sizeBytes)));
      work.log(`${option}: successfully created disk '${done}'`);
      drives.set(option, done);
    } else drives.set(option, existingDrive(world, node, drive, file));
  }
  return drives;
}

function existingDrive(world: World, node: string, drive: Drive, file: string): string {
  if (file === "none" || file === "cdrom") return printDrive(drive);
  const volume = world.findVolume(file, node);
  if (!volume) throw died(`volume '${file}' does not exist`);
  return printDrive(new Map(drive).set("size", formatSize(volume.sizeBytes)));
}

async function cloudInitDrive(
  world: World,
  node: string,
  vmid: number,
  option: string,
  file: string,
  work: Work,
  made: Volume[],
): Promise<string> {
  const storage = world.storageOn(file.slice(0, file.indexOf(":")), node);
  const format = storage.isFileStorage ? "qcow2" : "raw";
  const name = storage.diskName(vmid, `vm-${vmid}-cloudinit`, format);
  if (world.volumes.find(storage.name, name, node)) throw died(`disk image '${storage.pathOf(name)}' already exists`);
  work.log(formattingLine(storage, name, format, CLOUD_INIT_BYTES));
  made.push(registerDisk(world, storage, node, vmid, { name, format, sizeBytes: CLOUD_INIT_BYTES, usedBytes: 0 }));
  const drive = `${storage.name}:${name},media=cdrom`;
  work.log(`${option}: successfully created disk '${drive}'`);
  return drive;
}

/**
 * Bytes of a new disk, in whole KiB as the storage plugins reckon: 0.01 GiB is 10486K. A disk for UEFI variables is as
 * long as the firmware's template for it, whatever was asked for.
 */
function emptyBytes(world: World, node: string, storage: Storage, option: string, gib: number): number {
  if (option !== "efidisk0") return Math.ceil(gib * 1024 * 1024) * 1024;
  if (world.nodes.get(node)?.arch === "aarch64") return 64 * 1024 ** 2;
  return storage.isFileStorage ? 528 * 1024 : 4 * 1024 ** 2;
}

async function emptyDisk(
  world: World,
  node: string,
  vmid: number,
  storage: Storage,
  drive: Drive,
  sizeBytes: number,
  work: Work,
  made: Volume[],
): Promise<Volume> {
  const format = drive.get("format") ?? "raw";
  checkFormat(storage, format);
  checkSpace(world, storage, node, sizeBytes);
  const name = nextDiskName(world, storage, node, vmid, format);
  work.log(formattingLine(storage, name, format, sizeBytes));
  const volume = registerDisk(world, storage, node, vmid, { name, format, sizeBytes, usedBytes: 0 });
  made.push(volume);
  await world.backend.allocate(volume);
  return volume;
}

/** Block storages take raw disks only; a format that does not fit is refused by the storage plugin. */
function checkFormat(storage: Storage, format: string): void {
  if (storage.isFileStorage || format === "raw") return;
  throw new TaskFailure(`unsupported format '${format}' at /usr/share/perl5/PVE/Storage/Plugin.pm`);
}

async function importDisk(
  world: World,
  node: string,
  vmid: number,
  storage: Storage,
  drive: Drive,
  source: string,
  work: Work,
  made: Volume[],
): Promise<Volume> {
  const from = world.findVolume(source, node);
  const sourceStorage = world.storage(source.slice(0, source.indexOf(":")));
  const sourcePath = sourceStorage.pathOf(source.slice(source.indexOf(":") + 1));
  if (!from) throw new TaskFailure(`failed to stat '${sourcePath}'`);
  const bytes = imageBytes(from, sourcePath, work);
  const format = drive.get("format") ?? (storage.isFileStorage ? (from.format === "raw" ? "raw" : "qcow2") : "raw");
  checkFormat(storage, format);
  work.log(`create full clone of drive (${source})`);
  checkSpace(world, storage, node, from.usedBytes);
  const name = nextDiskName(world, storage, node, vmid, format);
  work.log(formattingLine(storage, name, format, bytes));
  const volume = registerDisk(world, storage, node, vmid, {
    name,
    format,
    sizeBytes: bytes,
    usedBytes: from.usedBytes,
  });
  made.push(volume);
  work.log(`allocated target volume '${volid(volume)}'`);
  try {
    await transfer(work, bytes);
    await world.backend.copy(from, volume, work.signal ?? new AbortController().signal);
  } catch (error) {
    if (!(error instanceof TaskFailure) || error.verbatim) throw error;
    const zeroed = storage.isFileStorage ? `zeroinit:${storage.pathOf(name)}` : storage.pathOf(name);
    const command = `/usr/bin/qemu-img convert -p -n -f ${from.format} -O ${format} ${sourcePath} ${zeroed}`;
    throw new TaskFailure(
      `cannot import from '${source}' - copy failed: command '${command}' failed: ${error.message}`,
    );
  }
  return volume;
}

function imageBytes(from: Volume, path: string, work: Work): number {
  if (from.content === "images") return from.sizeBytes;
  try {
    return from.file === undefined ? from.virtualBytes : readImage(from.file, from.format, path).virtualBytes;
  } catch (error) {
    work.log(`command '/usr/bin/qemu-img info '--output=json' ${path} -f ${from.format}' failed: exit code 1`);
    throw new TaskFailure((error as Error).message);
  }
}

/** The lines of a copy that goes on, one per hundredth of it, or per 32 MiB of small disks. */
export async function transfer(work: Work, bytes: number): Promise<void> {
  const lines = Math.min(100, Math.max(2, Math.ceil(bytes / (32 * 1024 ** 2))));
  let written = -1;
  const upTo = (share: number) => {
    for (; written < Math.floor(share * lines);) {
      const part = ++written / lines;
      work.log(`transferred ${readableSize(bytes * part)} of ${readableSize(bytes)} (${(part * 100).toFixed(2)}%)`);
    }
  };
  await work.work?.(upTo);
  upTo(1);
  work.log(`transferred ${readableSize(bytes)} of ${readableSize(bytes)} (100.00%)`);
}
