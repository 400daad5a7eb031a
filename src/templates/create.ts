import { distributions } from "../distributions/index.ts";
import { listGuests } from "../proxmox/cluster.ts";
import { readUntagged } from "./claim.ts";
import type { Context } from "./context.ts";
import { templateOf, type CreateReport, type Outcome } from "./outcome.ts";
import { planTarget, type ReusePlan } from "./plan.ts";
import type { CreateRequest } from "./request.ts";
import { sweepVms } from "./sweep.ts";

/**
 * The whole way: targets, plan, and what is to be built. What can be told before anything is made is thrown; what
 * happens to one target stands in its outcome.
 * @throws Failure
 */
export async function createTemplates(context: Context, request: CreateRequest): Promise<CreateReport> {
  const { proxmox, reporter } = context;
  const deadlineMs = proxmox.clock.now() + request.timeoutMs;
  const distribution = distributions[request.distribution];
  const [targets, listed] = await bothOf(
    distribution.targets({ versions: request.versions, ubuntuRelease: request.ubuntuRelease }, context.sources),
    listGuests(proxmox),
  );
  const { claims, ready } = await readUntagged(proxmox, listed, request.pool);
  const guests = ready.length === 0 || request.dryRun ? listed : await (await import("./recover.ts")).recoverPublications(context, ready, request.pool);
  const found = await Promise.all(targets.map((target) => planTarget(proxmox, target, guests, request)));
  const swept = request.dryRun ? { removed: [], left: [] } : await sweepVms(context, claims);
  for (const { what } of swept.removed) reporter.note(`Removed ${what}: it has outlived its lease`);
  if (request.pin !== undefined || request.pins) (await import("./pinned.ts")).checkPinned(found, request);
  const plans = request.refresh.when === "never" || request.pin !== undefined || request.pins ? found : await (await import("./refresh.ts")).planRefresh(context, request, distribution, found);
  const warnings = plans.flatMap((plan) => (plan.action === "build" ? plan.warnings : []));
  for (const warning of warnings) reporter.warn("The same tags elsewhere", warning);
  const reused = plans.flatMap((plan) => (plan.action === "reuse" ? [reusedOutcome(context, plan)] : []));
  const toBuild = plans.filter((plan) => plan.action === "build");
  if (toBuild.length === 0) return { outcomes: reused, left: swept.left, warnings, pruned: [] };
  // Only here is it known that something is built: reusing a template loads none of this.
  const { buildAll } = await import("./build-all.ts");
  const built = await buildAll(context, { request, distribution, plans: toBuild, guests, claims, deadlineMs });
  const order = new Map(targets.map((target, at) => [target.name, at]));
  const outcomes = [...reused, ...built.outcomes].sort((a, b) => (order.get(a.target.name) ?? 0) - (order.get(b.target.name) ?? 0));
  return { outcomes, left: [...swept.left, ...built.left], warnings, pruned: built.pruned };
}

/** Both at once; the first failure is told, and the other's is not left unhandled. */
async function bothOf<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === "rejected") throw first.reason as Error;
  if (second.status === "rejected") throw second.reason as Error;
  return [first.value, second.value];
}

function reusedOutcome({ proxmox }: Context, plan: ReusePlan): Outcome {
  const now = proxmox.clock.now();
  return { target: plan.target, result: "reused", why: plan.why, template: templateOf(plan.target, plan.found), verified: [], warnings: [], left: [], phases: [], startedAt: now, endedAt: now };
}
