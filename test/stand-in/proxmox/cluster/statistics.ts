import type { World } from "../world.ts";
import { diskBytes, memoryMiB } from "../vms/disks.ts";
import type { Vm } from "../vms/vm.ts";

/** What pvestatd last told the cluster of a VM. */
export interface VmStatistics {
  name: string;
  status: "running" | "stopped";
  template: 0 | 1;
  maxmem: number;
  maxcpu: number;
  maxdisk: number;
  uptime: number;
}

/**
 * The statistics of VMs as the cluster knows them: written by each node every `lagMs`, so that names, states and
 * template flags are late, and those of a VM that was deleted stay for as long.
 */
export class Statistics {
  readonly #world: World;
  readonly #timer: NodeJS.Timeout | undefined;
  #known = new Map<number, VmStatistics>();

  constructor(world: World, lagMs: number) {
    this.#world = world;
    if (lagMs > 0) {
      this.#timer = setInterval(() => this.refresh(), Math.max(1, lagMs / world.clock.speed));
      this.#timer.unref();
    }
  }

  /** What pvestatd does: takes down the state of every VM on a node that is online. */
  refresh(): void {
    this.#known = new Map();
    for (const vm of this.#world.vms.values()) {
      if (this.#world.nodes.get(vm.node)?.online) this.#known.set(vm.vmid, current(this.#world, vm));
    }
  }

  /** Undefined until the VM was seen by pvestatd, and for VMs of an offline node. */
  of(vm: Vm): VmStatistics | undefined {
    if (!this.#world.nodes.get(vm.node)?.online) return undefined;
    return this.#timer === undefined ? current(this.#world, vm) : this.#known.get(vm.vmid);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function current(world: World, vm: Vm): VmStatistics {
  return {
    name: vm.name,
    status: vm.machine ? "running" : "stopped",
    template: vm.isTemplate ? 1 : 0,
    maxmem: memoryMiB(vm.config) * 1024 ** 2,
    maxcpu: Number(vm.config.get("cores") ?? 1) * Number(vm.config.get("sockets") ?? 1),
    maxdisk: diskBytes(vm.config),
    uptime: vm.machine ? Math.floor((world.clock.now() - vm.startedAt) / 1000) : 0,
  };
}
