import type { Call, Routes } from "./call.ts";
import { vmRow } from "./cluster/resources.ts";
import { badParameters, died } from "./refusal.ts";
import { splitList } from "./schema/formats.ts";
import type { Pool, World } from "./world.ts";

function existing(world: World, id: string, doing = ""): Pool {
  const pool = world.pools.get(id);
  if (!pool) throw died(`${doing}pool '${id}' does not exist`);
  return pool;
}

function membersOf(world: World, who: string, pool: Pool, type: string | undefined): unknown[] {
  const vms = [...pool.vms]
    .sort((a, b) => a - b)
    .flatMap((vmid) => {
      const vm = world.vms.get(vmid);
      if (!vm || !world.access.has(who, `/vms/${vmid}`, "VM.Audit")) return [];
      // Tags and the pool's own name are not among a member's fields.
      const { tags: _tags, pool: _pool, lock: _lock, ...row } = vmRow(world, vm);
      return [row];
    });
  const storages = [...pool.storages]
    .filter((storage) =>
      world.access.hasAny(who, `/storage/${storage}`, ["Datastore.Audit", "Datastore.AllocateSpace"]),
    )
    .map((storage) => ({ type: "storage", id: `storage/${storage}`, storage }));
  if (type === "qemu") return vms;
  return type === "storage" ? storages : type === "lxc" ? [] : [...vms, ...storages];
}

function whole(world: World, who: string, pool: Pool, type?: string): Record<string, unknown> {
  return { poolid: pool.id, ...commentOf(pool), members: membersOf(world, who, pool, type) };
}

const commentOf = (pool: Pool) => (pool.comment === undefined ? {} : { comment: pool.comment });

function list({ world, who, params }: Call): unknown[] {
  const id = params.get("poolid");
  if (id !== undefined) return [whole(world, who, existing(world, id), params.get("type"))];
  return [...world.pools.values()]
    .filter((pool) => world.access.has(who, `/pool/${pool.id}`, "Pool.Audit"))
    .map((pool) => ({ poolid: pool.id, ...commentOf(pool) }));
}

function create({ world, params }: Call): void {
  const id = params.need("poolid");
  if (world.pools.has(id)) throw died(`create pool failed: pool '${id}' already exists`);
  const parent = id.includes("/") ? id.slice(0, id.lastIndexOf("/")) : undefined;
  if (parent !== undefined && !world.pools.has(parent)) {
    throw died(`create pool failed: parent '${parent}' of pool '${id}' does not exist`);
  }
  const comment = params.get("comment");
  world.pools.set(id, { id, vms: new Set(), storages: new Set(), ...(comment === undefined ? {} : { comment }) });
}

function update({ world, who, params }: Call): void {
  const pool = existing(world, params.need("poolid"), "update pool failed: ");
  const comment = params.get("comment");
  if (comment !== undefined) pool.comment = comment;
  const remove = params.flag("delete");
  for (const vmid of splitList(params.get("vms") ?? "").map(Number)) {
    const holder = world.poolOfVm(vmid);
    if (!world.vms.has(vmid)) throw died(`update pool failed: VM ${vmid} does not exist`);
    if (!world.access.has(who, `/pool/${pool.id}`, "Pool.Allocate"))
      world.access.check(who, `/vms/${vmid}`, ["VM.Allocate"]);
    if (remove) {
      if (!pool.vms.delete(vmid)) throw died(`update pool failed: VM ${vmid} is not a pool member`);
      continue;
    }
    if (holder !== undefined && holder !== pool.id && !params.flag("allow-move")) {
      throw died(`update pool failed: VM ${vmid} belongs already to pool '${holder}' and 'allow-move' is not set`);
    }
    if (holder !== undefined) world.pools.get(holder)?.vms.delete(vmid);
    pool.vms.add(vmid);
  }
  for (const storage of splitList(params.get("storage") ?? "")) {
    if (!world.storages.has(storage)) throw badParameters({ storage: `storage '${storage}' does not exist` });
    if (remove) pool.storages.delete(storage);
    else pool.storages.add(storage);
  }
}

function drop({ world, params }: Call): void {
  const pool = existing(world, params.need("poolid"), "delete pool failed: ");
  const [vmid] = pool.vms;
  if (vmid !== undefined) throw died(`delete pool failed: pool '${pool.id}' is not empty (contains VM ${vmid})`);
  const [storage] = pool.storages;
  if (storage !== undefined)
    throw died(`delete pool failed: pool '${pool.id}' is not empty (contains storage '${storage}')`);
  const child = [...world.pools.keys()].find((id) => id.startsWith(`${pool.id}/`));
  if (child !== undefined) throw died(`delete pool failed: pool '${pool.id}' is not empty (contains pool '${child}')`);
  world.pools.delete(pool.id);
  // The pool's ACLs go with it: who removes its pool cannot make it again.
  world.access.dropAcl(`/pool/${pool.id}`);
}

export const poolRoutes: Routes = {
  "GET /pools": list,
  "POST /pools": create,
  "PUT /pools": update,
  "DELETE /pools": drop,
  "GET /pools/{poolid}": ({ world, who, params }) =>
    whole(world, who, existing(world, params.need("poolid")), params.get("type")),
  "PUT /pools/{poolid}": update,
  "DELETE /pools/{poolid}": drop,
};
