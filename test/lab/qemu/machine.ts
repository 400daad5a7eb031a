import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Machine, MachineRequest } from "../../stand-in/proxmox/backend/backend.ts";
import { GuestAgent } from "./guest-agent.ts";
import { machineArguments } from "./machine-arguments.ts";
import { Monitor } from "./monitor.ts";

/** What every machine is run with. */
export interface Engine {
  directory: string;
  accelerator: "kvm" | "tcg";
  /** Passed to QEMU directly: without the firmware's and GRUB's own time a start is half as long without KVM. */
  kernel: string;
  initrd: string;
  /** No machine gets more than this. */
  memoryLimitMiB: number;
  /** Bridges on which nobody answers; all others lead to the lab. */
  deadBridges: readonly string[];
  /** Whether machines that are to have it get the port of the guest agent. */
  agentPort: boolean;
}

export interface QemuMachine extends Machine {
  readonly vmid: number;
  resize(file: string, bytes: number): Promise<void>;
  /** A kernel panic, by an interrupt that the kernel's arguments make one of. */
  panic(): Promise<void>;
}

export interface MachineFiles {
  /** By device: `scsi0`, `ide2`. */
  files: ReadonlyMap<string, { file: string; format: string }>;
  /** Where the serial console is written. */
  console: string;
  /** The process is gone: pulled by `kill`, or by itself. */
  gone(pulled: boolean): void;
}

/** Starts QEMU and waits until its monitor answers. @throws Error with QEMU's own words */
export async function startMachine(engine: Engine, request: MachineRequest, given: MachineFiles): Promise<QemuMachine> {
  const sockets = {
    monitor: path.join(engine.directory, `monitor-${request.vmid}`),
    agent: path.join(engine.directory, `agent-${request.vmid}`),
  };
  const errors = path.join(engine.directory, `qemu-${request.vmid}.log`);
  const descriptor = openSync(errors, "w");
  const child = spawn("qemu-system-x86_64", machineArguments(engine, request, given, sockets), {
    stdio: ["ignore", "ignore", descriptor],
  });
  closeSync(descriptor);
  let running = true;
  let pulled = false;
  const pullAtExit = (): void => void child.kill("SIGKILL");
  process.once("exit", pullAtExit);
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      running = false;
      process.off("exit", pullAtExit);
      resolve();
    };
    child.once("exit", end).once("error", end);
  });
  let monitor: Monitor;
  try {
    monitor = await Monitor.open(sockets.monitor, () => running);
  } catch (cause) {
    child.kill("SIGKILL");
    throw new Error(`start failed: QEMU exited: ${readFileSync(errors, "utf8").trim()}`, { cause });
  }
  // As Proxmox VE's qmeventd: a guest that has switched itself off (-no-shutdown) is asked to quit.
  monitor.onEvent("SHUTDOWN", () => void monitor.ask("quit").catch(() => {}));
  const gone = ended.then(() => {
    monitor.close();
    given.gone(pulled);
  });
  const agent = new GuestAgent(sockets.agent);
  return {
    vmid: request.vmid,
    pid: child.pid ?? 0,
    agent,
    blockstat: () => monitor.blockstat(),
    shutdown: () => void monitor.ask("system_powerdown").catch(() => {}),
    panic: async () => void (await monitor.ask("inject-nmi")),
    resize: async (file, size) => {
      const device = [...given.files].find(([, disk]) => disk.file === file)?.[0];
      await monitor.ask("block_resize", { device: `drive-${device}`, size });
    },
    kill: async () => {
      pulled = true;
      child.kill("SIGKILL");
      await gone;
    },
  };
}
