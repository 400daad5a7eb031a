import * as z from "zod";
import { apiPath, type Proxmox } from "./client.ts";

/** A VM as `/cluster/resources` shows it: `tags`, `pool`, `node` and `lock` are of this moment, the rest lags. */
const guestRow = z.object({
  vmid: z.int(),
  node: z.string(),
  type: z.literal("qemu"),
  name: z.string().optional(),
  pool: z.string().optional(),
  tags: z.string().default("").transform(splitTags),
  status: z.string().default("unknown"),
  lock: z.string().optional(),
  // A hint only: up to 10 s late, and absent for a VM that is younger than that or on an offline node.
  template: z.coerce.number().optional(),
});
export type GuestRow = z.infer<typeof guestRow>;

const lxcRow = z.object({ type: z.literal("lxc") });

/** Proxmox VE sorts and lower-cases tags unless `tag-style` says otherwise: they are compared as sets (cases.md B47). */
export function splitTags(text: string): readonly string[] {
  return text
    .split(/[;, ]+/)
    .filter(Boolean)
    .map((tag) => tag.toLowerCase())
    .sort();
}

/** All VMs that the token may see (VM.Audit); containers are left out. */
export async function listGuests(proxmox: Proxmox): Promise<GuestRow[]> {
  const rows = await proxmox.call({
    method: "GET",
    path: "/cluster/resources",
    parameters: { type: "vm" },
    schema: z.array(z.union([guestRow, lxcRow])),
  });
  return rows.filter((row) => row.type === "qemu");
}

const nodeRow = z.object({
  node: z.string(),
  type: z.literal("node"),
  status: z.string().default("unknown"),
  // Since PVE 9.2.
  "host-arch": z.enum(["x86_64", "aarch64"]).optional(),
});
export interface NodeRow {
  name: string;
  online: boolean;
  arch: "amd64" | "arm64";
}

export async function listNodes(proxmox: Proxmox): Promise<NodeRow[]> {
  const rows = await proxmox.call({
    method: "GET",
    path: "/cluster/resources",
    parameters: { type: "node" },
    schema: z.array(nodeRow),
  });
  return rows
    .map((row) => ({
      name: row.node,
      online: row.status === "online",
      arch: row["host-arch"] === "aarch64" ? ("arm64" as const) : ("amd64" as const),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** A free VMID; it is not reserved. */
export async function nextVmid(proxmox: Proxmox): Promise<number> {
  return await proxmox.call({ method: "GET", path: "/cluster/nextid", schema: z.coerce.number().int().min(100) });
}

const versionSchema = z.object({ version: z.string() });

/** The server's version, such as `9.2.11`. */
export async function serverVersion(proxmox: Proxmox): Promise<string> {
  return (await proxmox.call({ method: "GET", path: "/version", schema: versionSchema })).version;
}

const interfaceRow = z.object({ iface: z.string(), type: z.string() });

/** Bridges of a node which the token may use or audit, SDN's among them. */
export async function listBridges(proxmox: Proxmox, node: string): Promise<{ name: string; type: string }[]> {
  const rows = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/network`,
    parameters: { type: "any_bridge" },
    schema: z.array(interfaceRow),
  });
  return rows.map((row) => ({ name: row.iface, type: row.type }));
}
