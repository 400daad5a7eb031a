import { randomBytes } from "node:crypto";
import { distributions } from "../distributions/index.ts";
import type { Distribution, Ingredients } from "../distributions/distribution.ts";
import type { Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { listGuests, type GuestRow } from "../proxmox/cluster.ts";
import { createPool } from "../proxmox/pool.ts";
import { listVolumes } from "../proxmox/storage.ts";
import { claimsOn, readClaims, refuseKept, type Claim } from "./claim.ts";
import type { Context } from "./context.ts";
import { inParallel } from "./in-parallel.ts";
import type { CreateReport, Outcome, Template } from "./outcome.ts";
import { timePhases } from "./phases.ts";
import { planTarget, type Found, type PlanEntry } from "./plan.ts";
import { manifestDigest } from "./manifest.ts";
import { readNotes } from "./notes.ts";
import type { Place } from "./place.ts";
import type { CreateRequest } from "./request.ts";
import { sweepVms, sweepVolumes, type VolumeSweep } from "./sweep.ts";
import { createUndo, type Left, type Undo } from "./undo.ts";

/**
 * The whole way: targets, plan, and what is to be built. What can be told before anything is made is thrown; what
 * happens to one target stands in its outcome.
 * @throws Failure
 */
export async function createTemplates(context: Context, request: CreateRequest): Promise<CreateReport> {
  const { proxmox } = context;
  const deadlineMs = proxmox.clock.now() + request.timeoutMs;
  const distribution = distributions[request.distribution];
  const [targets, guests] = await settleBoth(
    distribution.targets({ versions: request.versions, ubuntuRelease: request.ubuntuRelease }, context.sources),
    listGuests(proxmox),
  );
  const plans = await Promise.all(targets.map((target) => planTarget(proxmox, target, guests, request)));
  const warnings = plans.flatMap((plan) => (plan.action === "build" ? plan.warnings : []));
  for (const warning of warnings) context.reporter.warn("The same tags elsewhere", warning);
  const claims = await readClaims(proxmox, guests, request.pool);
  const sweptVms = request.dryRun ? { removed: [], left: [] } : await sweepVms(context, claims);
  for (const { what } of sweptVms.removed) context.reporter.note(`Removed ${what}: it has outlived its lease`);
  const reused = plans.flatMap((plan) => (plan.action === "reuse" ? [reusedOutcome(context, plan)] : []));
  const toBuild = plans.filter((plan) => plan.action === "build");
  if (toBuild.length === 0) return { outcomes: reused, left: sweptVms.left, warnings };
  const built = await buildAll(context, request, distribution, toBuild, { guests, claims }, deadlineMs);
  const order = new Map(targets.map((target, at) => [target.name, at]));
  const outcomes = [...reused, ...built.outcomes].sort((a, b) => (order.get(a.target.name) ?? 0) - (order.get(b.target.name) ?? 0));
  return { outcomes, left: [...sweptVms.left, ...built.left], warnings };
}

/** Both at once; the first failure is told, and the other's is not left unhandled. */
async function settleBoth<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === "rejected") throw first.reason as Error;
  if (second.status === "rejected") throw second.reason as Error;
  return [first.value, second.value];
}

async function buildAll(context: Context, request: CreateRequest, distribution: Distribution, plans: readonly PlanEntry[], seen: { guests: readonly GuestRow[]; claims: readonly Claim[] }, deadlineMs: number) {
  // Only here is it known that something is built: reusing a template loads none of this.
  const { preflight } = await import("./preflight.ts");
  const { imagesOf } = await import("./images.ts");
  const { buildTemplate } = await import("./build.ts");
  const { GaveWay } = await import("./create-vm.ts");
  const { awaitOther } = await import("./await-other.ts");
  const { releaseImages } = await import("./release-images.ts");
  const { proxmox, reporter, journal } = context;

  const { guests, claims } = seen;
  for (const { target } of plans) refuseKept(claims, target);
  const { place, ingredients } = await preflight(context, request, distribution, plans.map(({ target }) => target), guests);
  for (const [, parts] of ingredients) for (const { title, text } of parts.warnings ?? []) reporter.warn(title, text);
  if (request.dryRun) {
    return { left: [], outcomes: plans.map((plan) => plannedOutcome(context, plan, ingredients.get(plan.target.name))) };
  }

  // Making a pool that is there costs one refused call; asking first would cost one in any case.
  if (place.poolUnproven) await createPool(proxmox, place.pool);
  const sweptVolumes = await sweepPlace(context, place, { guests, claims, timeoutMs: request.timeoutMs });
  const cleaner = oneCleaner(context);
  const imageUndo = createUndo(journal);
  const images = imagesOf(proxmox, { node: place.node, storage: place.importStorage.name, present: place.images.filter(({ id }) => !sweptVolumes.gone.has(id)) }, imageUndo);

  const buildOne = async ({ target, why }: PlanEntry): Promise<Outcome> => {
    const startedAt = proxmox.clock.now();
    const phases = timePhases(target.title, reporter, proxmox.clock);
    const parts = ingredients.get(target.name);
    if (!parts) throw new Error(`no ingredients for ${target.title}`);
    const end = (outcome: Pick<Outcome, "result" | "why"> & Partial<Outcome>): Outcome => {
      reporter.done(target.title);
      return { target, verified: parts.verified, warnings: [], left: [], phases: phases.list, startedAt, endedAt: proxmox.clock.now(), ...outcome };
    };
    for (let contended = claimsOn(claims, target).length > 0; ; contended = true) {
      const undo = createUndo(journal);
      try {
        const other = contended ? await awaitOther(context, { target, pool: request.pool }, phases) : undefined;
        if (other) return end({ result: "reused", why: "another run has just made it", template: templateOf(target, other) });
        const job = { target, ingredients: parts, place, request, build: newBuildId(), deadlineMs, images };
        const template = await buildTemplate(context, job, undo, phases);
        return end({ result: "created", why, template });
      } catch (error) {
        const kept = error instanceof GaveWay ? undefined : await keep(cleaner(), request, target, undo, error);
        const left = await undo.run(cleaner());
        if (error instanceof GaveWay && left.length === 0) continue;
        return end({ result: "failed", why, failure: asFailure(error, kept), left });
      }
    }
  };

  const outcomes = await inParallel(plans, request.parallel, buildOne);
  const left = await releaseImages(cleaner(), place, imageUndo, proxmox.signal?.aborted === true);
  return { outcomes, left: [...sweptVolumes.left, ...left] };
}

/** Twelve hex digits: part of file names and notes, unlikely to meet twice. */
function newBuildId(): string {
  return randomBytes(6).toString("hex");
}

/** Milliseconds that cleaning up may take after a failure of the run's own; a signal leaves less. */
const cleanUpMs = 5 * 60_000;
const cleanUpAfterSignalMs = 7000;

/**
 * The client for cleaning up: not under the run's signal, which may be what ended the work. After a signal all cleaning
 * up shares one budget, since the runner kills soon.
 */
function oneCleaner({ proxmox }: Context): () => Proxmox {
  let last: Proxmox | undefined;
  return () => {
    const reason: unknown = proxmox.signal?.reason;
    if (!(reason instanceof Failure) || reason.kind !== "interrupted") return proxmox.under(AbortSignal.timeout(cleanUpMs));
    last ??= proxmox.under(AbortSignal.timeout(cleanUpAfterSignalMs));
    return last;
  };
}

/** Sweeps the volumes of the storages that are used anyway; their listing is at hand, but for the seeds'. */
async function sweepPlace(context: Context, place: Place, seen: Pick<VolumeSweep, "guests" | "claims" | "timeoutMs">): Promise<{ gone: ReadonlySet<string>; left: readonly Left[] }> {
  const seeds = place.iso ? await listVolumes(context.proxmox, place.node, place.iso.name, "iso") : [];
  const swept = await sweepVolumes(context, { ...seen, node: place.node, volumes: [...place.images, ...seeds], dryRun: false });
  for (const { what } of swept.removed) context.reporter.note(`Removed ${what}`);
  return { gone: new Set(swept.removed.flatMap(({ remnant }) => (remnant.kind === "volume" ? [remnant.volume] : []))), left: swept.left };
}

/** Leaves the VM for inspection if that was asked for; answers what to say about it. */
async function keep(proxmox: Proxmox, request: CreateRequest, target: Target, undo: Undo, error: unknown): Promise<string | undefined> {
  if (!request.keepOnFailure) return undefined;
  const { keepVm } = await import("./keep.ts");
  return await keepVm(proxmox, target, undo, error instanceof Error ? error.message : String(error));
}

function asFailure(error: unknown, kept: string | undefined): Failure {
  if (error instanceof Failure) {
    return kept ? new Failure(error.kind, error.message, { remedy: [kept, ...error.remedy], evidence: error.evidence, cause: error }) : error;
  }
  throw error;
}

export function templateOf(target: Target, { row, config }: Found): Template {
  const manifest = readNotes(config.description)?.manifest;
  return {
    vmid: row.vmid,
    node: row.node,
    storage: (config.scsi0 ?? "").split(":")[0] ?? "",
    name: config.name ?? row.name ?? "",
    tags: target.tags,
    manifest,
    digest: manifest ? manifestDigest(manifest) : "",
  };
}

function reusedOutcome({ proxmox }: Context, plan: PlanEntry & { action: "reuse" }): Outcome {
  const now = proxmox.clock.now();
  return { target: plan.target, result: "reused", why: plan.why, template: templateOf(plan.target, plan.found), verified: [], warnings: [], left: [], phases: [], startedAt: now, endedAt: now };
}

function plannedOutcome({ proxmox }: Context, plan: PlanEntry, ingredients: Ingredients | undefined): Outcome {
  const now = proxmox.clock.now();
  return { target: plan.target, result: "planned", why: plan.why, verified: ingredients?.verified ?? [], warnings: [], left: [], phases: [], startedAt: now, endedAt: now };
}
