import { sameTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import { isWholeTemplate, readConfigIfThere } from "../proxmox/vm.ts";
import { hasEnded, sayLease, type Lease } from "./lease.ts";
import { targetOfManifest } from "./retired.ts";
import { requestDefaults } from "./request-defaults.ts";
import { readUntagged, type Claim, type Ready } from "./untagged.ts";

export async function readClaims(
  proxmox: Proxmox,
  guests: readonly GuestRow[],
  pool: string | undefined,
  apart?: number,
): Promise<readonly Claim[]> {
  return (await readUntagged(proxmox, guests, pool, apart)).claims;
}

export function claimsOn(claims: readonly Claim[], target: Target): Claim[] {
  return claims.filter(({ lease }) => sameTags(lease.tags, target.tags));
}

/**
 * A VM that was kept after a failure keeps its target from being built.
 * @param replaces a template stands beside it, which a deletion by the target's name would take in
 * @throws Failure `conflict` with its id and how to remove it
 */
export function refuseKept(claims: readonly Claim[], target: Target, replaces: boolean): void {
  // A smoke test's clone and its candidate are kept together, and the clone has to go first.
  const all = claimsOn(claims, target)
    .filter(({ lease }) => lease.state === "kept")
    .sort((a, b) => Number(a.config.template) - Number(b.config.template));
  const [kept] = all;
  if (!kept) return;
  const byHand = all.map(({ row }) => `qm destroy ${row.vmid} --purge`).join("; ");
  throw new Failure(
    "conflict",
    `VM ${kept.row.vmid} on node ${kept.row.node} was kept from a failed build of ${target.title}${kept.lease.reason ? `: ${kept.lease.reason}` : ""}. It has to be removed before another one is built`,
    {
      remedy: [
        ...(replaces ? [] : [deleteLine(target, kept.row.pool ?? requestDefaults.pool)]),
        `${replaces ? "" : "or "}on node ${kept.row.node}: ${byHand}`,
      ],
    },
  );
}

/** The command that deletes a target's template, kept VM or broken one, in its pool. */
export function deleteLine(target: Target, pool: string): string {
  const versions =
    target.distribution === "talos"
      ? ` --talos-version ${target.version}`
      : target.distribution === "kubeadm"
        ? ` --kubernetes-version ${target.version} --ubuntu-release ${target.ubuntuRelease}`
        : ` --ubuntu-release ${target.version}`;
  return `kubehenge template delete ${target.distribution}${versions}${pool === requestDefaults.pool ? "" : ` --pool ${pool}`}`;
}

/** Those among them that are a target's. */
export function readyOnes(ready: readonly Ready[], target: Target): Ready[] {
  return ready.filter(({ manifest }) => targetOfManifest(manifest)?.name === target.name);
}

export interface Standing {
  /** Whether this build goes on; else the claim that it gives way to. */
  wins: boolean;
  /** Absent where it has published its template already. */
  to?: Claim;
}

const settleMs = 1000;
const settleAttempts = 30;

/**
 * Settles which of several builds of one target goes on, once this one's VM can be seen by the others.
 *
 * Both write first (the VM with its lease) and look afterwards, so at least the later to look sees the other. Whoever
 * has the later lease gives way at once and removes its VM. Whoever has the earlier one cannot know whether the other
 * has looked before it was there, so it waits until the other is gone, or has gone on with its work: then it gives way
 * itself. So never two go on, and never both give way.
 */
export async function settleClaim(
  proxmox: Proxmox,
  mine: { vmid: number; pool: string; lease: Lease; replaces: number | undefined },
  target: Target,
): Promise<Standing> {
  for (let attempt = 1; ; attempt += 1) {
    const guests = await listGuests(proxmox);
    if (
      await isPublished(
        proxmox,
        guests.filter(({ vmid }) => vmid !== mine.replaces),
        mine.pool,
        target,
      )
    )
      return { wins: false };
    const { claims, ready } = await readUntagged(proxmox, guests, mine.pool, mine.vmid);
    const others = liveClaims(claims, target, proxmox.clock.now());
    const [other] = others;
    // Published between the listing, where it had no tags yet, and the reading of its notes.
    if (readyOnes(ready, target).length > 0) return { wins: false };
    if (!other) return { wins: true };
    const ahead = others.find((claim) => goesOn(claim) || precedes(claim.lease, mine.lease));
    if (ahead) return { wins: false, to: ahead };
    if (attempt >= settleAttempts) return { wins: false, to: other };
    await proxmox.clock.sleep(settleMs, proxmox.signal);
  }
}

/** The builds of a target that are under way by their leases. */
export function liveClaims(claims: readonly Claim[], target: Target, nowMs: number): Claim[] {
  return claimsOn(claims, target).filter(({ lease }) => lease.state === "building" && !hasEnded(lease, nowMs));
}

/** Whether a whole template of the target has appeared; its tags can be seen at once. */
async function isPublished(
  proxmox: Proxmox,
  guests: readonly GuestRow[],
  pool: string,
  target: Target,
): Promise<boolean> {
  const rows = guests.filter((row) => row.pool === pool && sameTags(row.tags, target.tags));
  const configs = await Promise.all(rows.map((row) => readConfigIfThere(proxmox, row.node, row.vmid)));
  return configs.some((config) => config !== undefined && isWholeTemplate(config));
}

/** Has started its guest, or is being converted: it has looked, seen nobody, and gone on. */
function goesOn({ row, config }: Claim): boolean {
  return row.status === "running" || config.template || config.lock !== undefined;
}

function precedes(one: Lease, other: Lease): boolean {
  return one.since < other.since || (one.since === other.since && one.build < other.build);
}

/** For whom a run waits, for people. */
export function sayClaim({ row, lease }: Claim): string {
  return `VM ${row.vmid} on node ${row.node}, being built by ${sayLease(lease)}`;
}
