import { sameTags, targetOfTags } from "../distributions/target.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import { isWholeTemplate, type VmConfig } from "../proxmox/vm.ts";
import { findClones } from "./clones.ts";
import type { Context } from "./context.ts";
import { readConfigIfThere, destroyStopped } from "./remnant.ts";
import type { PruneRequest } from "./upkeep-requests.ts";
import { readRetired } from "./retired.ts";

/** One template that is more than is to be kept. */
export interface Pruned {
  vmid: number;
  node: string;
  title: string;
  /** Why it is more than is to be kept. */
  why: string;
  result: "deleted" | "would be deleted" | "stays";
  /** Why it stays. */
  because?: string;
}

interface Surplus {
  row: GuestRow;
  config: VmConfig;
  title: string;
  why: string;
}

/**
 * Deletes retired builds beyond `keep` per target, and templates beyond the `keepVersions` newest versions per
 * distribution. What clones hang on stays, and so does what is pinned.
 * @throws Failure
 */
export async function pruneTemplates(context: Context, request: PruneRequest): Promise<Pruned[]> {
  const { proxmox } = context;
  const guests = await listGuests(proxmox);
  const surplus = [...(await oldBuilds(context, guests, request)), ...(await oldVersions(context, guests, request))];
  const done: Pruned[] = [];
  for (const one of surplus) done.push(await pruneOne(context, request, one));
  return done;
}

async function oldBuilds({ proxmox }: Context, guests: readonly GuestRow[], request: PruneRequest): Promise<Surplus[]> {
  const seen = new Map<string, number>();
  const surplus: Surplus[] = [];
  for (const { row, config, manifest, target } of await readRetired(proxmox, guests, request.pool)) {
    if (!request.concerns(target)) continue;
    const count = (seen.get(target.name) ?? 0) + 1;
    seen.set(target.name, count);
    if (count > request.keep) {
      surplus.push({
        row,
        config,
        title: target.title,
        why: `retired build ${manifest.build} of ${manifest.created.slice(0, 10)}; ${request.keep} are kept`,
      });
    }
  }
  return surplus;
}

async function oldVersions(
  { proxmox }: Context,
  guests: readonly GuestRow[],
  request: PruneRequest,
): Promise<Surplus[]> {
  const limit = request.keepVersions;
  if (limit === undefined) return [];
  const rows = guests.flatMap((row) => {
    const target = targetOfTags(row.tags);
    return target && (request.pool === undefined || row.pool === request.pool) && request.concerns(target)
      ? [{ row, target }]
      : [];
  });
  const kinds = new Map<string, typeof rows>();
  for (const one of rows) {
    const kind = `${one.target.distribution} ${one.target.distribution === "kubeadm" ? one.target.ubuntuRelease : ""}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const tooMany = [...kinds.values()].flatMap((kind) => {
    const versions = [...new Set(kind.map(({ target }) => target.version))].sort((a, b) =>
      b.localeCompare(a, "en", { numeric: true }),
    );
    const kept = new Set(versions.slice(0, limit));
    return kind.filter(({ target }) => !kept.has(target.version));
  });
  const read = await Promise.all(
    tooMany.map(async ({ row, target }): Promise<Surplus | undefined> => {
      const config = await readConfigIfThere(proxmox, row.node, row.vmid);
      return config && isWholeTemplate(config)
        ? { row, config, title: target.title, why: `older than the ${limit} newest versions` }
        : undefined;
    }),
  );
  return read.filter((one) => one !== undefined);
}

async function pruneOne(
  { proxmox, reporter }: Context,
  request: PruneRequest,
  { row, config, title, why }: Surplus,
): Promise<Pruned> {
  const pruned = { vmid: row.vmid, node: row.node, title, why };
  const stays = (because: string): Pruned => {
    reporter.note(`VM ${row.vmid} on node ${row.node} stays: ${because}`, title);
    return { ...pruned, result: "stays", because };
  };
  if (config.protection) return stays("it is pinned (its protection is on)");
  const clones = await findClones(proxmox, row.node, row.vmid, config);
  if (clones.known && clones.vmids.length > 0) return stays(`linked clones hang on it: VM ${clones.vmids.join(", ")}`);
  if (!clones.known && !request.force)
    return stays(`whether linked clones hang on it cannot be told: ${clones.why}; --force deletes it all the same`);
  if (request.dryRun) return { ...pruned, result: "would be deleted" };
  try {
    await destroyStopped(
      proxmox,
      row.node,
      row.vmid,
      (now) => now.template && !now.protection && sameTags(now.tags, row.tags),
    );
    return { ...pruned, result: "deleted" };
  } catch (error) {
    // Proxmox VE looks for clones itself, and refuses: the template stays whole.
    return stays((error as Error).message);
  }
}
