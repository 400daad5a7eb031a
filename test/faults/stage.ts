import { simulatedGuest } from "../stand-in/guest/index.ts";
import {
  startProxmox,
  type Leftovers,
  type ProxmoxStandIn,
  type StandInOptions,
  type Vm,
} from "../stand-in/proxmox/index.ts";

/** Stand-in milliseconds in a real one: minutes of waiting for locks pass in a blink, and requests still take their order. */
export const speed = 200;

export const fastProxmox = (options: StandInOptions = {}): Promise<ProxmoxStandIn> =>
  startProxmox({
    speed,
    unauthorizedMs: 100,
    agentTimeoutMs: 500,
    pools: ["kubehenge-templates"],
    guest: simulatedGuest({ stepMs: 2 }),
    ...options,
  });

/** A template as a cluster can clone from it: tagged, its flag set, its disk a base volume, under no lock. */
export function isFinished({ isTemplate, config }: Vm): boolean {
  return isTemplate && config.has("tags") && !config.has("lock") && (config.get("scsi0") ?? "").includes("base-");
}

/** All that is there beside finished templates, and what was there before. */
export function leftOn(proxmox: ProxmoxStandIn): Leftovers {
  const finished = new Set([...proxmox.state.vms.values()].filter(isFinished).map(({ vmid }) => vmid));
  return proxmox.leftovers(({ vmid }) => finished.has(vmid));
}

export function finishedOn(proxmox: ProxmoxStandIn): Vm[] {
  return [...proxmox.state.vms.values()].filter((vm) => !vm.seeded && isFinished(vm));
}

export function sayLeftovers({ vms, volumes, tasks }: Leftovers): string {
  return [
    ...vms.map(({ vmid, name, lock }) => `VM ${vmid} ${name}${lock ? ` locked (${lock})` : ""}`),
    ...volumes,
    ...tasks,
  ].join(", ");
}

export const isClean = ({ vms, volumes, tasks }: Leftovers): boolean =>
  vms.length + volumes.length + tasks.length === 0;
