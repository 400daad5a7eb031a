import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Access } from "./access/access.ts";
import { SignIn } from "./access/tickets.ts";
import type { Backend } from "./backend/backend.ts";
import { MemoryBackend, silentGuest } from "./backend/memory.ts";
import { Clock } from "./clock.ts";
import {
  DEFAULT_NODES,
  DEFAULT_STORAGES,
  DEFAULT_TASK_MS,
  ROOT_TOKEN,
  type PveVersion,
  type StandInOptions,
} from "./options.ts";
import { died, Refusal } from "./refusal.ts";
import { Statistics } from "./cluster/statistics.ts";
import { Storage, type Volume, Volumes } from "./storage/volumes.ts";
import { type Task, Tasks } from "./tasks.ts";
import type { TerminalProxy } from "./vms/console.ts";
import type { Vm } from "./vms/vm.ts";

export interface Node {
  name: string;
  online: boolean;
  arch: "x86_64" | "aarch64";
  bridges: string[];
}

export interface Pool {
  id: string;
  comment?: string;
  vms: Set<number>;
  storages: Set<string>;
}

/** Everything that a cluster is at a moment. */
export class World {
  readonly version: PveVersion;
  readonly clock: Clock;
  /** Stand-in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly nodes = new Map<string, Node>();
  readonly storages = new Map<string, Storage>();
  readonly volumes = new Volumes();
  readonly vms = new Map<number, Vm>();
  readonly pools = new Map<string, Pool>();
  readonly access: Access;
  readonly signIn: SignIn;
  readonly tasks: Tasks;
  readonly statistics: Statistics;
  readonly backend: Backend;
  readonly tagStyle: { ordering: "config" | "alphabetical"; caseSensitive: boolean };
  readonly agentTimeoutMs: number;
  /** Where the bytes of uploads and downloads are kept. */
  readonly directory: string;
  /** SHA-256 of the certificate; each node shows it as its own. */
  fingerprint = "";
  /** Commands that a guest agent runs, by the pid it gave. */
  readonly execs = new Map<string, { exitcode: number; out: string; err: string }>();
  /** Terminal proxies that wait for their client, by port. */
  readonly terminals = new Map<number, TerminalProxy>();
  readonly #removeDirectory: () => void;

  constructor(options: StandInOptions) {
    this.version = options.version ?? "9.2.11";
    this.clock = new Clock(options.speed ?? 1);
    this.startedAt = this.clock.now();
    for (const { name, online = true, arch = "x86_64", bridges = ["vmbr0"] } of options.nodes ?? DEFAULT_NODES) {
      this.nodes.set(name, { name, online, arch, bridges });
    }
    for (const storage of options.storages ?? DEFAULT_STORAGES) this.storages.set(storage.name, new Storage(storage));
    for (const id of options.pools ?? []) this.pools.set(id, { id, vms: new Set(), storages: new Set() });
    this.access = new Access(this.version, this.clock, this, {
      ...options,
      tokens: [ROOT_TOKEN, ...(options.tokens ?? [])],
    });
    this.signIn = new SignIn(this.access, this.clock);
    this.tasks = new Tasks(this.clock, { ...DEFAULT_TASK_MS, ...options.taskMs });
    this.statistics = new Statistics(this, options.resourcesLagMs ?? 10_000);
    this.backend = options.backend ?? new MemoryBackend(options.guest ?? silentGuest);
    this.tagStyle = { ordering: "alphabetical", caseSensitive: false, ...options.tagStyle };
    this.agentTimeoutMs = options.agentTimeoutMs ?? 3000;
    this.directory = mkdtempSync(join(tmpdir(), "proxmox-stand-in-"));
    this.#removeDirectory = () => rmSync(this.directory, { recursive: true, force: true });
    process.once("exit", this.#removeDirectory);
  }

  /** True for this release and later ones. */
  atLeast(major: number, minor: number): boolean {
    const [ownMajor = 0, ownMinor = 0] = this.version.split(".").map(Number);
    return ownMajor > major || (ownMajor === major && ownMinor >= minor);
  }

  poolOfVm(vmid: number): string | undefined {
    return [...this.pools.values()].find((pool) => pool.vms.has(vmid))?.id;
  }

  poolOfStorage(storage: string): string | undefined {
    return [...this.pools.values()].find((pool) => pool.storages.has(storage))?.id;
  }

  /** The VM of this id on this node; what the API dies of when there is none. */
  vm(vmid: number, node: string): Vm {
    const vm = this.vms.get(vmid);
    if (!vm || vm.node !== node) {
      throw died(`Configuration file 'nodes/${node}/qemu-server/${vmid}.conf' does not exist`);
    }
    return vm;
  }

  /** Runs alone among the callers of a VM, and only if the VM is still there when its turn comes. */
  exclusive<T>(vm: Vm, run: () => Promise<T> | T): Promise<T> {
    return vm.exclusive(this.clock, () => {
      if (this.vm(vm.vmid, vm.node) !== vm) throw died("checksum mismatch (file change by other user?)");
      return run();
    });
  }

  storage(name: string): Storage {
    const storage = this.storages.get(name);
    if (!storage) throw died(`storage '${name}' does not exist`);
    return storage;
  }

  storageOn(name: string, node: string): Storage {
    const storage = this.storage(name);
    if (!storage.isOn(node)) throw died(`storage '${name}' is not available on node '${node}'`);
    return storage;
  }

  /** Throws as the entry node does when it cannot pass a request on. */
  checkNode(name: string): void {
    const node = this.nodes.get(name);
    if (!node) {
      throw died(
        `hostname lookup '${name}' failed - failed to get address info for: ${name}: Name or service not known`,
      );
    }
    if (!node.online) throw new Refusal(595, "No route to host", { bare: "empty" });
  }

  /** Splits `STORAGE:NAME` and finds the volume as a node sees it. */
  findVolume(id: string, node: string): Volume | undefined {
    const colon = id.indexOf(":");
    return this.volumes.find(id.slice(0, colon), id.slice(colon + 1), node);
  }

  /** Waits for a task's end, so many stand-in milliseconds at most; true when it came. */
  async endsWithin(task: Task, ms: number): Promise<boolean> {
    const waited = new AbortController();
    const late = this.clock.sleep(ms, waited.signal).then(() => false);
    return await Promise.race([task.done.then(() => true), late]).finally(() => waited.abort());
  }

  async close(): Promise<void> {
    this.statistics.close();
    for (const task of this.tasks.active()) task.stop();
    await Promise.all(this.tasks.all.map((task) => task.done));
    await this.backend.close();
    process.off("exit", this.#removeDirectory);
    this.#removeDirectory();
  }
}
