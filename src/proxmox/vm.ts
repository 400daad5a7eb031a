import * as z from "zod/mini";
import { apiPath, type Parameters, type Proxmox } from "./client.ts";
import { isMissingVm } from "./error.ts";
import { splitTags } from "./cluster.ts";
import { flag } from "./flag.ts";
import { upidSchema } from "./task.ts";

const optionalText = z.optional(z.string());
const diskText = z.optional(z.pipe(z.union([z.string(), z.number()]), z.transform(String)));

const configSchema = z.looseObject({
  digest: optionalText,
  name: optionalText,
  description: optionalText,
  tags: z.pipe(z.prefault(z.string(), ""), z.transform(splitTags)),
  lock: optionalText,
  template: flag(0),
  protection: flag(0),
  scsi0: diskText,
  scsi1: diskText,
  smbios1: optionalText,
});

/** A VM's configuration; options not named here are kept as they came. */
export type VmConfig = z.infer<typeof configSchema>;

export async function readConfig(proxmox: Proxmox, node: string, vmid: number): Promise<VmConfig> {
  return await proxmox.call({ method: "GET", path: apiPath`/nodes/${node}/qemu/${vmid}/config`, schema: configSchema });
}

/** A configuration, or nothing when the VM is not there. */
export async function readConfigIfThere(proxmox: Proxmox, node: string, vmid: number): Promise<VmConfig | undefined> {
  try {
    return await readConfig(proxmox, node, vmid);
  } catch (error) {
    if (isMissingVm(error)) return undefined;
    throw error;
  }
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
    schema: z.nullish(upidSchema),
  });
  return answer ?? undefined;
}

// Made when it is needed: a run that reuses a template asks for no VM's status.
const statusSchema = () =>
  z.object({
    status: z.string(),
    qmpstatus: optionalText,
    uptime: z.optional(z.number()),
    lock: optionalText,
    blockstat: z.optional(
      z.record(
        z.string(),
        z.looseObject({ wr_highest_offset: z.optional(z.number()), rd_bytes: z.optional(z.number()) }),
      ),
    ),
  });
export type VmStatus = z.infer<ReturnType<typeof statusSchema>>;

export async function readStatus(proxmox: Proxmox, node: string, vmid: number): Promise<VmStatus> {
  return await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/qemu/${vmid}/status/current`,
    schema: statusSchema(),
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

/** The host name of the running guest, through its agent (VM.GuestAgent.Audit; PVE 8: VM.Monitor). Foreign text. */
export async function readGuestHostName(proxmox: Proxmox, node: string, vmid: number): Promise<string> {
  const answer = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/qemu/${vmid}/agent/get-host-name`,
    schema: z.object({ result: z.object({ "host-name": z.string() }) }),
  });
  return answer.result["host-name"];
}

/** A file of the running guest, through its agent (VM.GuestAgent.FileRead; PVE 8: VM.Monitor). Foreign text. */
export async function readGuestFile(proxmox: Proxmox, node: string, vmid: number, file: string): Promise<string> {
  return (
    await proxmox.call({
      method: "GET",
      path: apiPath`/nodes/${node}/qemu/${vmid}/agent/file-read`,
      parameters: { file },
      schema: z.object({ content: z.string(), truncated: z.optional(z.coerce.boolean()) }),
    })
  ).content;
}
