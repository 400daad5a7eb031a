import { formatOf } from "../schema/schema.ts";
import { parseProperties } from "../schema/property-string.ts";
import { formatSize, parseSize } from "../sizes.ts";

const DRIVE = /^(?:(?:ide|sata|scsi|virtio)\d+|efidisk0|tpmstate0)$/;

/** True for options that are drives: `scsi0`, `ide2`, `efidisk0`, … */
export const isDrive = (option: string): boolean => DRIVE.test(option);

export type Drive = Map<string, string>;

/** A drive option split into its keys; `file` holds the volume. */
export const parseDrive = (option: string, text: string): Drive => parseProperties(text, formatOf(option)).values;

export const isCdrom = (drive: Drive): boolean => drive.get("media") === "cdrom";

/** Writes a drive as a configuration has it: the volume first, then the keys in the alphabet's order. */
export function printDrive(drive: Drive): string {
  const keys = [...drive.keys()].filter((key) => !["file", "format", "import-from"].includes(key)).sort();
  return [drive.get("file"), ...keys.map((key) => `${key}=${drive.get(key)}`)].join(",");
}

/** `STORAGE:GiB` asks for a new disk; `STORAGE:0` with import-from for one of the image's size. */
export function newDisk(file: string): { storage: string; gib: number } | undefined {
  const match = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(\d+(?:\.\d+)?)$/i.exec(file);
  return match ? { storage: match[1] ?? "", gib: Number(match[2]) } : undefined;
}

/** The drives of a configuration that hold a volume, CD-ROM drives with a medium among them. */
export function drivesOf(config: ReadonlyMap<string, string>): { option: string; drive: Drive; volume: string }[] {
  return [...config]
    .filter(([option]) => isDrive(option))
    .map(([option, text]) => ({ option, drive: parseDrive(option, text) }))
    .map(({ option, drive }) => ({ option, drive, volume: drive.get("file") ?? "none" }))
    .filter(({ volume }) => volume !== "none" && volume !== "cdrom");
}

/** Bytes of the boot disk, which `maxdisk` shows. */
export function diskBytes(config: ReadonlyMap<string, string>): number {
  const disks = drivesOf(config).filter(({ drive }) => !isCdrom(drive));
  const order = /order=([^,]*)/.exec(config.get("boot") ?? "")?.[1]?.split(/[;\s]/) ?? [];
  const boot = disks.find(({ option }) => order.includes(option)) ?? disks[0];
  return boot ? (parseSize(boot.drive.get("size") ?? "0") ?? 0) : 0;
}

export const memoryMiB = (config: ReadonlyMap<string, string>): number =>
  Number((config.get("memory") ?? "512").replace(/^current=/, ""));

/** The drive with another size, in bytes. */
export const withSize = (drive: Drive, bytes: number): Drive => new Map(drive).set("size", formatSize(bytes));
