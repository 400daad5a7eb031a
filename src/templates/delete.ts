import { targetOfTags } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import { TaskFailure } from "../proxmox/task.ts";
import { isWholeTemplate, readConfigIfThere } from "../proxmox/vm.ts";
import { hasEnded, sayLease } from "./lease.ts";
import type { Context } from "./context.ts";
import { targetMatcher } from "./find-targets.ts";
import { readNotes } from "./notes.ts";
import type { DeleteRequest } from "./upkeep-requests.ts";
import { destroyStopped, removeRemnant } from "./remove-remnant.ts";

/** What `delete` found to delete. */
export interface Deletion {
  vmid: number;
  node: string;
  name: string;
  title: string;
  what: "template" | "broken template" | "kept build VM" | "abandoned build VM";
  deleted: boolean;
}

/**
 * Deletes the one template that is named, and kept or abandoned build VMs of it.
 * @throws Failure `not-found` when there is nothing, `conflict` when several templates fit, when clones hang on it or
 * while another run builds it
 */
export async function deleteTemplate(context: Context, request: DeleteRequest): Promise<Deletion[]> {
  const { proxmox, reporter } = context;
  const guests = (await listGuests(proxmox)).filter((row) => request.pool === undefined || row.pool === request.pool);
  const isNamed = await targetMatcher(
    context.sources,
    request,
    guests.flatMap((row) => targetOfTags(row.tags) ?? []),
  );
  const matches: Matcher = (tags) => {
    const target = targetOfTags(tags);
    return target !== undefined && isNamed(target);
  };
  const found = (await Promise.all(guests.map((row) => inspect(context, row, matches)))).filter(
    (one) => one !== undefined,
  );
  const templates = found.filter(({ deletion }) => deletion.what === "template");
  if (templates.length > 1) throw severalFit(templates.map(({ deletion }) => deletion));
  if (found.length === 0) throw nothingFits(request);
  if (request.distribution === "rke2" || request.distribution === "k3s") {
    reporter.note(
      `RKE2 and k3s share this template: it is gone for both (${found.map(({ deletion }) => `VM ${deletion.vmid}`).join(", ")})`,
    );
  }
  const done: Deletion[] = [];
  // The kept clone of a smoke test goes before its candidate, whose disk it hangs on.
  const clonesFirst = found.toSorted((a, b) => Number(a.isTemplate) - Number(b.isTemplate));
  for (const { deletion, seed } of clonesFirst) {
    if (request.dryRun) {
      done.push(deletion);
      continue;
    }
    reporter.note(
      `Deleting ${deletion.what} ${deletion.name} (VM ${deletion.vmid} on node ${deletion.node}): ${deletion.title}`,
    );
    await destroy(context, deletion);
    if (seed) await removeRemnant(proxmox, { kind: "volume", node: deletion.node, volume: seed, whole: true });
    done.push({ ...deletion, deleted: true });
  }
  return done;
}

type Matcher = (tags: readonly string[]) => boolean;

async function inspect(
  { proxmox }: Context,
  row: GuestRow,
  matches: Matcher,
): Promise<{ deletion: Deletion; seed: string | undefined; isTemplate: boolean } | undefined> {
  const tagged = row.tags.length > 0;
  if (tagged && !matches(row.tags)) return undefined;
  const config = await readConfigIfThere(proxmox, row.node, row.vmid);
  if (!config) return undefined;
  const lease = readNotes(config.description)?.lease;
  if (!tagged && (!lease || !matches(lease.tags))) return undefined;
  const describe = (title: string, what: Deletion["what"]) => ({
    deletion: { vmid: row.vmid, node: row.node, name: config.name ?? row.name ?? "", title, what, deleted: false },
    seed: lease?.seed,
    isTemplate: config.template,
  });
  if (lease && !tagged) {
    if (lease.state === "kept") return describe(lease.title, "kept build VM");
    if (hasEnded(lease, proxmox.clock.now())) return describe(lease.title, "abandoned build VM");
    throw new Failure("conflict", `VM ${row.vmid} on node ${row.node} is being built by ${sayLease(lease)}`, {
      remedy: ["wait for that run, or cancel it"],
    });
  }
  // A clone inherits its template's tags; it is a cluster's node and none of ours.
  if (!config.template) return undefined;
  return describe(titleOf(row.tags), isWholeTemplate(config) ? "template" : "broken template");
}

function titleOf(tags: readonly string[]): string {
  return targetOfTags(tags)?.title ?? tags.join(";");
}

async function destroy({ proxmox }: Context, { vmid, node, title }: Deletion): Promise<void> {
  const config = await readConfigIfThere(proxmox, node, vmid);
  if (config?.protection) {
    throw new Failure("conflict", `VM ${vmid} on node ${node} (${title}) is protected and was not deleted`, {
      remedy: [`qm set ${vmid} --protection 0   # on node ${node}, if it is really to go`],
    });
  }
  try {
    // What was inspected: after a lost answer the id may be somebody else's.
    await destroyStopped(
      proxmox,
      node,
      vmid,
      (now) => now.description === config?.description && now.name === config?.name,
    );
  } catch (error) {
    if (!(error instanceof TaskFailure) || !/still in use by linked clone/i.test(error.exitStatus)) throw error;
    throw new Failure(
      "conflict",
      `${title} (VM ${vmid} on node ${node}) was not deleted: linked clones still use its disk. It is whole and can be cloned as before`,
      {
        remedy: ["delete or move the cluster's nodes that were cloned from it first"],
        evidence: error.evidence,
        cause: error,
      },
    );
  }
}

function severalFit(deletions: readonly Deletion[]): Failure {
  return new Failure(
    "conflict",
    `Several templates fit, and none was deleted: ${deletions.map(({ title, vmid, node }) => `${title} (VM ${vmid} on ${node})`).join("; ")}`,
    {
      remedy: ["name one by its exact version (and --ubuntu-release)"],
    },
  );
}

function nothingFits(request: DeleteRequest): Failure {
  const what = [
    request.distribution,
    ...request.versions,
    ...(request.ubuntuRelease ? [`on Ubuntu ${request.ubuntuRelease}`] : []),
  ].join(" ");
  return new Failure(
    "not-found",
    `There is no template of ${what} ${request.pool === undefined ? "in any pool" : `in pool ${request.pool}`}`,
    {
      remedy: ["`kubehenge template list` shows what there is; `--pool ''` takes in every pool"],
    },
  );
}
