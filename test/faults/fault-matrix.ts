import { Failure } from "../../src/failure/failure.ts";
import { inParallel } from "../../src/templates/in-parallel.ts";
import { startUpstreams, type Upstreams } from "../stand-in/upstreams/index.ts";
import { callName, faultKinds, startsTask, strikeAt, type FaultKind } from "./fault-kinds.ts";
import { createInProcess, type RunEnd } from "./in-process.ts";
import { fastProxmox, finishedOn, isClean, leftOn, sayLeftovers } from "./stage.ts";
import type { Shard, Tally } from "./tally.ts";

const distributions: Record<string, Record<string, string>> = {
  talos: { distribution: "talos", versions: "v1.14.4" },
  rke2: { distribution: "rke2", versions: "26.04" },
  kubeadm: { distribution: "kubeadm", versions: "v1.37.1", "ubuntu-release": "26.04" },
};

export interface FaultCase {
  distribution: string;
  index: number;
  /** What an undisturbed run asks at this number, and the how many-th of its kind that is. */
  call: string;
  occurrence: number;
  kind: FaultKind;
}

/** Every call of an undisturbed create of each distribution, times every way in which it can fail. */
export async function faultCases(
  upstreams: Upstreams,
  only: readonly string[] = Object.keys(distributions),
): Promise<FaultCase[]> {
  const cases: FaultCase[] = [];
  for (const distribution of only) {
    const seen = new Map<string, number>();
    for (const [index, { method, path }] of (await undisturbed(upstreams, distribution)).entries()) {
      const call = callName(method, path);
      const occurrence = (seen.get(call) ?? 0) + 1;
      seen.set(call, occurrence);
      for (const kind of faultKinds) {
        if (!kind.tasksOnly || startsTask(method, path)) cases.push({ distribution, index, call, occurrence, kind });
      }
    }
  }
  return cases;
}

async function undisturbed(upstreams: Upstreams, distribution: string): Promise<{ method: string; path: string }[]> {
  await using proxmox = await fastProxmox();
  const end = await createInProcess({ proxmox, upstreams }, inputsOf(distribution));
  if (end.failure ?? end.defect) throw end.failure ?? end.defect;
  return proxmox.transcript.map(({ method, path }) => ({ method, path }));
}

function inputsOf(distribution: string): Record<string, string> {
  const inputs = distributions[distribution];
  if (!inputs) throw new Error(`no such distribution: ${distribution}`);
  return inputs;
}

/** What one case came to; `bad` says what is not as promised. */
export interface CaseEnd {
  end: "well" | "error" | "locked";
  bad: string[];
  secondFailed: boolean;
  leftSomething: boolean;
  /** False for a poll that this run did not need. */
  struck: boolean;
}

export async function runFaultCase(
  upstreams: Upstreams,
  { distribution, call, occurrence, kind }: FaultCase,
): Promise<CaseEnd> {
  await using proxmox = await fastProxmox();
  const stage = { proxmox, upstreams };
  const inputs = inputsOf(distribution);
  const { hook, wasStruck } = strikeAt({ call, occurrence }, kind);
  proxmox.inject(hook);
  const first = await createInProcess(stage, inputs);
  await proxmox.settle();
  proxmox.inject(undefined);
  const bad = judge(first, kind);
  const left = leftOn(proxmox);
  // A killed import leaves a lock which only root may remove: that it is told with the command is all that can be done.
  const locked = kind.fault.kind === "task-dies" ? left.vms.filter(({ lock }) => lock === "create") : [];
  const lockedIds = new Set(locked.map(({ vmid }) => vmid));
  for (const { vmid } of locked) {
    const told = [...(first.report?.left ?? []), ...(first.report?.outcomes.flatMap((outcome) => outcome.left) ?? [])];
    if (!told.some(({ remnant }) => remnant.kind === "vm" && remnant.vmid === vmid))
      bad.push(`VM ${vmid} stays locked and is not told`);
  }
  const others = {
    vms: left.vms.filter(({ vmid }) => !lockedIds.has(vmid)),
    volumes: left.volumes.filter((volume) => ![...lockedIds].some((vmid) => volume.includes(`-${vmid}-disk-`))),
    tasks: left.tasks,
  };
  const leftSomething = !isClean(others);
  if (leftSomething) bad.push(`left ${sayLeftovers(others)}`);
  if (locked.length === 0 && first.open.length > 0) bad.push(`the journal still holds ${JSON.stringify(first.open)}`);
  const second = await createInProcess(stage, inputs);
  await proxmox.settle();
  const made = finishedOn(proxmox).length;
  const secondFailed = second.failure !== undefined || second.defect !== undefined || made !== 1;
  if (secondFailed) bad.push(`the second run: ${made} templates, ${sayEnd(second)}`);
  const later = { ...leftOn(proxmox) };
  const laterVms = later.vms.filter(({ vmid }) => !lockedIds.has(vmid));
  if (!secondFailed && laterVms.length + (lockedIds.size > 0 ? 0 : later.volumes.length) > 0)
    bad.push(`the second run left ${sayLeftovers(later)}`);
  return {
    end: locked.length > 0 ? "locked" : first.failure ? "error" : "well",
    bad,
    secondFailed,
    leftSomething,
    struck: wasStruck(),
  };
}

function judge(end: RunEnd, kind: FaultKind): string[] {
  if (end.defect !== undefined) return [`a defect: ${sayDefect(end.defect)}`];
  if (!end.failure) return [];
  const { failure } = end;
  const bad: string[] = [];
  if (!kind.mayFail.includes(failure.kind))
    bad.push(
      `failed (${failure.kind}) where it may ${kind.mayFail.length === 0 ? "not fail" : `only fail with ${kind.mayFail.join(", ")}`}: ${failure.message}`,
    );
  if (failure.message.length < 20 || /undefined|\[object/.test(failure.message))
    bad.push(`an unclear message: ${failure.message}`);
  return bad;
}

const sayDefect = (defect: unknown): string =>
  defect instanceof Error ? (defect.stack ?? defect.message) : JSON.stringify(defect);

function sayEnd({ failure, defect, report }: RunEnd): string {
  if (failure instanceof Failure) return `${failure.kind}: ${failure.message}`;
  return defect === undefined ? (report?.outcomes.map(({ result }) => result).join(", ") ?? "") : sayDefect(defect);
}

/** Runs this shard's part of the matrix. */
export async function faultMatrix({ shard, shards, sample, only }: Shard): Promise<Tally> {
  const upstreams = await startUpstreams();
  try {
    const all = await faultCases(upstreams, only);
    const cases = all.filter((_one, at) => at % sample === 0).filter((_one, at) => at % shards === shard);
    const tally: Tally = { rows: {}, bad: [] };
    // Most of a case is waiting, so several share the process.
    await inParallel(cases, 4, async (one) => {
      const end = await runFaultCase(upstreams, one);
      const row = (tally.rows[one.distribution] ??= {
        cases: 0,
        "call not made": 0,
        well: 0,
        "error, nothing left": 0,
        "told: locked, root only": 0,
        "left something": 0,
        "second run failed": 0,
      });
      row["cases"] = (row["cases"] ?? 0) + 1;
      if (!end.struck) row["call not made"] = (row["call not made"] ?? 0) + 1;
      const column =
        !end.struck && end.bad.length === 0
          ? undefined
          : end.leftSomething
            ? "left something"
            : end.end === "well"
              ? "well"
              : end.end === "locked"
                ? "told: locked, root only"
                : "error, nothing left";
      if (column !== undefined) row[column] = (row[column] ?? 0) + 1;
      if (end.secondFailed) row["second run failed"] = (row["second run failed"] ?? 0) + 1;
      for (const words of end.bad)
        tally.bad.push(`${one.distribution} ${one.index} ${one.call} (${one.occurrence}) x ${one.kind.name}: ${words}`);
    });
    return tally;
  } finally {
    await upstreams.close();
  }
}
