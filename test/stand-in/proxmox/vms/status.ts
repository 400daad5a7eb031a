import type { Call } from "../call.ts";
import type { BlockCounters } from "../backend/backend.ts";
import type { World } from "../world.ts";
import { diskBytes, memoryMiB } from "./disks.ts";
import { hasAgent } from "./power.ts";
import type { Vm } from "./vm.ts";

const ZERO_COUNTERS = {
  failed_flush_operations: 0,
  failed_rd_operations: 0,
  failed_unmap_operations: 0,
  failed_wr_operations: 0,
  flush_operations: 0,
  flush_total_time_ns: 0,
  idle_time_ns: 0,
  invalid_flush_operations: 0,
  invalid_rd_operations: 0,
  invalid_unmap_operations: 0,
  invalid_wr_operations: 0,
  rd_merged: 0,
  rd_total_time_ns: 0,
  unmap_bytes: 0,
  unmap_merged: 0,
  unmap_operations: 0,
  unmap_total_time_ns: 0,
  wr_merged: 0,
  wr_total_time_ns: 0,
};

/** A device's counters with everything else that QEMU's query-blockstats tells, JSON booleans among it. */
const blockRow = (counters: BlockCounters) => ({
  ...ZERO_COUNTERS,
  ...counters,
  account_failed: true,
  account_invalid: true,
  timed_stats: [],
});

/** What the list of VMs and the status of one have in common. */
export function listRow(world: World, vm: Vm): Record<string, unknown> {
  const { config } = vm;
  const tags = config.get("tags");
  return {
    vmid: vm.vmid,
    name: vm.name,
    status: vm.machine ? "running" : "stopped",
    cpus: Number(config.get("cores") ?? 1) * Number(config.get("sockets") ?? 1),
    maxmem: memoryMiB(config) * 1024 ** 2,
    maxdisk: diskBytes(config),
    uptime: vm.machine ? Math.floor((world.clock.now() - vm.startedAt) / 1000) : 0,
    cpu: 0,
    mem: 0,
    ...(world.atLeast(9, 0) ? { memhost: 0 } : {}),
    disk: 0,
    netin: 0,
    netout: 0,
    ...(vm.machine ? { pid: vm.machine.pid } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(vm.lock === undefined ? {} : { lock: vm.lock }),
    ...(vm.isTemplate ? { template: 1 } : {}),
    ...([...config.keys()].some((option) => /^serial\d+$/.test(option)) ? { serial: 1 } : {}),
  };
}

export function list({ world, who, node }: Call): unknown[] {
  return [...world.vms.values()]
    .filter((vm) => vm.node === node && world.access.has(who, `/vms/${vm.vmid}`, "VM.Audit"))
    .map((vm) => listRow(world, vm));
}

/** `GET status/current`; a running machine shows what was read from and written to each of its drives. */
export async function current({ world, node, params }: Call): Promise<unknown> {
  const vm = world.vm(params.int("vmid") ?? 0, node);
  const { machine } = vm;
  const row = {
    ...listRow(world, vm),
    ha: { managed: 0 },
    qmpstatus: machine ? "running" : "stopped",
    ...(hasAgent(vm.config) ? { agent: 1 } : {}),
    ...(vm.config.has("vga") ? { clipboard: null } : {}),
  };
  if (!machine) return row;
  const blockstat = await machine.blockstat();
  const sum = (key: keyof BlockCounters) =>
    Object.values(blockstat).reduce((total, counters) => total + counters[key], 0);
  const cards = [...vm.config.keys()].filter((option) => /^net\d+$/.test(option));
  return {
    ...row,
    blockstat: Object.fromEntries(Object.entries(blockstat).map(([device, counters]) => [device, blockRow(counters)])),
    diskread: sum("rd_bytes"),
    diskwrite: sum("wr_bytes"),
    nics: Object.fromEntries(cards.map((card) => [`tap${vm.vmid}i${card.slice(3)}`, { netin: 0, netout: 0 }])),
    "running-machine": "pc-i440fx-10.1+pve0",
    "running-qemu": "10.1.2",
    ...(world.atLeast(9, 0)
      ? {
          pressurecpusome: 0,
          pressurecpufull: 0,
          pressureiosome: 0,
          pressureiofull: 0,
          pressurememorysome: 0,
          pressurememoryfull: 0,
        }
      : {}),
  };
}
