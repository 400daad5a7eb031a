import { sameTags, type Target } from "../distributions/target.ts";
import type { Parameters, Proxmox } from "../proxmox/client.ts";
import { readConfig, updateConfig } from "../proxmox/vm.ts";
import type { Manifest } from "./manifest.ts";
import { readNotes, templateNotes } from "./notes.ts";
import type { Found } from "./plan.ts";
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
 * crash in it can see from the candidate's notes that it was ready (`recoverPublication`).
 */
export async function publish(proxmox: Proxmox, candidate: Candidate, replaced: Found | undefined): Promise<void> {
  const { node, vmid, target, manifest } = candidate;
  const notes: Parameters = { name: target.name, description: templateNotes(target, manifest) };
  if (!replaced) return await setTags(proxmox, candidate, target.tags, notes);
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, node, vmid, notes),
    async () => readNotes((await readConfig(proxmox, node, vmid)).description)?.manifest !== undefined,
  );
  await exchange(
    proxmox,
    { node: replaced.row.node, vmid: replaced.row.vmid, tags: retiredTags(manifestOf(replaced)) },
    { node, vmid, tags: target.tags },
  );
}

interface Tagging {
  node: string;
  vmid: number;
  tags: readonly string[];
}

/**
 * Takes the tag set from one template and gives it to another, back to back. If the second call fails for good, the
 * first is taken back, so that there is a match again.
 */
export async function exchange(proxmox: Proxmox, from: Tagging, to: Tagging): Promise<void> {
  const before = (await readConfig(proxmox, from.node, from.vmid)).tags;
  await setTags(proxmox, from, from.tags);
  try {
    await setTags(proxmox, to, to.tags);
  } catch (error) {
    await setTags(proxmox, from, before).catch(() => undefined);
    throw error;
  }
}

async function setTags(
  proxmox: Proxmox,
  vm: { node: string; vmid: number },
  tags: readonly string[],
  besides: Parameters = {},
): Promise<void> {
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, vm.node, vm.vmid, { ...besides, tags: tags.join(";") }),
    async () => sameTags((await readConfig(proxmox, vm.node, vm.vmid)).tags, tags),
  );
}

function manifestOf({ row, config }: Found): Pick<Manifest, "build"> {
  // A template without a manifest of this product keeps a tag of its own all the same.
  return readNotes(config.description)?.manifest ?? { build: `vm-${row.vmid}` };
}
