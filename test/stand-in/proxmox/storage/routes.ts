import type { Call, Routes } from "../call.ts";
import { badParameters, died } from "../refusal.ts";
import { splitList } from "../schema/formats.ts";
import { TaskFailure } from "../tasks.ts";
import type { World } from "../world.ts";
import { createHash } from "node:crypto";
import { downloadUrl, queryUrl } from "./download.ts";
import { upload } from "./upload.ts";
import { type Storage, type Volume, volid } from "./volumes.ts";

const READABLE = ["Datastore.Audit", "Datastore.AllocateSpace"];

/** Proxmox VE keeps contents in a hash: their order changes from call to call. */
function contentList(storage: Storage): string {
  const shuffled = [...storage.content];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j] ?? "", shuffled[i] ?? ""];
  }
  return shuffled.join(",");
}

function figures(world: World, storage: Storage, node: string) {
  const used = world.volumes.usedBytes(storage.name, node);
  return {
    type: storage.type,
    content: contentList(storage),
    shared: storage.shared ? 1 : 0,
    active: 1,
    enabled: 1,
    total: storage.totalBytes,
    used,
    avail: Math.max(0, storage.totalBytes - used),
  };
}

function nodeStorages({ world, who, node, params }: Call): unknown[] {
  const wanted = splitList(params.get("content") ?? "");
  const only = params.get("storage");
  return [...world.storages.values()]
    .filter((storage) => storage.isOn(node) && (only === undefined || storage.name === only))
    .filter((storage) => wanted.length === 0 || wanted.some((content) => storage.content.includes(content)))
    .filter((storage) => world.access.hasAny(who, `/storage/${storage.name}`, READABLE))
    .map((storage) => {
      const row = figures(world, storage, node);
      return { storage: storage.name, ...row, used_fraction: row.total === 0 ? 0 : row.used / row.total };
    });
}

const configDigest = (world: World) =>
  createHash("sha1")
    .update(JSON.stringify([...world.storages]))
    .digest("hex");

function configured(world: World, storage: Storage): Record<string, unknown> {
  return {
    storage: storage.name,
    type: storage.type,
    content: storage.content.join(","),
    ...(storage.isFileStorage ? { path: storage.path } : {}),
    ...(storage.shared ? { shared: 1 } : {}),
    ...(storage.nodes === undefined ? {} : { nodes: storage.nodes.join(",") }),
    digest: configDigest(world),
  };
}

/** `GET content`: disks show their VM and parent, ISOs and images do not. */
function contents({ world, who, node, params }: Call): unknown[] {
  const storage = world.storageOn(params.need("storage"), node);
  const content = params.get("content");
  const vmid = params.int("vmid");
  return world.volumes
    .on(storage.name, node)
    .filter((volume) => storage.content.includes(volume.content))
    .filter((volume) => content === undefined || volume.content === content)
    .filter((volume) => vmid === undefined || volume.vmid === vmid)
    .filter((volume) => mayRead(world, who, volume))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((volume) => listRow(storage, volume));
}

/** The disks of a VM are for who may see the VM or allocate in the storage (PVE::Storage::check_volume_access). */
function mayRead(world: World, who: string, volume: Volume): boolean {
  const path = `/storage/${volume.storage}`;
  if (world.access.has(who, path, "Datastore.Allocate")) return true;
  return volume.content === "images"
    ? world.access.has(who, path, "Datastore.Audit")
    : world.access.hasAny(who, path, READABLE);
}

function listRow(storage: Storage, volume: Volume): Record<string, unknown> {
  const row = {
    volid: volid(volume),
    content: volume.content,
    format: volume.format,
    size: volume.sizeBytes,
    ctime: volume.ctime,
  };
  if (volume.content !== "images") return row;
  const parent =
    volume.parent === undefined ? null : storage.isFileStorage ? `../${volume.parent}` : `${volume.parent}@__base__`;
  return { ...row, used: volume.usedBytes, vmid: volume.vmid, parent };
}

/** Splits the last part of a content path: with the storage's name before it, or without. */
function volumeOfCall({ world, node, params }: Call): { storage: Storage; name: string; volume: Volume | undefined } {
  const storage = world.storageOn(params.need("storage"), node);
  const given = params.need("volume");
  const prefix = `${storage.name}:`;
  if (given.includes(":") && !given.startsWith(prefix)) {
    throw badParameters({ volume: `volume does not belong to storage '${storage.name}'` });
  }
  const name = given.startsWith(prefix) ? given.slice(prefix.length) : given;
  if (storage.isFileStorage && !name.includes("/")) throw died(`unable to parse directory volume name '${name}'`);
  return { storage, name, volume: world.volumes.find(storage.name, name, node) };
}

function volumeAttributes(call: Call): unknown {
  const { storage, name, volume } = volumeOfCall(call);
  call.world.access.checkAny(call.who, `/storage/${storage.name}`, READABLE);
  if (!volume) throw died(`volume_size_info on '${storage.name}:${name}' failed - no format`);
  return {
    path: storage.pathOf(name),
    format: volume.format,
    size: volume.virtualBytes > 0 ? volume.virtualBytes : volume.sizeBytes,
    used: volume.usedBytes,
  };
}

/**
 * `DELETE content/VOLUME`: also of the disk or ISO of a running VM, and of what is not there. With `delay` the answer
 * waits for the end and bears no UPID.
 */
async function removeVolume(call: Call): Promise<string | null> {
  const { world, who, node, params } = call;
  const { storage, name, volume } = volumeOfCall(call);
  const vmid = /(?:^|\/)(?:vm|base)-(\d+)-/.exec(name)?.[1];
  const isImage = volume ? volume.content === "images" : vmid !== undefined;
  const owner = vmid === undefined ? undefined : world.vms.get(Number(vmid));
  const byVm = isImage && owner !== undefined && world.access.has(who, `/vms/${vmid}`, "VM.Config.Disk");
  if (byVm) world.access.check(who, `/storage/${storage.name}`, ["Datastore.AllocateSpace"]);
  else world.access.check(who, `/storage/${storage.name}`, ["Datastore.Allocate"]);
  const id = isImage ? `${vmid}@${storage.name}` : storage.name;
  const upid = world.tasks.start(node, "imgdel", id, who, async (worker) => {
    await worker.work();
    const found = world.volumes.find(storage.name, name, node);
    if (found && world.volumes.childrenOf(found).length > 0) {
      throw new TaskFailure(`base volume '${name}' is still in use by linked clones`);
    }
    if (!found) worker.log(`disk image '${storage.pathOf(name)}' does not exist`);
    else {
      await world.backend.free(found);
      world.volumes.remove(found);
    }
    worker.log(`Removed volume '${storage.name}:${name}'`);
  });
  const delay = params.int("delay");
  const task = world.tasks.find(upid);
  if (delay === undefined || !task) return upid;
  if (!(await world.endsWithin(task, delay * 1000))) return upid;
  if (task.exitstatus !== "OK") throw died(task.exitstatus ?? "unknown");
  return null;
}

export const storageRoutes: Routes = {
  "GET /storage": ({ world, who }) =>
    [...world.storages.values()]
      .filter((storage) => world.access.hasAny(who, `/storage/${storage.name}`, READABLE))
      .map((storage) => configured(world, storage)),
  "GET /storage/{storage}": ({ world, params }) => configured(world, world.storage(params.need("storage"))),
  "GET /nodes/{node}/storage": nodeStorages,
  "GET /nodes/{node}/storage/{storage}/status": ({ world, node, params }) =>
    figures(world, world.storageOn(params.need("storage"), node), node),
  "GET /nodes/{node}/storage/{storage}/content": contents,
  "GET /nodes/{node}/storage/{storage}/content/{volume}": volumeAttributes,
  "DELETE /nodes/{node}/storage/{storage}/content/{volume}": removeVolume,
  "POST /nodes/{node}/storage/{storage}/download-url": downloadUrl,
  "POST /nodes/{node}/storage/{storage}/upload": upload,
  "GET /nodes/{node}/query-url-metadata": queryUrl,
};
