import { apiPath, type Proxmox } from "./client.ts";
import { upidSchema } from "./task.ts";

export interface CloneRequest {
  newid: number;
  name: string;
  pool: string;
}

/** Makes a linked clone of a template on its own node (VM.Clone, VM.Allocate at the pool). Answers the task's UPID. */
export async function cloneLinked(proxmox: Proxmox, node: string, vmid: number, clone: CloneRequest): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/qemu/${vmid}/clone`,
    parameters: { newid: clone.newid, name: clone.name, pool: clone.pool, full: 0 },
    schema: upidSchema,
  });
}
