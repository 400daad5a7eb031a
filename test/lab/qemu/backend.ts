import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Backend, Machine, MachineRequest } from "../../stand-in/proxmox/backend/backend.ts";
import type { Volume } from "../../stand-in/proxmox/storage/volumes.ts";
import { startMachine, type Engine, type QemuMachine } from "./machine.ts";

const run = promisify(execFile);

/** Disks as files that qemu-img makes, machines as QEMU processes. */
export class QemuBackend implements Backend {
  readonly #engine: Engine;
  readonly #machines = new Set<QemuMachine>();
  #nextDisk = 0;

  /** @param engine what every machine of this backend is run with; its directory holds disks, sockets and logs */
  constructor(engine: Engine) {
    this.#engine = engine;
    mkdirSync(engine.directory, { recursive: true });
  }

  /** The file of a disk, or of an image in a file storage. */
  fileOf(volume: Volume): string {
    if (typeof volume.handle === "string") return volume.handle;
    if (volume.file !== undefined) return volume.file;
    throw new Error(`${volume.storage}:${volume.name} has no bytes`);
  }

  /** The machine that runs a VM now. */
  machineOf(vmid: number): QemuMachine | undefined {
    return [...this.#machines].find((machine) => machine.vmid === vmid);
  }

  /** What a machine has printed on its serial console so far, also one that is gone; of its last start. */
  consoleFile(vmid: number): string {
    return path.join(this.#engine.directory, `console-${vmid}.log`);
  }

  #newFile(volume: Volume): string {
    const file = path.join(this.#engine.directory, `disk-${this.#nextDisk++}-vm-${volume.vmid ?? 0}.${volume.format}`);
    volume.handle = file;
    return file;
  }

  async allocate(volume: Volume): Promise<void> {
    await qemuImg("create", "-q", "-f", volume.format, this.#newFile(volume), String(volume.sizeBytes));
  }

  async copy(from: Volume, to: Volume, signal: AbortSignal): Promise<void> {
    const source = this.fileOf(from);
    await run("qemu-img", ["convert", "-O", to.format, source, this.#newFile(to)], { signal });
  }

  async link(base: Volume, to: Volume): Promise<void> {
    const backing = this.fileOf(base);
    await qemuImg("create", "-q", "-f", to.format, "-b", backing, "-F", base.format, this.#newFile(to));
  }

  async resize(volume: Volume, bytes: number, machine: Machine | undefined): Promise<void> {
    if (machine === undefined) {
      await qemuImg("resize", "-q", "-f", volume.format, this.fileOf(volume), String(bytes));
      return;
    }
    const running = [...this.#machines].find((one) => one === machine);
    await running?.resize(this.fileOf(volume), bytes);
  }

  async convertToBase(volume: Volume): Promise<void> {
    const file = this.fileOf(volume);
    const base = path.join(path.dirname(file), `base-${path.basename(file)}`);
    renameSync(file, base);
    chmodSync(base, 0o444);
    volume.handle = base;
  }

  async free(volume: Volume): Promise<void> {
    if (typeof volume.handle === "string") rmSync(volume.handle, { force: true });
  }

  async start(request: MachineRequest, events: { poweredOff(): void }): Promise<Machine> {
    const machine = await startMachine(this.#engine, request, {
      files: new Map(
        [...request.disks, ...request.cdroms].flatMap(({ device, volume }) =>
          volume === undefined ? [] : [[device, { file: this.fileOf(volume), format: formatOf(volume) }]],
        ),
      ),
      console: this.consoleFile(request.vmid),
      gone: (pulled) => {
        this.#machines.delete(machine);
        if (!pulled) events.poweredOff();
      },
    });
    this.#machines.add(machine);
    return machine;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#machines].map(async (machine) => machine.kill()));
  }
}

const formatOf = (volume: Volume): string => (volume.format === "qcow2" ? "qcow2" : "raw");

async function qemuImg(...argumentsOf: string[]): Promise<void> {
  await run("qemu-img", argumentsOf);
}
