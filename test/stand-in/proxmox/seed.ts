import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { newFile } from "./storage/download.ts";
import { formatByName, readImage } from "./storage/image.ts";
import { type Storage, type Volume, volid } from "./storage/volumes.ts";
import { formatSize } from "./sizes.ts";
import { Vm } from "./vms/vm.ts";
import type { World } from "./world.ts";

export interface SeedVolume {
  storage: string;
  /** `iso/seed.iso`, `import/ubuntu.qcow2`, `100/vm-100-disk-0.qcow2`. */
  name: string;
  node?: string;
  /** The bytes of an ISO or image; of an image to import, its header counts. Default: a qcow2 header for 4 GiB. */
  bytes?: Uint8Array;
  /** Bytes that are shown; default the length of `bytes`, and of a disk 4 GiB. */
  sizeBytes?: number;
  vmid?: number;
  parent?: string;
  handle?: unknown;
  ctime?: number;
}

export interface SeedVm {
  vmid: number;
  node?: string;
  pool?: string;
  /** Options of the configuration. */
  config?: Record<string, string | number>;
}

export interface SeedTemplate extends SeedVm {
  name?: string;
  tags?: string;
  description?: string;
  storage?: string;
  /** Bytes of the disk; default 4 GiB. */
  diskBytes?: number;
  /** False: template=1 is written, but the disk is no base volume. */
  converted?: boolean;
}

/** A qcow2 image that is nothing but its header, for a disk of so many bytes (QEMU, docs/interop/qcow2.txt). */
export function emptyQcow2(virtualBytes: number): Buffer {
  const header = Buffer.alloc(104);
  header.write("QFI\xfb", 0, "latin1");
  header.writeUInt32BE(3, 4);
  header.writeUInt32BE(16, 20);
  header.writeBigUInt64BE(BigInt(virtualBytes), 24);
  header.writeUInt32BE(4, 96);
  header.writeUInt32BE(104, 100);
  return header;
}

const GIB = 1024 ** 3;

/** What tests put into a cluster before the product comes. */
export class Seed {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  addVolume(seed: SeedVolume): Volume {
    const world = this.#world;
    const storage = world.storage(seed.storage);
    const folder = /^(iso|import|vztmpl|snippets)\//.exec(seed.name)?.[1];
    const content = (folder ?? "images") as Volume["content"];
    const bytes = content === "images" ? undefined : (seed.bytes ?? emptyQcow2(4 * GIB));
    const sizeBytes = seed.sizeBytes ?? bytes?.length ?? 4 * GIB;
    const format =
      content === "images" ? (/\.(qcow2|raw|vmdk)$/.exec(seed.name)?.[1] ?? "raw") : formatByName(seed.name);
    const file = bytes === undefined ? undefined : newFile(world);
    if (file !== undefined && bytes !== undefined) writeFileSync(file, bytes);
    const vmid = seed.vmid ?? (content === "images" ? Number(/(?:vm|base)-(\d+)-/.exec(seed.name)?.[1]) : undefined);
    return world.volumes.add({
      storage: storage.name,
      node: storage.shared ? "" : (seed.node ?? this.#firstNode()),
      name: seed.name,
      content,
      format,
      sizeBytes,
      usedBytes: content === "images" ? Math.min(sizeBytes, 3_411_968) : sizeBytes,
      virtualBytes:
        content === "import" && file !== undefined ? this.#virtualBytes(file, format, storage, seed.name) : sizeBytes,
      ctime: seed.ctime ?? world.clock.seconds(),
      ...(vmid === undefined ? {} : { vmid }),
      ...(seed.parent === undefined ? {} : { parent: seed.parent }),
      ...(file === undefined ? {} : { file }),
      handle: seed.handle ?? {
        source: "seed",
        name: seed.name,
        ...(bytes ? { sha256: createHash("sha256").update(bytes).digest("hex") } : {}),
      },
      seeded: true,
    });
  }

  #virtualBytes(file: string, format: string, storage: Storage, name: string): number {
    try {
      return readImage(file, format, storage.pathOf(name)).virtualBytes;
    } catch {
      return 0;
    }
  }

  #firstNode(): string {
    return [...this.#world.nodes.keys()][0] ?? "";
  }

  /** A VM that is there already; pvestatd has seen it. */
  addVm(seed: SeedVm): Vm {
    const world = this.#world;
    const vm = new Vm(seed.vmid, seed.node ?? this.#firstNode(), true);
    const config: Record<string, string | number> = {
      smbios1: `uuid=${randomUUID()}`,
      vmgenid: randomUUID(),
      ...seed.config,
    };
    for (const [option, value] of Object.entries(config)) vm.config.set(option, String(value));
    world.vms.set(vm.vmid, vm);
    if (seed.pool !== undefined) {
      if (!world.pools.has(seed.pool))
        world.pools.set(seed.pool, { id: seed.pool, vms: new Set(), storages: new Set() });
      world.pools.get(seed.pool)?.vms.add(vm.vmid);
    }
    world.statistics.refresh();
    return vm;
  }

  /** A template with one disk on scsi0, whole unless asked otherwise. */
  addTemplate(seed: SeedTemplate): Vm {
    const world = this.#world;
    const storage =
      seed.storage ?? [...world.storages.values()].find((known) => known.content.includes("images"))?.name ?? "";
    const label = `${seed.converted === false ? "vm" : "base"}-${seed.vmid}-disk-0`;
    const sizeBytes = seed.diskBytes ?? 4 * GIB;
    const disk = this.addVolume({
      storage,
      name: world.storage(storage).diskName(seed.vmid, label, "qcow2"),
      node: seed.node ?? this.#firstNode(),
      sizeBytes,
      vmid: seed.vmid,
    });
    return this.addVm({
      ...seed,
      config: {
        name: seed.name ?? `template-${seed.vmid}`,
        template: 1,
        agent: "1",
        boot: "order=scsi0",
        cores: 1,
        memory: "512",
        ostype: "l26",
        scsihw: "virtio-scsi-single",
        serial0: "socket",
        vga: "serial0",
        scsi0: `${volid(disk)},size=${formatSize(sizeBytes)}`,
        ...(seed.tags === undefined ? {} : { tags: seed.tags }),
        ...(seed.description === undefined ? {} : { description: seed.description }),
        ...seed.config,
      },
    });
  }
}
