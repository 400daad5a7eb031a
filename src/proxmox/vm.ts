import * as z from "zod";
import { apiPath, type Parameters, type Proxmox } from "./client.ts";
import { splitTags } from "./cluster.ts";
import { upidSchema } from "./task.ts";

const text = z.union([z.string(), z.number()]).transform(String);

const configSchema = z.looseObject({
  digest: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  tags: z.string().default("").transform(splitTags),
  lock: z.string().optional(),
  template: z.coerce.number().default(0).transform(Boolean),
  protection: z.coerce.number().default(0).transform(Boolean),
  scsi0: text.optional(),
  scsi1: text.optional(),
  smbios1: z.string().optional(),
});

/** A VM's configuration; options not named here are kept as they came. */
export type VmConfig = z.infer<typeof configSchema>;

export async function readConfig(proxmox: Proxmox, node: string, vmid: number): Promise<VmConfig> {
  return await proxmox.call({ method: "GET", path: apiPath`/nodes/${node}/qemu/${vmid}/config`, schema: configSchema });
}

/** Whether a configuration is that of a whole template: the flag alone is written before the disks are converted. */
export function isWholeTemplate(config: VmConfig): boolean {
  return config.template && config.lock === undefined && /^[^:]+:([^,]*\/)?base-/.test(config.scsi0 ?? "");
}

/** Creates a VM; answers the task's UPID. */
export async function createVm(proxmox: Proxmox, node: string, parameters: Parameters): Promise<string> {
  return await proxmox.call({ method: "POST", path: apiPath`/nodes/${node}/qemu`, parameters, schema: upidSchema });
}

/** Changes options at once, without a task. */
export async function updateConfig(
  proxmox: Proxmox,
  node: string,
  vmid: number,
  parameters: Parameters,
): Promise<void> {
  await proxmox.call({
    method: "PUT",
    path: apiPath`/nodes/${node}/qemu/${vmid}/config`,
    parameters,
    schema: z.unknown(),
  });
}

/** Grows a disk; `size` as Proxmox VE takes it (`12G`). Answers a UPID, or nothing before PVE 7.3. */
export async function resizeDisk(
  proxmox: Proxmox,
  node: string,
  vmid: number,
  disk: string,
  size: string,
): Promise<string | undefined> {
  const answer = await proxmox.call({
    method: "PUT",
    path: apiPath`/nodes/${node}/qemu/${vmid}/resize`,
    parameters: { disk, size },
    schema: upidSchema.nullish(),
  });
  return answer ?? undefined;
}

const blockstat = z.looseObject({ wr_highest_offset: z.number().optional(), rd_bytes: z.number().optional() });
const statusSchema = z.object({
  status: z.string(),
  qmpstatus: z.string().optional(),
  uptime: z.number().optional(),
  lock: z.string().optional(),
  blockstat: z.record(z.string(), blockstat).optional(),
});
export type VmStatus = z.infer<typeof statusSchema>;

export async function readStatus(proxmox: Proxmox, node: string, vmid: number): Promise<VmStatus> {
  return await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/qemu/${vmid}/status/current`,
    schema: statusSchema,
  });
}

export async function startVm(proxmox: Proxmox, node: string, vmid: number): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/qemu/${vmid}/status/start`,
    schema: upidSchema,
  });
}

/** Asks the guest to shut down and switches it off after `timeout` seconds. */
export async function shutdownVm(proxmox: Proxmox, node: string, vmid: number, timeout: number): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/qemu/${vmid}/status/shutdown`,
    parameters: { timeout, forceStop: 1 },
    schema: upidSchema,
  });
}

export async function stopVm(proxmox: Proxmox, node: string, vmid: number): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/qemu/${vmid}/status/stop`,
    schema: upidSchema,
  });
}

export async function convertToTemplate(proxmox: Proxmox, node: string, vmid: number): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/qemu/${vmid}/template`,
    schema: upidSchema,
  });
}

/** Destroys a stopped VM with its disks, and its entries in jobs and HA. Answers the task's UPID. */
export async function destroyVm(proxmox: Proxmox, node: string, vmid: number): Promise<string> {
  return await proxmox.call({
    method: "DELETE",
    path: apiPath`/nodes/${node}/qemu/${vmid}`,
    parameters: { purge: 1, "destroy-unreferenced-disks": 1 },
    schema: upidSchema,
  });
}

const hostNameSchema = z.object({ result: z.object({ "host-name": z.string() }) });

/** The host name of the running guest, through its agent (VM.GuestAgent.Audit; PVE 8: VM.Monitor). Foreign text. */
export async function readGuestHostName(proxmox: Proxmox, node: string, vmid: number): Promise<string> {
  const answer = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/qemu/${vmid}/agent/get-host-name`,
    schema: hostNameSchema,
  });
  return answer.result["host-name"];
}

const fileSchema = z.object({ content: z.string(), truncated: z.coerce.boolean().optional() });

/** A file of the running guest, through its agent (VM.GuestAgent.FileRead; PVE 8: VM.Monitor). Foreign text. */
export async function readGuestFile(proxmox: Proxmox, node: string, vmid: number, file: string): Promise<string> {
  return (
    await proxmox.call({
      method: "GET",
      path: apiPath`/nodes/${node}/qemu/${vmid}/agent/file-read`,
      parameters: { file },
      schema: fileSchema,
    })
  ).content;
}
