import type { Volume } from "../storage/volumes.ts";

/** What is read from and written to a block device of a running machine, by QEMU's own names. */
export interface BlockCounters {
  rd_bytes: number;
  rd_operations: number;
  wr_bytes: number;
  wr_operations: number;
  wr_highest_offset: number;
}

/** A machine to start: everything about it is settled, all volumes exist. */
export interface MachineRequest {
  vmid: number;
  node: string;
  /** The whole configuration, by option, in its own words. */
  config: ReadonlyMap<string, string>;
  disks: readonly { device: string; volume: Volume }[];
  /** Drives without a medium have no volume. */
  cdroms: readonly { device: string; volume?: Volume }[];
  networks: readonly { device: string; mac: string; bridge: string; vlan?: number }[];
  smbiosUuid: string;
  memoryMiB: number;
  cores: number;
}

/** A command to the guest agent that it refuses; the text is what Proxmox VE puts after `Agent error: `. */
export class AgentError extends Error {}

/** The guest agent, as far as the product can use it. Each answers undefined while no agent runs. */
export interface MachineAgent {
  up(): boolean | Promise<boolean>;
  hostname(): string | Promise<string>;
  readFile(path: string): string | undefined | Promise<string | undefined>;
  exec(argv: readonly string[], input?: string): ExecResult | Promise<ExecResult>;
  /** Other commands: `get-osinfo`, `network-get-interfaces`, `info`; the answer is the agent's `return`. */
  query?(command: string): unknown;
}

export interface ExecResult {
  exitcode: number;
  out: string;
  err: string;
}

/** A machine that runs. */
export interface Machine {
  readonly pid: number;
  readonly agent: MachineAgent;
  blockstat(): Record<string, BlockCounters> | Promise<Record<string, BlockCounters>>;
  /** Asks the guest to switch itself off; `poweredOff` tells when it did. */
  shutdown(): void;
  /** Pulls the machine; settles when it is gone. `poweredOff` is not called for it. */
  kill(): void | Promise<void>;
}

/** What a machine tells of itself. */
export interface MachineEvents {
  poweredOff(): void;
  /** Text that it printed on serial0. */
  console?(text: string): void;
}

/**
 * What really carries disks and machines out. Locks, tasks, names, privileges and errors are none of its business:
 * it is called when something is to happen, and may throw an Error whose text ends the task.
 */
export interface Backend {
  /** Makes an empty disk of `volume.sizeBytes`. */
  allocate(volume: Volume): Promise<void>;
  /** Copies an image or a disk to a new one, whole. */
  copy(from: Volume, to: Volume, signal: AbortSignal): Promise<void>;
  /** Makes a disk that keeps only what differs from its base. */
  link(base: Volume, to: Volume): Promise<void>;
  /** Grows a disk to `bytes`; the machine is told when it runs. */
  resize(volume: Volume, bytes: number, machine: Machine | undefined): Promise<void>;
  /** Makes a disk a base, read-only; its new name is already in the volume, `oldName` was the old one. */
  convertToBase(volume: Volume, oldName: string): Promise<void>;
  /** Removes a disk's bytes. */
  free(volume: Volume): Promise<void>;
  start(request: MachineRequest, events: MachineEvents): Promise<Machine>;
  close(): Promise<void>;
}
