// test/stand-in/guest-contract.ts: between the stand-in for Proxmox VE and whatever plays a guest in it.

/** What the VM gives its guest when it starts. */
export interface GuestHardware {
  vmid: number;
  /** CD-ROM drives that hold a medium, e.g. { device: "ide2", read: () => bytes }. */
  cdroms: readonly { device: string; read(): Uint8Array }[];
  /** Network cards, e.g. { device: "net0", mac: "BC:24:11:…", bridge: "vmbr0", vlan: 12 }. */
  networks: readonly { device: string; mac: string; bridge: string; vlan?: number }[];
  /** Disks by device name; size in bytes. A disk made from an image or from another disk carries `content`, an opaque value that the guest may read and replace (the simulated file system). */
  disks: Map<string, { sizeBytes: number; content: unknown }>;
  smbiosUuid: string;
  memoryMiB: number;
  cores: number;
}

/** What a guest tells the machine around it. */
export interface GuestEvents {
  /** A sector of 512 bytes was written at this sector number: blockstat.DEVICE.wr_highest_offset becomes at least (sector + 1) * 512. (The recording: code 7 came as 4096.) */
  wroteSector(device: string, sector: number): void;
  /** Bytes read from a device: blockstat.DEVICE.rd_bytes grows. */
  readBytes(device: string, bytes: number): void;
  /** The guest agent answers from now on (true) or stops (false). */
  agent(up: boolean): void;
  /** The guest printed this on its serial console. */
  console?(text: string): void;
  /** The guest switched itself off (no task appears). */
  poweredOff(): void;
}

/** A running guest. */
export interface RunningGuest {
  /** Agent file-read; undefined: no such file. */
  readFile(path: string): string | undefined;
  hostname(): string;
  /** Agent exec; answers as exec-status does. */
  exec(argv: readonly string[], input?: string): { exitcode: number; out: string; err: string };
  /** ACPI or agent shutdown asked for; the guest answers with poweredOff() in its own time, or never. */
  shutdown(): void;
  /** The machine is pulled: stop all timers now. */
  kill(): void;
}

export type GuestPlayer = (hardware: GuestHardware, events: GuestEvents) => RunningGuest;
