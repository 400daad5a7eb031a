import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";

/** Where the one partition of the guest image begins. */
const partitionBytes = 1024 ** 2;

/** What lies on a disk's root file system, read without booting or mounting it. */
export interface DiskFiles extends Disposable {
  /** The text of a file; undefined: there is none. */
  read(file: string): string | undefined;
  exists(file: string): boolean;
  /** Names in a folder; empty where there is no folder. */
  list(folder: string): string[];
  /** Paths of all regular files below a folder. */
  below(folder: string): string[];
  /** Bytes that the disk takes on its storage, and that its machine sees. */
  size: { allocated: number; virtual: number };
}

/** Copies `folders` out of the ext4 file system in a disk, with debugfs of e2fsprogs. */
export function readDisk(disk: string, scratch: string, folders: readonly string[]): DiskFiles {
  const work = mkdtempSync(path.join(scratch, "disk-"));
  const raw = path.join(work, "disk.raw");
  execFileSync("qemu-img", ["convert", "-O", "raw", disk, raw]);
  const root = path.join(work, "root");
  for (const folder of folders) {
    const parent = path.join(root, path.dirname(folder));
    mkdirSync(parent, { recursive: true });
    execFileSync("debugfs", ["-R", `rdump ${folder} ${parent}`, `${raw}?offset=${partitionBytes}`], {
      stdio: "ignore",
    });
  }
  rmSync(raw);
  const info = JSON.parse(execFileSync("qemu-img", ["info", "--output=json", disk], { encoding: "utf8" })) as {
    "actual-size": number;
    "virtual-size": number;
  };
  const at = (file: string): string => path.join(root, file);
  return {
    read: (file) => (existsSync(at(file)) ? readFileSync(at(file), "utf8") : undefined),
    exists: (file) => lstatSync(at(file), { throwIfNoEntry: false }) !== undefined,
    list: (folder) => (existsSync(at(folder)) && statSync(at(folder)).isDirectory() ? readdirSync(at(folder)) : []),
    below: (folder) =>
      existsSync(at(folder))
        ? readdirSync(at(folder), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => `/${path.relative(root, path.join(entry.parentPath, entry.name))}`)
        : [],
    size: { allocated: info["actual-size"], virtual: info["virtual-size"] },
    [Symbol.dispose]: () => rmSync(work, { recursive: true, force: true }),
  };
}
