import { rmSync } from "node:fs";
import type { StorageOptions } from "../options.ts";

/** Something stored: an ISO, an image to import, a disk. */
export interface Volume {
  storage: string;
  /** The node that holds it, for storages which are not shared; "" for shared ones. */
  node: string;
  /** What follows `STORAGE:` in a volume id. */
  name: string;
  content: "iso" | "import" | "images" | "vztmpl" | "snippets";
  format: string;
  /** Bytes: of a disk what its machine sees, of a file its length. */
  sizeBytes: number;
  usedBytes: number;
  /** Bytes of the disk that an image holds. */
  virtualBytes: number;
  /** Seconds since the epoch. */
  ctime: number;
  vmid?: number;
  /** The name of the volume that a linked clone is based on. */
  parent?: string;
  /** Where the bytes of an ISO or image are, on the machine that the stand-in runs on. */
  file?: string;
  /** The backend's own: the content of a disk, as the guest player or QEMU knows it. */
  handle: unknown;
  /** True for what a test put there before the product came. */
  seeded: boolean;
}

export const volid = (volume: Volume): string => `${volume.storage}:${volume.name}`;

const FILE_TYPES = new Set(["dir", "nfs", "cifs", "btrfs", "cephfs", "glusterfs"]);

/** A storage as the datacenter knows it. */
export class Storage {
  readonly name: string;
  readonly type: string;
  readonly content: readonly string[];
  readonly nodes: readonly string[] | undefined;
  readonly shared: boolean;
  readonly path: string;
  readonly totalBytes: number;

  constructor(options: StorageOptions) {
    this.name = options.name;
    this.type = options.type;
    this.content = options.content;
    this.nodes = options.nodes;
    this.shared = options.shared ?? ["nfs", "cifs", "cephfs", "rbd", "iscsi"].includes(options.type);
    this.path = options.path ?? (options.name === "local" ? "/var/lib/vz" : `/mnt/pve/${options.name}`);
    this.totalBytes = options.availBytes ?? 252 * 1024 ** 3;
  }

  /** Whether disks are files; block storages take no formats but raw. */
  get isFileStorage(): boolean {
    return FILE_TYPES.has(this.type);
  }

  isOn(node: string): boolean {
    return this.nodes === undefined || this.nodes.includes(node);
  }

  /** Where a volume lies on the node, as logs and error texts name it. */
  pathOf(name: string): string {
    if (!this.isFileStorage) return `/dev/${this.name}/${name.replace(/^.*\//, "")}`;
    if (name.startsWith("iso/")) return `${this.path}/template/${name}`;
    if (name.startsWith("import/") || name.startsWith("snippets/")) return `${this.path}/${name}`;
    const parts = name.split("/");
    return `${this.path}/images/${parts.slice(-2).join("/")}`;
  }

  /** Name of a new disk: `100/vm-100-disk-0.qcow2` on file storages, `vm-100-disk-0` on block storages. */
  diskName(vmid: number, label: string, format: string): string {
    return this.isFileStorage ? `${vmid}/${label}.${format}` : label;
  }
}

/** All volumes of all storages. */
export class Volumes {
  readonly #all = new Set<Volume>();

  [Symbol.iterator](): IterableIterator<Volume> {
    return this.#all.values();
  }

  add(volume: Volume): Volume {
    const old = this.find(volume.storage, volume.name, volume.node);
    if (old) this.remove(old);
    this.#all.add(volume);
    return volume;
  }

  /** Takes a volume away; also its bytes, where it has its own. */
  remove(volume: Volume): void {
    this.#all.delete(volume);
    if (volume.file !== undefined) rmSync(volume.file, { force: true });
  }

  /** Finds a volume by its name as a node sees it. */
  find(storage: string, name: string, node: string): Volume | undefined {
    for (const volume of this.#all) {
      if (volume.storage === storage && volume.name === name && (volume.node === "" || volume.node === node)) {
        return volume;
      }
    }
    return undefined;
  }

  on(storage: string, node: string): Volume[] {
    return [...this.#all].filter(
      (volume) => volume.storage === storage && (volume.node === "" || volume.node === node),
    );
  }

  /** Linked clones of a base volume. */
  childrenOf(base: Volume): Volume[] {
    return [...this.#all].filter(
      (volume) => volume.storage === base.storage && volume.node === base.node && volume.parent === base.name,
    );
  }

  usedBytes(storage: string, node: string): number {
    return this.on(storage, node).reduce((sum, volume) => sum + volume.usedBytes, 0);
  }
}
