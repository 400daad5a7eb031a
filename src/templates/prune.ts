import { sameTags, targetOfTags, type Target } from "../distributions/target.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import { isWholeTemplate, type VmConfig, readConfigIfThere } from "../proxmox/vm.ts";
import { findClones } from "./clones.ts";
import type { Context } from "./context.ts";
import type { PruneRequest } from "./upkeep-requests.ts";
import { readRetired, type Retired } from "./retired.ts";
import { destroyStopped } from "./remove-remnant.ts";

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
  const retired = (await readRetired(proxmox, guests, request.pool)).filter(({ target }) => request.concerns(target));
  const isOld = oldVersionsOf(guests, request);
  const surplus = [...oldBuilds(retired, request, isOld), ...(await oldVersions(context, guests, request, isOld))];
  const done: Pruned[] = [];
  for (const one of surplus) done.push(await pruneOne(context, request, one));
  return done;
}

/** Retired builds beyond those that are kept, and all of those whose version is not kept. */
function oldBuilds(retired: readonly Retired[], request: PruneRequest, isOld: IsOld): Surplus[] {
  const seen = new Map<string, number>();
  return retired.flatMap(({ row, config, manifest, target }): Surplus[] => {
    const count = (seen.get(target.name) ?? 0) + 1;
    seen.set(target.name, count);
    const build = `retired build ${manifest.build} of ${manifest.created.slice(0, 10)}`;
    if (isOld(target))
      return [
        { row, config, title: target.title, why: `${build}; older than the ${request.keepVersions} newest versions` },
      ];
    if (count <= request.keep) return [];
    return [{ row, config, title: target.title, why: `${build}; ${request.keep} are kept` }];
  });
}

type IsOld = (target: Target) => boolean;

/** Versions count as templates that are there: what is older than the oldest of the newest `keepVersions` is old. */
function oldVersionsOf(guests: readonly GuestRow[], request: PruneRequest): IsOld {
  const limit = request.keepVersions;
  if (limit === undefined) return () => false;
  const versions = new Map<string, Set<string>>();
  for (const { target } of taggedTargets(guests, request))
    versions.set(kindOf(target), (versions.get(kindOf(target)) ?? new Set()).add(target.version));
  const oldest = new Map(
    [...versions].map(([kind, all]) => [kind, [...all].sort((one, other) => compareVersions(other, one))[limit - 1]]),
  );
  return (target) => {
    const bound = oldest.get(kindOf(target));
    return bound !== undefined && compareVersions(target.version, bound) < 0;
  };
}

function taggedTargets(guests: readonly GuestRow[], request: PruneRequest): { row: GuestRow; target: Target }[] {
  return guests.flatMap((row) => {
    const target = targetOfTags(row.tags);
    return target && (request.pool === undefined || row.pool === request.pool) && request.concerns(target)
      ? [{ row, target }]
      : [];
  });
}

/** What the newest versions are counted for. RKE2 and k3s share their templates. */
function kindOf({ distribution, ubuntuRelease = "" }: Target): string {
  if (distribution === "kubeadm") return `${distribution} ${ubuntuRelease}`;
  return distribution === "k3s" ? "rke2" : distribution;
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

async function oldVersions(
  { proxmox }: Context,
  guests: readonly GuestRow[],
  request: PruneRequest,
  isOld: IsOld,
): Promise<Surplus[]> {
  const tooMany = taggedTargets(guests, request).filter(({ target }) => isOld(target));
  const read = await Promise.all(
    tooMany.map(async ({ row, target }): Promise<Surplus | undefined> => {
      const config = await readConfigIfThere(proxmox, row.node, row.vmid);
      return config && isWholeTemplate(config)
        ? { row, config, title: target.title, why: `older than the ${request.keepVersions} newest versions` }
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
