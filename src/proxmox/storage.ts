import * as z from "zod/mini";
import { apiPath, type Proxmox } from "./client.ts";
import { ProxmoxError } from "./error.ts";
import { flag } from "./flag.ts";
import { upidSchema } from "./task.ts";

// Made when they are needed: a run that reuses a template seldom asks for storages.
const storageRow = () =>
  z.object({
    storage: z.string(),
    type: z.string(),
    // The order of the list changes from call to call.
    content: z.pipe(
      z.string(),
      z.transform((text) => text.split(",").sort()),
    ),
    shared: flag(0),
    enabled: flag(1),
    active: flag(1),
    avail: z.optional(z.number()),
  });

export interface Storage {
  name: string;
  type: string;
  content: readonly string[];
  shared: boolean;
  /** Enabled and reachable on this node. */
  usable: boolean;
  /** Bytes free, where Proxmox VE tells. */
  availBytes: number | undefined;
}

/** The storages of a node which the token may see (Datastore.Audit or .AllocateSpace). */
export async function listStorages(proxmox: Proxmox, node: string): Promise<Storage[]> {
  const rows = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/storage`,
    schema: z.array(storageRow()),
  });
  return rows
    .map((row) => ({
      name: row.storage,
      type: row.type,
      content: row.content,
      shared: row.shared,
      usable: row.enabled && row.active,
      availBytes: row.avail,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

// Storages that hold volumes as files and so take a format; the others hold block devices, which take none (cases.md B09).
const fileTypes = new Set(["dir", "btrfs", "nfs", "cifs", "cephfs", "glusterfs"]);

export function takesFormat(storage: Storage): boolean {
  return fileTypes.has(storage.type);
}

const volumeRow = () =>
  z.object({
    volid: z.string(),
    size: z.optional(z.number()),
    ctime: z.optional(z.number()),
    vmid: z.optional(z.coerce.number()),
  });

export interface Volume {
  /** `STORAGE:CONTENT/NAME` */
  id: string;
  sizeBytes: number | undefined;
  /** Seconds since the epoch. */
  created: number | undefined;
}

export async function listVolumes(
  proxmox: Proxmox,
  node: string,
  storage: string,
  content: "import" | "iso",
): Promise<Volume[]> {
  const rows = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/storage/${storage}/content`,
    parameters: { content },
    schema: z.array(volumeRow()),
  });
  return rows.map((row) => ({ id: row.volid, sizeBytes: row.size, created: row.ctime }));
}

export interface Download {
  url: string;
  /** Letters, digits, `.`, `_`, `+`, `=` and `-`, ending in `.qcow2` or `.raw`. */
  fileName: string;
  /** SHA-256 as hex digits; Proxmox VE refuses other bytes. */
  sha256?: string | undefined;
}

/** Has the node download an image into content type `import`. Answers the task's UPID. */
export async function downloadImage(
  proxmox: Proxmox,
  node: string,
  storage: string,
  download: Download,
): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/storage/${storage}/download-url`,
    parameters: {
      content: "import",
      filename: download.fileName,
      url: download.url,
      checksum: download.sha256,
      "checksum-algorithm": download.sha256 ? "sha256" : undefined,
    },
    schema: upidSchema,
  });
}

/** Uploads an ISO; one of the same name is overwritten. Answers the task's UPID. */
export async function uploadIso(
  proxmox: Proxmox,
  node: string,
  storage: string,
  iso: { fileName: string; bytes: Uint8Array; sha256: string },
): Promise<string> {
  return await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/storage/${storage}/upload`,
    parameters: { content: "iso", "checksum-algorithm": "sha256", checksum: iso.sha256 },
    upload: { fileName: iso.fileName, bytes: iso.bytes },
    schema: upidSchema,
  });
}

/** Removes a volume; an absent one is fine. With a delay Proxmox VE answers when it is done, else with a task. */
export async function deleteVolume(proxmox: Proxmox, node: string, volume: string): Promise<string | undefined> {
  const storage = volume.slice(0, volume.indexOf(":"));
  try {
    const answer = await proxmox.call({
      method: "DELETE",
      path: apiPath`/nodes/${node}/storage/${storage}/content/${volume}`,
      parameters: { delay: 30 },
      schema: z.nullable(upidSchema),
    });
    return answer ?? undefined;
  } catch (error) {
    // Waiting for the end, older releases answer 500 for whatever is not plain OK; a task that warned has done its work.
    if (error instanceof ProxmoxError && /^WARNINGS: \d+$/.test(error.reason)) return undefined;
    throw error;
  }
}
