import { randomBytes } from "node:crypto";
import type { Distribution, Ingredients } from "../distributions/distribution.ts";
import type { Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import type { GuestRow } from "../proxmox/cluster.ts";
import { createPool } from "../proxmox/pool.ts";
import { listVolumes } from "../proxmox/storage.ts";
import { awaitOther } from "./await-other.ts";
import { buildTemplate } from "./build.ts";
import { claimsOn, refuseKept } from "./claim.ts";
import { oneCleaner } from "./cleaner.ts";
import type { Context } from "./context.ts";
import { GaveWay } from "./create-vm.ts";
import { inspectionHint } from "./guest-watch.ts";
import { imagesOf, type Images } from "./images.ts";
import { inParallel } from "./in-parallel.ts";
import { keepVm } from "./keep.ts";
import { templateOf, type CreateReport, type Outcome } from "./outcome.ts";
import { timePhases } from "./phases.ts";
import type { Place } from "./place.ts";
import type { BuildPlan } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { releaseImages } from "./release-images.ts";
import { pruneTemplates, type Pruned } from "./prune.ts";
import type { CreateRequest } from "./request.ts";
import type { PruneRequest } from "./upkeep-requests.ts";
import { SmokeFailure } from "./smoke-failure.ts";
import { sweepVolumes, type VolumeSweep } from "./sweep.ts";
import { createUndo, type Left, type Undo } from "./undo.ts";
import type { Claim } from "./untagged.ts";

export interface BuildAllInput {
  request: CreateRequest;
  distribution: Distribution;
  plans: readonly BuildPlan[];
  guests: readonly GuestRow[];
  claims: readonly Claim[];
  /** Milliseconds since the epoch. */
  deadlineMs: number;
}

/**
 * Checks all that can be checked, then builds what is planned, several at a time. A dry run ends after the checks.
 * @throws Failure for what was found before anything was made; what happens to one target stands in its outcome
 */
export async function buildAll(
  context: Context,
  input: BuildAllInput,
): Promise<Pick<CreateReport, "outcomes" | "left" | "pruned">> {
  const { proxmox, reporter, journal } = context;
  const { request, plans, claims, guests } = input;
  for (const { target, replaces } of plans) refuseKept(claims, target, replaces !== undefined);
  const targets = plans.map(({ target }) => target);
  const { place, ingredients } = await preflight(context, request, input.distribution, targets, guests);
  for (const [, parts] of ingredients) for (const { title, text } of parts.warnings ?? []) reporter.warn(title, text);
  if (!request.perNode && place.nodes > 1 && !place.disk.shared) {
    reporter.warn(
      "A template on local storage",
      `Storage ${place.disk.name} is not shared, so clones can start on node ${place.node} only, of ${place.nodes} nodes. Take shared storage, or one template per node (per-node), which then has a tag of its node.`,
    );
  }
  if (request.dryRun)
    return {
      left: [],
      pruned: [],
      outcomes: plans.map((plan) => plannedOutcome(context, plan, ingredients.get(plan.target.name))),
    };

  // Making a pool that is there costs one refused call; asking first would cost one in any case.
  if (place.poolUnproven) await createPool(proxmox, place.pool);
  const swept = await sweepPlace(context, place, { guests, timeoutMs: request.timeoutMs });
  const cleaner = oneCleaner(context);
  const imageUndo = createUndo(journal);
  const present = place.images.filter(({ id }) => !swept.gone.has(id));
  const images = imagesOf(proxmox, { node: place.node, storage: place.importStorage.name, present }, imageUndo);
  const outcomes = await inParallel(plans, request.parallel, (plan) =>
    buildOne(context, { ...input, plan, place, parts: partsOf(plan.target, ingredients), images, cleaner }),
  );
  const left = await releaseImages(cleaner(), place, imageUndo, {
    wasEnded: proxmox.signal?.aborted === true,
    left: outcomes.flatMap((outcome) => outcome.left),
  });
  return { outcomes, left: [...swept.left, ...left], pruned: await pruneReplaced(context, request, plans, outcomes) };
}

/** After a refresh the target keeps as many retired builds as `keep` says. What cannot be pruned stays, and is told. */
async function pruneReplaced(
  context: Context,
  request: CreateRequest,
  plans: readonly BuildPlan[],
  outcomes: readonly Outcome[],
): Promise<readonly Pruned[]> {
  const replaced = new Set(plans.filter(({ replaces }) => replaces).map(({ target }) => target.name));
  const refreshed = new Set(
    outcomes
      .filter(({ result, target }) => result === "created" && replaced.has(target.name))
      .map(({ target }) => target.tags.join(";")),
  );
  if (refreshed.size === 0) return [];
  const prune: PruneRequest = {
    ...request,
    keepVersions: undefined,
    force: false,
    concerns: ({ tags }) => refreshed.has(tags.join(";")),
  };
  try {
    return await pruneTemplates(context, prune);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.reporter.warn("Old builds were not pruned", error.message);
    return [];
  }
}

interface One extends BuildAllInput {
  plan: BuildPlan;
  place: Place;
  parts: Ingredients;
  images: Images;
  cleaner: () => Proxmox;
}

async function buildOne(context: Context, one: One): Promise<Outcome> {
  const { proxmox, reporter, journal } = context;
  const { request, parts } = one;
  const { target, why, replaces } = one.plan;
  const startedAt = proxmox.clock.now();
  const phases = timePhases(target.title, reporter, proxmox.clock);
  const end = (outcome: Pick<Outcome, "result" | "why"> & Partial<Outcome>): Outcome => {
    reporter.done(target.title);
    return {
      target,
      verified: parts.verified,
      warnings: [],
      left: [],
      phases: phases.list,
      startedAt,
      endedAt: proxmox.clock.now(),
      ...outcome,
    };
  };
  for (let contended = claimsOn(one.claims, target).length > 0; ; contended = true) {
    const undo = createUndo(journal);
    try {
      proxmox.signal?.throwIfAborted();
      const other = contended
        ? await awaitOther(context, { target, pool: request.pool, replaces: replaces?.row.vmid }, phases)
        : undefined;
      if (other)
        return end({ result: "reused", why: "another run has just made it", template: templateOf(target, other) });
      const freshIngredients = () =>
        one.distribution.ingredients(target, one.place.arch, context.sources, { fresh: true });
      const job = {
        target,
        ingredients: parts,
        freshIngredients,
        place: one.place,
        request,
        build: newBuildId(),
        deadlineMs: one.deadlineMs,
        images: one.images,
        replaces,
      };
      const built = await buildTemplate(context, job, undo, phases);
      // A create whose answer was lost may have been carried out late, beside the one that became the template.
      return end({ result: "created", why, ...built, left: await undo.run(one.cleaner()) });
    } catch (error) {
      const kept = error instanceof GaveWay ? undefined : await keep(one.cleaner(), request, one.plan, undo, error);
      const left = await undo.run(one.cleaner());
      if (error instanceof GaveWay && left.length === 0) continue;
      const proofs = error instanceof SmokeFailure ? { smokeTest: error.proofs } : {};
      return end({ result: "failed", why, failure: asFailure(error, kept), left, ...proofs });
    }
  }
}

function partsOf(target: Target, ingredients: ReadonlyMap<string, Ingredients>): Ingredients {
  const parts = ingredients.get(target.name);
  if (!parts) throw new Error(`no ingredients for ${target.title}`);
  return parts;
}

/** Twelve hex digits: part of file names and notes, unlikely to meet twice. */
function newBuildId(): string {
  return randomBytes(6).toString("hex");
}

/** Sweeps the volumes of the storages that are used anyway; their listing is at hand, but for the seeds'. */
async function sweepPlace(
  context: Context,
  place: Place,
  seen: Pick<VolumeSweep, "guests" | "timeoutMs">,
): Promise<{ gone: ReadonlySet<string>; left: readonly Left[] }> {
  const seeds = place.iso ? await listVolumes(context.proxmox, place.node, place.iso.name, "iso") : [];
  const swept = await sweepVolumes(context, {
    ...seen,
    node: place.node,
    volumes: [...place.images, ...seeds],
    dryRun: false,
  });
  for (const { what } of swept.removed) context.reporter.note(`Removed ${what}`);
  return {
    gone: new Set(swept.removed.flatMap(({ remnant }) => (remnant.kind === "volume" ? [remnant.volume] : []))),
    left: swept.left,
  };
}

/** Leaves the VM for inspection if that was asked for; answers what to say about it. */
async function keep(
  proxmox: Proxmox,
  request: CreateRequest,
  { target, replaces }: BuildPlan,
  undo: Undo,
  error: unknown,
): Promise<string | undefined> {
  if (!request.keepOnFailure) return undefined;
  const reason = error instanceof Error ? error.message : String(error);
  return await keepVm(proxmox, target, request.pool, undo, reason, replaces !== undefined);
}

function asFailure(error: unknown, kept: string | undefined): Failure {
  if (!(error instanceof Failure)) throw error;
  return kept
    ? new Failure(error.kind, error.message, {
        remedy: [kept, ...error.remedy.filter((line) => line !== inspectionHint)],
        evidence: error.evidence,
        cause: error,
      })
    : error;
}

function plannedOutcome({ proxmox }: Context, plan: BuildPlan, ingredients: Ingredients | undefined): Outcome {
  const now = proxmox.clock.now();
  return {
    target: plan.target,
    result: "planned",
    why: plan.why,
    verified: ingredients?.verified ?? [],
    warnings: [],
    left: [],
    phases: [],
    startedAt: now,
    endedAt: now,
  };
}
