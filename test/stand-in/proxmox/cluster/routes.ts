import type { Call, Routes } from "../call.ts";
import { badParameters } from "../refusal.ts";
import { nodeFigures } from "./nodes.ts";
import { resources } from "./resources.ts";
import { versionOf } from "./version.ts";

/** The lowest id that no VM has; it is not set aside for who asked. */
function nextId({ world, params }: Call): string {
  const asked = params.int("vmid");
  if (asked !== undefined) {
    if (world.vms.has(asked)) throw badParameters({ vmid: `VM ${asked} already exists` });
    return String(asked);
  }
  let vmid = 100;
  while (world.vms.has(vmid)) vmid++;
  return String(vmid);
}

function nodes({ world, who }: Call): unknown[] {
  return [...world.nodes.values()].map((node) => {
    const row = {
      node: node.name,
      id: `node/${node.name}`,
      type: "node",
      status: node.online ? "online" : "offline",
      ssl_fingerprint: world.fingerprint,
      level: "",
    };
    const mayAudit = world.access.has(who, `/nodes/${node.name}`, "Sys.Audit");
    return node.online && mayAudit ? { ...row, ...nodeFigures(world) } : row;
  });
}

function clusterStatus({ world }: Call): unknown[] {
  const rows = [...world.nodes.values()].map((node, index) => ({
    type: "node",
    id: `node/${node.name}`,
    name: node.name,
    ip: `10.10.10.${index + 1}`,
    local: index === 0 ? 1 : 0,
    level: "",
    nodeid: world.nodes.size > 1 ? index + 1 : 0,
    online: node.online ? 1 : 0,
  }));
  if (world.nodes.size === 1) return rows;
  return [{ type: "cluster", id: "cluster", name: "lab", version: 1, quorate: 1, nodes: world.nodes.size }, ...rows];
}

export const clusterRoutes: Routes = {
  "GET /version": ({ world }) => versionOf(world),
  "GET /cluster/nextid": nextId,
  "GET /cluster/resources": resources,
  "GET /cluster/status": clusterStatus,
  "GET /nodes": nodes,
};
