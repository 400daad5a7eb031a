import { sameTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import type { GuestRow } from "../proxmox/cluster.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { isWholeTemplate, type VmConfig, readConfigIfThere } from "../proxmox/vm.ts";

/** A template that is there and whole. */
export interface Found {
  row: GuestRow;
  config: VmConfig;
}

export interface ReusePlan {
  target: Target;
  action: "reuse";
  found: Found;
  why: string;
}

export interface BuildPlan {
  target: Target;
  action: "build";
  why: string;
  warnings: readonly string[];
  /** The template that a refresh takes the place of. */
  replaces?: Found | undefined;
}

export type PlanEntry = ReusePlan | BuildPlan;

export interface PlanInput {
  pool: string;
  /** Asked for by the person; a template elsewhere may not serve then. */
  node: string | undefined;
}

/**
 * What is to be done for a target: reuse the template that is there, or build. Reads and never writes: one call per
 * candidate, none where there is none.
 * @throws Failure `conflict` when what is there is broken, ambiguous or on a node that does not answer
 */
export async function planTarget(
  proxmox: Proxmox,
  target: Target,
  guests: readonly GuestRow[],
  input: PlanInput,
): Promise<PlanEntry> {
  const withTags = guests.filter((row) => sameTags(row.tags, target.tags));
  const candidates = withTags.filter((row) => row.pool === input.pool);
  // The statistics' flag comes late: rows that show it are read, and the others when none of those is the template.
  const shown = candidates.filter((row) => row.template === 1);
  const found = shown.length > 0 ? await readWhole(proxmox, shown) : await readWhole(proxmox, candidates);
  if (found.whole.length > 1) throw severalTemplates(target, found.whole);
  const [one] = found.whole;
  if (one) {
    await checkNode(proxmox, target, one, input.node);
    return {
      target,
      found: one,
      action: "reuse",
      why: `VM ${one.row.vmid} in pool ${input.pool} carries its tags and is whole`,
    };
  }
  const [broken] = found.broken;
  if (broken) throw brokenTemplate(target, broken);
  const elsewhere = withTags.filter((row) => row.pool !== input.pool && row.template === 1);
  return {
    target,
    action: "build",
    why: `no template in pool ${input.pool} carries its tags`,
    warnings: elsewhere.map(
      (row) =>
        `VM ${row.vmid} ${row.pool ? `in pool ${row.pool}` : "outside any pool"} carries the same tags and is not reused, since it is not in pool ${input.pool}. Cluster API's Proxmox provider wants exactly one match in the whole cluster: remove one of them, or its tags.`,
    ),
  };
}

async function readWhole(proxmox: Proxmox, rows: readonly GuestRow[]): Promise<{ whole: Found[]; broken: Found[] }> {
  const read = await Promise.all(rows.map(async (row) => ({ row, config: await readCandidate(proxmox, row) })));
  const there = read.flatMap(({ row, config }) => (config ? [{ row, config }] : []));
  return {
    whole: there.filter(({ config }) => isWholeTemplate(config)),
    // A clone inherits its template's tags without being one; only what calls itself a template can be a broken one.
    broken: there.filter(({ config }) => config.template && !isWholeTemplate(config)),
  };
}

async function readCandidate(proxmox: Proxmox, row: GuestRow): Promise<VmConfig | undefined> {
  try {
    return await readConfigIfThere(proxmox, row.node, row.vmid);
  } catch (error) {
    if (
      !(error instanceof ProxmoxError) ||
      !(error.status === 595 || error.status === 596 || /no route|hostname lookup/i.test(error.reason))
    )
      throw error;
    throw new Failure(
      "conflict",
      `VM ${row.vmid} carries the wanted tags, but its node ${row.node} does not answer, so whether it is a whole template cannot be told: ${error.reason}`,
      {
        remedy: [
          `bring node ${row.node} up again; a second template with the same tags would leave Cluster API with two matches`,
        ],
        cause: error,
      },
    );
  }
}

async function checkNode(
  proxmox: Proxmox,
  target: Target,
  { row, config }: Found,
  wanted: string | undefined,
): Promise<void> {
  if (wanted === undefined || wanted === row.node) return;
  const storage = (config.scsi0 ?? "").split(":")[0];
  const { listStorages } = await import("../proxmox/storage.ts");
  const storages = await listStorages(proxmox, row.node);
  if (storages.find((one) => one.name === storage)?.shared) return;
  throw new Failure(
    "conflict",
    `The template of ${target.title} is VM ${row.vmid} on node ${row.node}, on storage ${storage}, which is not shared: clones can start on ${row.node} only, not on ${wanted}. A second template with the same tags is not made, since Cluster API's Proxmox provider wants exactly one match in the whole cluster`,
    {
      remedy: [
        `move its disk to shared storage (qm disk move ${row.vmid} scsi0 STORAGE), or delete it and create it on ${wanted}`,
        `or leave the node out to reuse the one on ${row.node}`,
      ],
    },
  );
}

function severalTemplates(target: Target, found: readonly Found[]): Failure {
  const list = found.map(({ row }) => `VM ${row.vmid} on ${row.node}`).join(", ");
  return new Failure(
    "conflict",
    `Several templates carry the tags of ${target.title}: ${list}. Cluster API's Proxmox provider wants exactly one`,
    {
      remedy: found
        .slice(1)
        .map(({ row }) => `qm destroy ${row.vmid} --purge   # on node ${row.node}, or take its tags away`),
    },
  );
}

function brokenTemplate(target: Target, { row, config }: Found): Failure {
  const why = config.lock
    ? `it is locked (${config.lock})`
    : `its disk ${config.scsi0?.split(",")[0] ?? "scsi0"} is no base volume: a conversion was interrupted`;
  return new Failure(
    "conflict",
    `VM ${row.vmid} on node ${row.node} carries the tags of ${target.title} and calls itself a template, but is broken: ${why}`,
    {
      remedy: [`qm destroy ${row.vmid} --purge   # on node ${row.node}; or: kubehenge template delete`],
    },
  );
}
