import type { Call } from "../call.ts";
import type { Vm } from "../vms/vm.ts";
import type { World } from "../world.ts";
import { nodeFigures } from "./nodes.ts";

/**
 * `GET /cluster/resources`: of VMs, tags, pool, lock and node are as they are now; the rest is what pvestatd told last,
 * and is missing where it told nothing.
 */
export function resources({ world, who, params }: Call): unknown[] {
  const type = params.get("type");
  const wants = (kind: string) => type === undefined || type === kind;
  const rows: unknown[] = [];
  if (type === undefined) {
    for (const pool of world.pools.values()) {
      if (world.access.has(who, `/pool/${pool.id}`, "Pool.Audit"))
        rows.push({ id: `/pool/${pool.id}`, type: "pool", pool: pool.id });
    }
  }
  if (wants("vm")) {
    for (const vm of [...world.vms.values()].sort((a, b) => a.vmid - b.vmid)) {
      if (world.access.has(who, `/vms/${vm.vmid}`, "VM.Audit")) rows.push(vmRow(world, vm));
    }
  }
  if (wants("node")) rows.push(...nodeRows(world, who));
  if (wants("storage")) rows.push(...storageRows(world, who));
  if (wants("sdn")) rows.push(...zoneRows(world, who));
  return rows;
}

export function vmRow(world: World, vm: Vm): Record<string, unknown> {
  const { vmid, node } = vm;
  const statistics = world.statistics.of(vm);
  const pool = world.poolOfVm(vmid);
  const tags = vm.config.get("tags");
  return {
    type: "qemu",
    id: `qemu/${vmid}`,
    vmid,
    node,
    ...(pool === undefined ? {} : { pool }),
    ...(tags === undefined ? {} : { tags }),
    ...(vm.lock === undefined ? {} : { lock: vm.lock }),
    status: "unknown",
    ...(statistics === undefined
      ? {}
      : {
          ...statistics,
          cpu: 0,
          mem: 0,
          ...(world.atLeast(9, 0) ? { memhost: 0 } : {}),
          disk: 0,
          diskread: 0,
          diskwrite: 0,
          netin: 0,
          netout: 0,
        }),
  };
}

function nodeRows(world: World, who: string): unknown[] {
  return [...world.nodes.values()].map(({ name, online, arch }) => {
    const row = { type: "node", id: `node/${name}`, node: name, level: "", status: online ? "online" : "offline" };
    if (!online || !world.access.has(who, `/nodes/${name}`, "Sys.Audit")) return row;
    // New in the API schema of 9.2.
    const hostArch = world.atLeast(9, 2) ? { "host-arch": arch } : {};
    return { ...row, ...nodeFigures(world), "cgroup-mode": 2, ...hostArch };
  });
}

function storageRows(world: World, who: string): unknown[] {
  const rows: unknown[] = [];
  for (const node of world.nodes.values()) {
    for (const storage of world.storages.values()) {
      if (!storage.isOn(node.name) || !world.access.has(who, `/storage/${storage.name}`, "Datastore.Audit")) continue;
      rows.push({
        type: "storage",
        id: `storage/${node.name}/${storage.name}`,
        node: node.name,
        storage: storage.name,
        plugintype: storage.type,
        content: storage.content.join(","),
        shared: storage.shared ? 1 : 0,
        ...(node.online
          ? { status: "available", disk: world.volumes.usedBytes(storage.name, node.name), maxdisk: storage.totalBytes }
          : { status: "unknown" }),
      });
    }
  }
  return rows;
}

function zoneRows(world: World, who: string): unknown[] {
  if (!world.access.hasAny(who, "/sdn/zones/localnetwork", ["SDN.Audit", "SDN.Use"])) return [];
  return [...world.nodes.values()].map(({ name, online }) => {
    const status = online ? "ok" : "unknown";
    return world.atLeast(9, 0)
      ? {
          type: "network",
          id: `network/${name}/zone/localnetwork`,
          node: name,
          network: "localnetwork",
          "network-type": "zone",
          status,
        }
      : { type: "sdn", id: `sdn/${name}/localnetwork`, node: name, sdn: "localnetwork", status };
  });
}
