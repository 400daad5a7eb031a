import type { Call, Routes } from "../call.ts";
import type { World } from "../world.ts";
import { versionOf } from "./version.ts";

const CORES = 2;
const MEMORY = 25_276_063_744;
const ROOT_DISK = 270_553_174_016;

/** What a node tells of itself to those who may audit it. */
export const nodeFigures = (world: World) => ({
  cpu: 0.0199797365754813,
  maxcpu: CORES,
  mem: 1_161_125_888,
  maxmem: MEMORY,
  disk: 28_090_556_416,
  maxdisk: ROOT_DISK,
  uptime: 1888 + Math.floor((world.clock.now() - world.startedAt) / 1000),
});

function status({ world, node }: Call): unknown {
  const arch = world.nodes.get(node)?.arch ?? "x86_64";
  const release = world.atLeast(9, 0) ? "6.17.4-1-pve" : "6.8.12-9-pve";
  const version = "#1 SMP PREEMPT_DYNAMIC @0";
  const figures = nodeFigures(world);
  return {
    "boot-info": { mode: "legacy-bios" },
    "current-kernel": { sysname: "Linux", release, version, machine: arch },
    kversion: `Linux ${release} ${version}`,
    pveversion: `pve-manager/${world.version}/${versionOf(world).repoid}`,
    cpu: 0,
    wait: 0,
    idle: 0,
    uptime: figures.uptime,
    loadavg: ["0.42", "1.22", "1.43"],
    ksm: { shared: 0 },
    cpuinfo: {
      user_hz: 100,
      mhz: "2600.000",
      family: "6",
      sockets: 1,
      cores: CORES,
      cpus: CORES,
      hvm: "",
      model: "Virtual Processor",
      vendor: arch === "x86_64" ? "GenuineIntel" : "ARM",
      flags: arch === "x86_64" ? "fpu vme de pse tsc msr pae sse4_2 popcnt aes" : "fp asimd aes",
    },
    memory: { total: MEMORY, used: figures.mem, free: MEMORY - figures.mem, available: MEMORY - figures.mem },
    swap: { total: 0, used: 0, free: 0 },
    rootfs: { total: ROOT_DISK, used: figures.disk, avail: ROOT_DISK - figures.disk, free: ROOT_DISK - figures.disk },
  };
}

const LINK = { families: ["inet"], method: "manual", method6: "manual", active: 1 };

/** The interfaces of a node; a bridge is listed only to those who may use it. */
function network({ world, who, node, params }: Call): unknown[] {
  const bridges = (world.nodes.get(node)?.bridges ?? []).map((iface, index) => ({
    ...LINK,
    iface,
    type: "bridge",
    method: "static",
    address: `10.10.${10 + index}.1`,
    netmask: "24",
    cidr: `10.10.${10 + index}.1/24`,
    bridge_ports: "",
    bridge_stp: "off",
    bridge_fd: "0",
    priority: 3 + index,
    autostart: 1,
  }));
  const visible = bridges.filter(({ iface }) =>
    world.access.hasAny(who, `/sdn/zones/localnetwork/${iface}`, ["SDN.Use", "SDN.Audit"]),
  );
  const type = params.get("type");
  if (type === "bridge" || type === "any_bridge" || type === "any_local_bridge") return visible;
  const ethernet = { ...LINK, iface: "eth0", type: "eth", exists: 1 };
  if (type !== undefined && type !== "include_sdn") return type === "eth" ? [ethernet] : [];
  return [...visible, ethernet];
}

export const nodeRoutes: Routes = {
  "GET /nodes/{node}/status": status,
  "GET /nodes/{node}/network": network,
  "GET /nodes/{node}/version": ({ world }) => versionOf(world),
};
