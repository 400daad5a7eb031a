import { Failure } from "../../src/failure/failure.ts";
import { createTemplates } from "../../src/templates/create.ts";
import type { Outcome } from "../../src/templates/outcome.ts";
import { pruneTemplates } from "../../src/templates/prune.ts";
import { parseCreateRequest } from "../../src/templates/request.ts";
import { rollback } from "../../src/templates/rollback.ts";
import { sweep } from "../../src/templates/sweep.ts";
import { parsePruneRequest, parseRollbackRequest, parseSweepRequest } from "../../src/templates/upkeep-requests.ts";
import { matchWatch } from "../e2e/harness/match-watch.ts";
import { retiredTag } from "../e2e/harness/retirement.ts";
import type { FaultHook } from "../stand-in/proxmox/index.ts";
import { Cluster } from "./cluster.ts";
import { cancelled, kubernetesKeyDays, nights, type Night } from "./events.ts";
import { watchProofs } from "./proofs.ts";
import { dayMs, inRun, pool, startMonth } from "./world.ts";

const count = 30;
const keep = 1;
const keepVersions = 2;
/** Stand-in milliseconds for which a cluster may find no template while the tags change hands. */
const windowLimitMs = 50;
const distributions = ["talos", "rke2", "kubeadm"] as const;
const name = (input: string) => input;

const started = performance.now();
await using month = await startMonth(kubernetesKeyDays);
const { proxmox } = month;
const proofs = watchProofs();
const cluster = new Cluster(month, proofs);
const watches = new Map<string, ReturnType<typeof matchWatch>>();
const wrong: string[] = [];
const rows: string[][] = [];
let eventHook: FaultHook | undefined;
const newest = new Map<string, readonly string[]>();
/** Windows that earlier nights have told, by set of tags. */
const counted = new Map<string, number>();
let longestMs = 0;
let windows = 0;
let looks = 0;

proxmox.inject((request, index) => {
  for (const watch of watches.values()) watch.count(request.phase);
  proofs.hook(request, index);
  return eventHook?.(request, index);
});
// Statistics and tasks change what a cluster sees between the requests, too.
const steady = setInterval(() => {
  for (const watch of watches.values()) watch.look();
}, 2);
cluster.start();

for (let number = 1; number <= count; number += 1) {
  const night = nights[number] ?? { what: "" };
  await night.before?.(month);
  const clonesBefore = cluster.clones;
  const results = await work(number, night);
  eventHook = undefined;
  night.after?.(month);
  if (night.rollback) await byHand(night.rollback);
  await keepHouse(number);
  const { seen, gaps } = closeWindows(number);
  const disks = [...proxmox.state.volumes].filter(({ content }) => content === "images").length;
  const whole = [...proxmox.state.vms.values()].filter((vm) => vm.isTemplate);
  const retired = whole.filter(({ config }) => (config.get("tags") ?? "").includes(retiredTag)).length;
  // Retired builds that workers hang on stay until those are gone.
  const bound = watches.size * (1 + keep) + cluster.workers;
  if (whole.length > bound) wrong.push(`night ${number}: ${whole.length} templates, more than ${bound}`);
  rows.push([
    String(number),
    new Date(proxmox.state.clock.now()).toISOString().slice(0, 10),
    ...distributions.map((one) => results[one] ?? ""),
    String(seen),
    gaps.length === 0 ? "0" : `${gaps.length}, ${Math.max(...gaps).toFixed(0)} ms`,
    String(cluster.clones - clonesBefore),
    `${whole.length - retired}+${retired}`,
    String(disks),
    night.what,
  ]);
  proxmox.state.clock.advance(dayMs);
}

await cluster.end();
await keepHouse(count + 1);
clearInterval(steady);
await proxmox.settle();
wrong.push(...cluster.wrong, ...stray());
tell();

/** Each distribution by a runner of its own, as the workflow's matrix has them. */
async function work(number: number, night: Night): Promise<Record<string, string>> {
  const controller = new AbortController();
  eventHook = night.hook?.(() => controller.abort(cancelled()));
  const ends = await Promise.all(distributions.map((distribution) => refresh(distribution, controller.signal)));
  for (const [at, distribution] of distributions.entries()) {
    const end = ends[at];
    const failed = end?.startsWith("failed") === true;
    if (!night.mayFail && failed !== (night.fails ?? []).includes(distribution))
      wrong.push(`night ${number}: ${distribution} ${failed ? "" : "did not fail, but "}${end}`);
  }
  return Object.fromEntries(
    distributions.map((distribution, at) => [distribution, (ends[at] ?? "").split(":")[0] ?? ""]),
  );
}

async function refresh(distribution: (typeof distributions)[number], signal: AbortSignal): Promise<string> {
  const request = parseCreateRequest(
    { distribution, node: "pve1", refresh: "outdated", "max-age": "7d", keep: String(keep) },
    name,
  );
  try {
    const report = await inRun(month, signal, (context) => createTemplates(context, request));
    const [outcome] = report.outcomes;
    if (outcome) take(distribution, outcome);
    return outcome?.failure ? `failed: ${outcome.failure.message}` : (outcome?.result ?? "nothing");
  } catch (error) {
    if (error instanceof Failure) return `failed: ${error.message}`;
    wrong.push(`${distribution}: ${error instanceof Error ? error.stack : String(error)}`);
    return "failed: a defect";
  }
}

/** The newest template of each distribution is what the cluster's machine templates name from then on. */
function take(distribution: string, { template, target }: Outcome): void {
  if (!template) return;
  const key = `${distribution} ${target.version}`;
  if (!watches.has(key)) watches.set(key, matchWatch(proxmox, target.tags));
  newest.set(distribution, target.tags);
  cluster.wanted = [...newest.values()];
}

async function byHand(distribution: string): Promise<void> {
  const request = parseRollbackRequest({ distribution }, name);
  await inRun(month, new AbortController().signal, (context) => rollback(context, request));
}

/** What an administrator has run every night: old builds and versions go, and what dead runs have left. */
async function keepHouse(number: number): Promise<void> {
  const signal = new AbortController().signal;
  for (const distribution of distributions) {
    const versions = [...watches.keys()].filter((key) => key.startsWith(`${distribution} `));
    const sorted = versions.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }));
    for (const old of sorted.slice(keepVersions)) {
      collect(old);
      watches.delete(old);
    }
  }
  try {
    const request = parsePruneRequest({ keep: String(keep), "keep-versions": String(keepVersions) }, name);
    await inRun(month, signal, (context) => pruneTemplates(context, request));
    await inRun(month, signal, (context) => sweep(context, parseSweepRequest({ pool }, name)));
  } catch (error) {
    if (!nights[number]?.mayFail) wrong.push(`night ${number}: keeping house: ${(error as Error).message}`);
  }
}

function closeWindows(number: number): { seen: number; gaps: number[] } {
  const gaps: number[] = [];
  let seen = 0;
  for (const [key, watch] of watches) {
    watch.look();
    seen = Math.max(seen, watch.most);
    if (watch.most > 1) wrong.push(`night ${number}: two templates matched for ${key}`);
    if (watch.open) wrong.push(`night ${number}: no template matches for ${key}`);
    const from = counted.get(key) ?? 0;
    for (const { ms } of watch.gaps.slice(from)) {
      gaps.push(ms);
      if (ms >= windowLimitMs) wrong.push(`night ${number}: no template matched for ${ms.toFixed(0)} ms for ${key}`);
    }
    counted.set(key, watch.gaps.length);
  }
  windows += gaps.length;
  longestMs = Math.max(longestMs, ...gaps);
  return { seen, gaps };
}

function collect(key: string): void {
  looks += watches.get(key)?.looks ?? 0;
}

/** What must not be there once all is over: anything but templates, and more retired builds than are kept. */
function stray(): string[] {
  const left = proxmox.leftovers(({ template, tags }) => template && /(^|;)kubehenge(-retired)?(;|$)/.test(tags));
  const retired = [...proxmox.state.vms.values()].filter(({ config }) =>
    (config.get("tags") ?? "").includes(retiredTag),
  );
  return [
    ...left.vms.map(({ vmid, name: label }) => `VM ${vmid} ${label} is left over`),
    ...left.volumes.map((volume) => `${volume} is left over`),
    ...left.tasks.map((task) => `${task} still runs`),
    ...(retired.length > watches.size * keep
      ? [`${retired.length} retired builds of ${watches.size} templates are left`]
      : []),
  ];
}

function tell(): void {
  for (const key of watches.keys()) collect(key);
  const head = ["night", "date", ...distributions, "most", "windows", "clones", "templates", "disks", "what happened"];
  const lines = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  for (const line of lines)
    console.log(
      line
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  console.log(
    `\n${count} nights in ${((performance.now() - started) / 1000).toFixed(0)} s: ${cluster.clones} clones, ${looks} looks at what a cluster would find; ` +
      `${windows} windows without a match, ${longestMs.toFixed(1)} ms at most (limit ${windowLimitMs} ms), met by the cluster ${cluster.misses} times.`,
  );
  for (const words of wrong) console.error(`WRONG: ${words}`);
  console.log(
    wrong.length === 0
      ? "Never two matches, no clone of an unproven template, nothing left over."
      : `${wrong.length} things are wrong.`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
