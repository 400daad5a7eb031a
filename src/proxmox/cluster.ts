import * as z from "zod/mini";
import { apiPath, type Proxmox } from "./client.ts";

const optionalText = z.optional(z.string());

// There may be ten thousand of them, and each step of a schema costs some milliseconds then: the two forms are told apart
// by their type, and tags and status get their shape after it.
const guestRow = z.object({
  vmid: z.int(),
  node: z.string(),
  type: z.literal("qemu"),
  name: optionalText,
  pool: optionalText,
  tags: optionalText,
  status: optionalText,
  lock: optionalText,
  // A hint only: up to 10 s late, and absent for a VM that is younger than that or on an offline node.
  template: z.optional(z.coerce.number()),
});
const lxcRow = z.object({ type: z.literal("lxc") });

/** A VM as `/cluster/resources` shows it: `tags`, `pool`, `node` and `lock` are of this moment, the rest lags. */
export type GuestRow = Omit<z.infer<typeof guestRow>, "tags" | "status"> & { tags: readonly string[]; status: string };

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
    schema: z.array(z.discriminatedUnion("type", [guestRow, lxcRow])),
  });
  return rows
    .filter((row) => row.type === "qemu")
    .map((row) => ({ ...row, tags: splitTags(row.tags ?? ""), status: row.status ?? "unknown" }));
}

const nodeRow = z.object({
  node: z.string(),
  type: z.literal("node"),
  status: z.prefault(z.string(), "unknown"),
  // Since PVE 9.2.
  "host-arch": z.optional(z.enum(["x86_64", "aarch64"])),
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
  return await proxmox.call({
    method: "GET",
    path: "/cluster/nextid",
    schema: z.coerce.number().check(z.int(), z.minimum(100)),
  });
}

/** The server's version, such as `9.2.11`. */
export async function serverVersion(proxmox: Proxmox): Promise<string> {
  return (await proxmox.call({ method: "GET", path: "/version", schema: z.object({ version: z.string() }) })).version;
}

/** Bridges of a node which the token may use or audit, SDN's among them. */
export async function listBridges(proxmox: Proxmox, node: string): Promise<{ name: string; type: string }[]> {
  const rows = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/network`,
    parameters: { type: "any_bridge" },
    schema: z.array(z.object({ iface: z.string(), type: z.string() })),
  });
  return rows.map((row) => ({ name: row.iface, type: row.type }));
}
