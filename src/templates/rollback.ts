import { targetOfTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import type { Context } from "./context.ts";
import { targetMatcher } from "./find-targets.ts";
import { readNotes } from "./notes.ts";
import { planTarget } from "./plan.ts";
import { awaitShown, exchange, isUnknown, setTags } from "./publish.ts";
import { readRetired, retiredTags, targetOfManifest, type Retired } from "./retired.ts";
import type { RollbackRequest } from "./upkeep-requests.ts";
import { readUntagged } from "./untagged.ts";

/** What a roll-back came to. */
export interface RolledBack {
  target: Target;
  /** The template that has the tags again. */
  to: { vmid: number; node: string; build: string; created: string };
  /** The one that was retired for it; absent where there was none. */
  from: { vmid: number; node: string } | undefined;
  done: boolean;
}

/**
 * Brings the newest retired build of a target back, or the one that is named; the present one is retired.
 * @throws Failure `not-found` when there is none, `conflict` when several targets fit or the present one is pinned
 */
export async function rollback(context: Context, request: RollbackRequest): Promise<RolledBack> {
  const { proxmox, reporter } = context;
  const guests = await listGuests(proxmox);
  const begun = await readBegun(proxmox, guests, request.pool);
  const retired = [...(await readRetired(proxmox, guests, request.pool)), ...begun];
  const isNamed = await targetMatcher(context.sources, request, [
    ...retired.map(({ target }) => target),
    ...tagged(guests),
  ]);
  const fitting = retired.filter(
    ({ target, manifest }) => isNamed(target) && (request.build === undefined || manifest.build === request.build),
  );
  const midway = await firstMidway(
    proxmox,
    guests,
    fitting.filter((one) => begun.includes(one)),
    retired,
  );
  const chosen =
    midway ??
    newestOfOneTarget(
      fitting.filter((one) => !begun.includes(one)),
      request,
    );
  const plan = await planTarget(proxmox, chosen.target, guests, {
    pool: chosen.row.pool ?? request.pool ?? "",
    node: undefined,
  });
  const present = plan.action === "reuse" ? plan.found : undefined;
  if (present?.config.protection) {
    throw new Failure(
      "conflict",
      `The present template of ${chosen.target.title}, VM ${present.row.vmid} on node ${present.row.node}, is pinned (its protection is on)`,
      {
        remedy: [`qm set ${present.row.vmid} --protection 0   # on node ${present.row.node}, if it is to be retired`],
      },
    );
  }
  const result: RolledBack = {
    target: chosen.target,
    to: {
      vmid: chosen.row.vmid,
      node: chosen.row.node,
      build: chosen.manifest.build,
      created: chosen.manifest.created,
    },
    from: present && { vmid: present.row.vmid, node: present.row.node },
    done: !request.dryRun,
  };
  if (request.dryRun) return result;
  const to = { node: chosen.row.node, vmid: chosen.row.vmid, tags: chosen.target.tags };
  if (present) {
    await awaitShown(proxmox, to);
    // Without tags and with its manifest it is what an interrupted publication leaves: should this run die in the middle,
    // the next one finishes it.
    await setTags(proxmox, to, []);
    const manifest = readNotes(present.config.description)?.manifest ?? { build: `vm-${present.row.vmid}` };
    try {
      await exchange(proxmox, { node: present.row.node, vmid: present.row.vmid, tags: retiredTags(manifest) }, to);
    } catch (error) {
      if (!isUnknown(error))
        await setTags(proxmox.under(undefined), to, retiredTags(chosen.manifest)).catch(() => undefined);
      throw error;
    }
  } else await setTags(proxmox, to, to.tags);
  reporter.note(
    `VM ${to.vmid} on node ${to.node} is the template again, made ${chosen.manifest.created}`,
    chosen.target.title,
  );
  reporter.note(
    "A run with refresh: outdated or always builds anew all the same; to hold this one, protect it (kubehenge template verify --protect true)",
    chosen.target.title,
  );
  return result;
}

/** Whole templates without tags: the roll-back, or publication, that they belong to was interrupted. */
async function readBegun(proxmox: Proxmox, guests: readonly GuestRow[], pool: string | undefined): Promise<Retired[]> {
  const { ready } = await readUntagged(proxmox, guests, pool);
  return ready.flatMap(({ row, config, manifest }) => {
    const target = targetOfManifest(manifest);
    return target ? [{ row, config, manifest, target }] : [];
  });
}

/** One that is older than another build of its target was on its way back; a newer one was on its way to replace it. */
async function firstMidway(
  proxmox: Proxmox,
  guests: readonly GuestRow[],
  begun: readonly Retired[],
  retired: readonly Retired[],
): Promise<Retired | undefined> {
  for (const one of begun) {
    const plan = await planTarget(proxmox, one.target, guests, { pool: one.row.pool ?? "", node: undefined });
    const present = plan.action === "reuse" ? readNotes(plan.found.config.description)?.manifest : undefined;
    const others = [
      present,
      ...retired.flatMap(({ target, manifest }) => (target.name === one.target.name ? [manifest] : [])),
    ];
    if (others.some((other) => other !== undefined && other.created > one.manifest.created)) return one;
  }
  return undefined;
}

function tagged(guests: readonly GuestRow[]): Target[] {
  return guests.flatMap((row) => targetOfTags(row.tags) ?? []);
}

function newestOfOneTarget(fitting: readonly Retired[], request: RollbackRequest): Retired {
  const titles = [...new Set(fitting.map(({ target }) => target.title))];
  const [newest] = fitting;
  if (!newest) {
    throw new Failure(
      "not-found",
      `There is no retired build of ${[request.distribution, ...request.versions].join(" ")} to bring back`,
      {
        remedy: ["builds are retired when a refresh takes their place, and pruned beyond `keep`"],
      },
    );
  }
  if (titles.length > 1) {
    throw new Failure("conflict", `Retired builds of several templates fit: ${titles.join("; ")}`, {
      remedy: ["name one by its exact version (and --ubuntu-release)"],
    });
  }
  return newest;
}
