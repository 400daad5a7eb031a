import type { Architecture, Distribution, Ingredients } from "../distributions/distribution.ts";
import { sayDuration } from "../time/duration.ts";
import type { Context } from "./context.ts";
import type { Manifest } from "./manifest.ts";
import { readNotes } from "./notes.ts";
import type { PlanEntry, ReusePlan } from "./plan.ts";
import type { CreateRequest, Refresh } from "./request.ts";

/**
 * Turns the reuse of a template into its rebuild where `refresh` asks for that, and says in a sentence why or why not.
 * Reads and never writes.
 * @throws Failure of the sources
 */
export async function planRefresh(
  context: Context,
  request: CreateRequest,
  distribution: Distribution,
  plans: readonly PlanEntry[],
): Promise<PlanEntry[]> {
  return await Promise.all(
    plans.map(async (plan) =>
      plan.action === "reuse" ? await refreshOne(context, request, distribution, plan) : plan,
    ),
  );
}

async function refreshOne(
  context: Context,
  request: CreateRequest,
  distribution: Distribution,
  plan: ReusePlan,
): Promise<PlanEntry> {
  const { target, found } = plan;
  const keep = (why: string): ReusePlan => ({ ...plan, why });
  const rebuild = (why: string): PlanEntry => ({ target, action: "build", why, warnings: [], replaces: found });
  if (found.config.protection)
    return keep(`VM ${found.row.vmid} is pinned (its protection is on), so it is not refreshed`);
  if (request.refresh.when === "always")
    return rebuild(`a refresh was asked for in any case; it takes the place of VM ${found.row.vmid}`);
  const manifest = readNotes(found.config.description)?.manifest;
  if (!manifest) return rebuild(`VM ${found.row.vmid} does not say what it is made of (no manifest in its notes)`);
  const ingredients = await distribution.ingredients(target, architecture(manifest), context.sources);
  const changed = whatChanged(manifest, ingredients);
  if (changed) return rebuild(`${changed}; it takes the place of VM ${found.row.vmid}`);
  const ageMs = context.proxmox.clock.now() - Date.parse(manifest.created);
  const tooOld = isTooOld(ageMs, request.refresh);
  if (tooOld)
    return rebuild(`VM ${found.row.vmid} is ${sayAge(ageMs)} old, more than ${sayAge(request.refresh.maxAgeMs ?? 0)}`);
  return keep(`VM ${found.row.vmid} is up to date: made ${sayAge(ageMs)} ago from what upstream still publishes`);
}

/** In words what upstream publishes now that the template was not made from. */
function whatChanged(manifest: Manifest, { image, guest }: Ingredients): string | undefined {
  if (image.sha256 !== undefined && image.sha256 !== manifest.image.sha256)
    return `upstream has a newer image (sha256 ${image.sha256.slice(0, 12)}…)`;
  if (image.sha256 === undefined && image.fileName !== manifest.image.file)
    return `the image is another one now (${image.fileName})`;
  const packages = guest?.kubernetes?.packages;
  if (packages && manifest.packages && packages.kubelet !== manifest.packages["kubelet"])
    return `the packages were built anew (kubelet ${packages.kubelet})`;
  return undefined;
}

function isTooOld(ageMs: number, { maxAgeMs }: Refresh): boolean {
  return maxAgeMs !== undefined && ageMs > maxAgeMs;
}

function architecture(manifest: Manifest): Architecture {
  return manifest.architecture === "arm64" ? "arm64" : "amd64";
}

function sayAge(ms: number): string {
  const days = ms / 86_400_000;
  return days >= 2 ? `${Math.floor(days)} days` : sayDuration(ms);
}
