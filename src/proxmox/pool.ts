import * as z from "zod/mini";
import type { Proxmox } from "./client.ts";
import { ProxmoxError } from "./error.ts";

/** Whether a pool is there. Needs no privilege: without Pool.Audit only the list of members is shortened. */
export async function poolExists(proxmox: Proxmox, pool: string): Promise<boolean> {
  try {
    await proxmox.call({ method: "GET", path: "/pools/", parameters: { poolid: pool }, schema: z.array(z.unknown()) });
    return true;
  } catch (error) {
    if (error instanceof ProxmoxError && /^pool '.*' does not exist/.test(error.reason)) return false;
    throw error;
  }
}

/** Makes a pool; one that somebody else has made in the meantime is fine. Needs Pool.Allocate at `/pool/POOL`. */
export async function createPool(proxmox: Proxmox, pool: string): Promise<void> {
  try {
    await proxmox.call({
      method: "POST",
      path: "/pools",
      parameters: { poolid: pool, comment: "VM templates made by kubehenge" },
      schema: z.unknown(),
    });
  } catch (error) {
    if (error instanceof ProxmoxError && /already exists/.test(error.reason)) return;
    if (error instanceof ProxmoxError && error.treatment === "ambiguous" && (await poolExists(proxmox, pool))) return;
    throw error;
  }
}
