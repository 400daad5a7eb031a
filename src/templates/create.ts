import { distributions } from "../distributions/index.ts";
import { onNode, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { listGuests, listNodes, type GuestRow } from "../proxmox/cluster.ts";
import type { Context } from "./context.ts";
import { templateOf, type CreateReport, type Outcome } from "./outcome.ts";
import { planTarget, type PlanEntry, type ReusePlan } from "./plan.ts";
import type { CreateRequest } from "./request.ts";
import type { Swept } from "./sweep.ts";
import { readUntagged, type Claim } from "./untagged.ts";

/**
 * The whole way: targets, plan, and what is to be built. What can be told before anything is made is thrown; what
 * happens to one target stands in its outcome.
 * @throws Failure
 */
export async function createTemplates(context: Context, request: CreateRequest): Promise<CreateReport> {
  const deadlineMs = context.proxmox.clock.now() + request.timeoutMs;
  if (!request.perNode) return await createOnce(context, request, deadlineMs);
  const reports: CreateReport[] = [];
  for (const node of await onlineNodes(context, request))
    reports.push(await createOnce(context, { ...request, node }, deadlineMs));
  return {
    outcomes: reports.flatMap(({ outcomes }) => outcomes),
    left: reports.flatMap(({ left }) => left),
    warnings: reports.flatMap(({ warnings }) => warnings),
    pruned: reports.flatMap(({ pruned }) => pruned),
  };
}

async function createOnce(context: Context, request: CreateRequest, deadlineMs: number): Promise<CreateReport> {
  const { reporter } = context;
  const { targets, guests, claims, plans, swept } = await planAll(context, request);
  const warnings = plans.flatMap((plan) => (plan.action === "build" ? plan.warnings : []));
  for (const warning of warnings) reporter.warn("The same tags elsewhere", warning);
  const reused = plans.flatMap((plan) => (plan.action === "reuse" ? [reusedOutcome(context, plan)] : []));
  const toBuild = plans.filter((plan) => plan.action === "build");
  if (toBuild.length === 0) return { outcomes: reused, left: swept.left, warnings, pruned: [] };
  // Only here is it known that something is built: reusing a template loads none of this.
  const { buildAll } = await import("./build-all.ts");
  const built = await buildAll(context, {
    request,
    distribution: distributions[request.distribution],
    plans: toBuild,
    guests,
    claims,
    deadlineMs,
  });
  const order = new Map(targets.map((target, at) => [target.name, at]));
  const outcomes = [...reused, ...built.outcomes].sort(
    (a, b) => (order.get(a.target.name) ?? 0) - (order.get(b.target.name) ?? 0),
  );
  return { outcomes, left: [...swept.left, ...built.left], warnings, pruned: built.pruned };
}

export interface Planned {
  targets: readonly Target[];
  guests: readonly GuestRow[];
  claims: readonly Claim[];
  plans: readonly PlanEntry[];
  swept: Swept;
}

/**
 * What is to be done for each target of a request. Writes nothing of its own accord, but first removes builds that have
 * outlived their lease and finishes publications that a crash interrupted; a dry run leaves those as they are.
 * @throws Failure
 */
export async function planAll(context: Context, request: CreateRequest): Promise<Planned> {
  const { proxmox, reporter } = context;
  const distribution = distributions[request.distribution];
  const [resolved, listed] = await bothOf(
    distribution.targets({ versions: request.versions, ubuntuRelease: request.ubuntuRelease }, context.sources),
    listGuests(proxmox),
  );
  const targets =
    request.perNode && request.node !== undefined
      ? resolved.map((target) => onNode(target, request.node ?? ""))
      : resolved;
  const { claims, ready } = await readUntagged(proxmox, listed, request.pool);
  const guests =
    ready.length === 0 || request.dryRun
      ? listed
      : await (await import("./recover.ts")).recoverPublications(context, ready, request.pool);
  const found = await Promise.all(targets.map((target) => planTarget(proxmox, target, guests, request)));
  const swept =
    request.dryRun || claims.length === 0
      ? { removed: [], left: [] }
      : await (await import("./sweep.ts")).sweepVms(context, claims);
  for (const { what } of swept.removed) reporter.note(`Removed ${what}: it has outlived its lease`);
  return { targets, guests, claims, swept, plans: await withRefresh(context, request, found) };
}

async function withRefresh(
  context: Context,
  request: CreateRequest,
  found: readonly PlanEntry[],
): Promise<readonly PlanEntry[]> {
  if (request.pin !== undefined || request.pins) {
    (await import("./pinned.ts")).checkPinned(found, request);
    return found;
  }
  if (request.refresh.when === "never") return found;
  return await (await import("./refresh.ts")).planRefresh(context, request, distributions[request.distribution], found);
}

async function onlineNodes({ proxmox }: Context, request: CreateRequest): Promise<string[]> {
  const nodes = await listNodes(proxmox);
  if (request.node !== undefined) return [request.node];
  const offline = nodes.filter(({ online }) => !online);
  if (offline.length > 0) {
    throw new Failure(
      "failure",
      `One template per node was asked for, and ${offline.map(({ name }) => name).join(", ")} is offline`,
      { remedy: ["bring it up, or name the node to build on"] },
    );
  }
  return nodes.map(({ name }) => name);
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
  return {
    target: plan.target,
    result: "reused",
    why: plan.why,
    template: templateOf(plan.target, plan.found),
    verified: [],
    warnings: [],
    left: [],
    phases: [],
    startedAt: now,
    endedAt: now,
  };
}
