import { sameTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Parameters, Proxmox } from "../proxmox/client.ts";
import { listGuests } from "../proxmox/cluster.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { readConfig, updateConfig } from "../proxmox/vm.ts";
import type { Manifest } from "./manifest.ts";
import { readNotes, templateNotes } from "./notes.ts";
import { planTarget, type Found } from "./plan.ts";
import { retiredTags } from "./retired.ts";
import { confirmWrite } from "./write.ts";

export interface Candidate {
  node: string;
  vmid: number;
  target: Target;
  manifest: Manifest;
}

/**
 * Gives a proven template its tag set; until then no cluster can find it. The one that it replaces loses the set in the
 * call before: for the moment between the two there is no match, and never are there two, which CAPMOX refuses.
 *
 * Everything else is written before that moment, so that it is two small calls long, and so that whoever finds a
 * crash in it can see from the candidate's notes that it was ready (`recoverPublications`).
 * @throws Failure `conflict` when the one to be replaced was pinned meanwhile, `deadline` when the cluster never shows
 * the candidate as a template; the old one then keeps its tags
 */
export async function publish(proxmox: Proxmox, candidate: Candidate, replaced: Found | undefined): Promise<void> {
  const { node, vmid, target, manifest } = candidate;
  const notes: Parameters = { name: target.name, description: templateNotes(target, manifest) };
  if (!replaced) return await setTags(proxmox, candidate, target.tags, notes);
  await awaitShown(proxmox, candidate);
  // Before the notes say that it is ready, so that nothing stays if it may not be published.
  await presentOf(proxmox, candidate, replaced);
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, node, vmid, notes),
    async () => readNotes((await readConfig(proxmox, node, vmid)).description)?.manifest !== undefined,
  );
  for (let attempt = 1; ; attempt += 1) {
    const present = await presentOf(proxmox, candidate, replaced);
    if (present?.row.vmid === vmid) return;
    if (!present) return await setTags(proxmox, candidate, target.tags);
    try {
      return await exchange(
        proxmox,
        { node: present.row.node, vmid: present.row.vmid, tags: retiredTags(manifestOf(present)) },
        { node, vmid, tags: target.tags },
      );
    } catch (error) {
      if (!(error instanceof TakenByOther) || attempt >= exchangeAttempts) throw error;
    }
  }
}

const exchangeAttempts = 3;
const showPauseMs = 1000;
/** pvestatd tells every 10 s; a node under load may leave some rounds out. */
const showLimitMs = 120_000;

/**
 * Waits until `/cluster/resources` shows a VM as a template. CAPMOX matches by that flag,
 * and it comes up to 10 s after the conversion (PVE 9.2): tags that move before then would leave it without a match.
 * @throws Failure `deadline`
 */
export async function awaitShown(proxmox: Proxmox, { node, vmid }: Pick<Candidate, "node" | "vmid">): Promise<void> {
  const until = proxmox.clock.now() + showLimitMs;
  for (;;) {
    const guests = await listGuests(proxmox);
    if (guests.some((row) => row.vmid === vmid && row.node === node && row.template === 1)) return;
    if (proxmox.clock.now() >= until) {
      throw new Failure(
        "deadline",
        `VM ${vmid} on node ${node} is a template, but after ${showLimitMs / 1000} s the cluster's list still does not show it as one, so clusters could not find it`,
        { remedy: [`look whether the statistics daemon runs: systemctl status pvestatd   # on node ${node}`] },
      );
    }
    await proxmox.clock.sleep(showPauseMs, proxmox.signal);
  }
}

/** Who carries the tags at this moment: since the plan somebody may have rolled back, pinned or deleted. */
async function presentOf(
  proxmox: Proxmox,
  { vmid, target }: Pick<Candidate, "vmid" | "target">,
  planned: Found,
): Promise<Found | undefined> {
  const guests = await listGuests(proxmox);
  const plan = await planTarget(proxmox, target, guests, { pool: planned.row.pool ?? "", node: undefined });
  if (plan.action === "build") return undefined;
  const { row, config } = plan.found;
  if (!config.protection || row.vmid === vmid) return plan.found;
  throw new Failure(
    "conflict",
    `VM ${row.vmid} on node ${row.node}, the present template of ${target.title}, was pinned while its successor was built`,
    { remedy: [`qm set ${row.vmid} --protection 0   # on node ${row.node}, if it is to be replaced`] },
  );
}

/** The template whose tags were to be handed over has been changed by somebody else at this very moment. */
export class TakenByOther extends Failure {}

interface Tagging {
  node: string;
  vmid: number;
  tags: readonly string[];
}

/**
 * Takes the tag set from one template and gives it to another, back to back. The first call bears the digest of the
 * configuration that was read, so that of several runs only one can take the tags. A run that is ended between the two
 * makes the second one all the same. If that is refused, the first is taken back, so that there is a match again; where
 * it stays unknown whether it was carried out, nothing is taken back, since two matches are worse than none: the next
 * run sees and finishes it.
 * @throws TakenByOther when somebody else was faster, ProxmoxError
 */
export async function exchange(proxmox: Proxmox, from: Tagging, to: Tagging): Promise<void> {
  proxmox.signal?.throwIfAborted();
  const { tags: before, digest } = await readConfig(proxmox, from.node, from.vmid);
  if (!sameTags(before, to.tags)) throw takenByOther(from);
  const unstoppable = proxmox.under(undefined);
  try {
    await setTags(unstoppable, from, from.tags, { digest });
  } catch (error) {
    throw isChangedMeanwhile(error) ? takenByOther(from, error) : error;
  }
  try {
    await setTags(unstoppable, to, to.tags);
  } catch (error) {
    if (!isUnknown(error)) await setTags(unstoppable, from, before).catch(() => undefined);
    throw error;
  }
}

/** Whether a write may have been carried out all the same. */
export function isUnknown(error: unknown): boolean {
  return error instanceof ProxmoxError && error.treatment === "ambiguous";
}

/** PVE 9.2 answers 500 `checksum mismatch (file change by other user?)`, and other releases speak of a modified configuration. */
function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof ProxmoxError && /checksum mismatch|modified config/i.test(error.reason);
}

function takenByOther({ node, vmid }: Tagging, cause?: unknown): TakenByOther {
  return new TakenByOther(
    "conflict",
    `VM ${vmid} on node ${node} was changed by somebody else at the moment when its tags were to be handed over`,
    { remedy: ["run again: it starts from what is there then"], cause },
  );
}

/** Gives a VM exactly these tags; none takes them all away. @throws ProxmoxError */
export async function setTags(
  proxmox: Proxmox,
  vm: { node: string; vmid: number },
  tags: readonly string[],
  besides: Parameters = {},
): Promise<void> {
  await confirmWrite(
    proxmox,
    () =>
      updateConfig(proxmox, vm.node, vm.vmid, {
        ...besides,
        ...(tags.length > 0 ? { tags: tags.join(";") } : { delete: "tags" }),
      }),
    async () => sameTags((await readConfig(proxmox, vm.node, vm.vmid)).tags, tags),
  );
}

function manifestOf({ row, config }: Found): Pick<Manifest, "build"> {
  // A template without a manifest of this product keeps a tag of its own all the same.
  return readNotes(config.description)?.manifest ?? { build: `vm-${row.vmid}` };
}
