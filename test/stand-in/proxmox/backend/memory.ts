import { readFileSync } from "node:fs";
import type { GuestHardware, GuestPlayer } from "../../guest-contract.ts";
import type { Volume } from "../storage/volumes.ts";
import type { Backend, BlockCounters, Machine, MachineEvents, MachineRequest } from "./backend.ts";

const SECTOR = 512;

/** A guest that runs and never says anything: no agent, no write, no power-off. */
export const silentGuest: GuestPlayer = () => ({
  readFile: () => undefined,
  hostname: () => "localhost",
  exec: () => ({ exitcode: 127, out: "", err: "" }),
  shutdown: () => {},
  kill: () => {},
});

/** Disks as values in memory, machines played by a guest player. */
export class MemoryBackend implements Backend {
  readonly #player: GuestPlayer;
  readonly #machines = new Set<Machine>();
  #nextPid = 20_000;

  constructor(player: GuestPlayer) {
    this.#player = player;
  }

  async allocate(volume: Volume): Promise<void> {
    volume.handle = undefined;
  }

  async copy(from: Volume, to: Volume): Promise<void> {
    to.handle = structuredClone(from.handle);
  }

  async link(base: Volume, to: Volume): Promise<void> {
    to.handle = structuredClone(base.handle);
  }

  async resize(): Promise<void> {}

  async convertToBase(): Promise<void> {}

  async free(): Promise<void> {}

  async start(request: MachineRequest, events: MachineEvents): Promise<Machine> {
    const counters = new Map<string, BlockCounters>();
    for (const { device } of [...request.disks, ...request.cdroms]) {
      counters.set(device, { rd_bytes: 0, rd_operations: 0, wr_bytes: 0, wr_operations: 0, wr_highest_offset: 0 });
    }
    const counter = (device: string): BlockCounters => {
      const found = counters.get(device);
      if (!found) throw new Error(`the guest of VM ${request.vmid} used ${device}, which the machine does not have`);
      return found;
    };
    let agentUp = false;
    let off = false;
    // A guest may switch itself off before its machine is there.
    const running: { machine?: Machine } = {};
    const guest = this.#player(hardwareOf(request), {
      wroteSector: (device, sector) => {
        const found = counter(device);
        found.wr_bytes += SECTOR;
        found.wr_operations++;
        found.wr_highest_offset = Math.max(found.wr_highest_offset, (sector + 1) * SECTOR);
      },
      readBytes: (device, bytes) => {
        const found = counter(device);
        found.rd_bytes += bytes;
        found.rd_operations++;
      },
      agent: (up) => void (agentUp = up),
      console: (text) => events.console?.(text),
      poweredOff: () => {
        if (off) return;
        off = true;
        if (running.machine) this.#machines.delete(running.machine);
        events.poweredOff();
      },
    });
    const machine: Machine = {
      pid: this.#nextPid++,
      agent: {
        up: () => agentUp,
        hostname: () => guest.hostname(),
        readFile: (path) => guest.readFile(path),
        exec: (argv, input) => guest.exec(argv, input),
      },
      blockstat: () => Object.fromEntries(counters),
      shutdown: () => guest.shutdown(),
      kill: () => {
        off = true;
        this.#machines.delete(machine);
        guest.kill();
      },
    };
    running.machine = machine;
    if (!off) this.#machines.add(machine);
    return machine;
  }

  async close(): Promise<void> {
    for (const machine of this.#machines) await machine.kill();
  }
}

function hardwareOf(request: MachineRequest): GuestHardware {
  return {
    vmid: request.vmid,
    cdroms: request.cdroms.flatMap(({ device, volume }) => {
      if (volume?.file === undefined) return [];
      // Read now: the drive keeps its medium open, so that deleting the file takes nothing from the guest.
      const bytes = readFileSync(volume.file);
      return [{ device, read: () => bytes }];
    }),
    networks: request.networks,
    disks: new Map(request.disks.map(({ device, volume }) => [device, diskOf(volume)])),
    smbiosUuid: request.smbiosUuid,
    memoryMiB: request.memoryMiB,
    cores: request.cores,
  };
}

/** The guest's view of a disk: what it writes is in the volume, also for clones made later. */
function diskOf(volume: Volume): { sizeBytes: number; content: unknown } {
  return {
    get sizeBytes() {
      return volume.sizeBytes;
    },
    get content() {
      return volume.handle;
    },
    set content(value: unknown) {
      volume.handle = value;
    },
  };
}
