import {
  startBundleWorld,
  runBundledAction,
  runBundledCommand,
  stateFiles,
  bundleSpeed,
  type BundleWorld,
} from "./bundle-world.ts";
import { finishedOn, isClean, leftOn, sayLeftovers } from "./stage.ts";
import { inParallel } from "../../src/templates/in-parallel.ts";
import type { Shard, Tally } from "./tally.ts";

const inputs: Record<string, Record<string, string>> = {
  talos: { distribution: "talos", versions: "v1.14.4" },
  rke2: { distribution: "rke2", versions: "26.04" },
  kubeadm: { distribution: "kubeadm", versions: "v1.37.1", "ubuntu-release": "26.04" },
};

const argv: Record<string, readonly string[]> = {
  talos: ["template", "create", "talos", "--talos-version", "v1.14.4", "--node", "pve1"],
  rke2: ["template", "create", "rke2", "--ubuntu-release", "26.04", "--node", "pve1"],
  kubeadm: [
    "template",
    "create",
    "kubeadm",
    "--kubernetes-version",
    "v1.37.1",
    "--ubuntu-release",
    "26.04",
    "--node",
    "pve1",
  ],
};

/** Ways in which a run ends before its time. */
export const cancelModes = [
  "Action: SIGINT, no post",
  "Action: SIGINT, SIGTERM, SIGKILL, post",
  "Action: SIGKILL, post",
  "Action: SIGKILL, no post, next run after the lease (a sweep, where it only reuses)",
  "command: SIGINT",
  "command: SIGKILL, next run",
] as const;
export type CancelMode = (typeof cancelModes)[number];

export interface CancelCase {
  distribution: string;
  index: number;
  mode: CancelMode;
}

/**
 * Every call of a create times every mode. RKE2's calls to Proxmox VE are those of kubeadm: there the modes take turns,
 * so that each call is met by one of them.
 */
export async function cancelCases(only: readonly string[] = Object.keys(inputs)): Promise<CancelCase[]> {
  const cases: CancelCase[] = [];
  for (const distribution of only) {
    const calls = await undisturbedCalls(distribution);
    for (let index = 0; index < calls; index += 1) {
      const modes =
        distribution === "rke2" ? cancelModes.filter((_mode, at) => at === index % cancelModes.length) : cancelModes;
      cases.push(...modes.map((mode) => ({ distribution, index, mode })));
    }
  }
  return cases;
}

async function undisturbedCalls(distribution: string): Promise<number> {
  await using world = await startBundleWorld();
  const end = await runBundledAction(world, inputs[distribution] ?? {});
  if (end.conclusion !== "success") throw new Error(`the undisturbed run failed:\n${end.emitted}`);
  return world.proxmox.transcript.length;
}

/** Resolves when the call of this number is under way; it is carried out a little later, whatever became of its sender. */
function callUnderWay({ proxmox }: BundleWorld, index: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  proxmox.inject(({ method, path, phase }, at) => {
    if (at !== index || phase !== "before") return undefined;
    resolve(`${method} ${path}`);
    return { kind: "delay", ms: 20 * bundleSpeed };
  });
  return promise;
}

export interface CancelEnd {
  struck: string | undefined;
  bad: string[];
  left: boolean;
  finished: boolean;
}

// Longer than any lease of a run with the default timeout, and than unheld volumes are left alone.
const afterTheLeaseMs = 3 * 60 * 60_000;

export async function runCancelCase({ distribution, index, mode }: CancelCase): Promise<CancelEnd> {
  await using world = await startBundleWorld();
  let struck: string | undefined;
  const moment = callUnderWay(world, index).then((call) => (struck = call));
  const bad = await disturb(world, distribution, mode, moment);
  await world.proxmox.settle();
  world.proxmox.inject(undefined);
  const finished = finishedOn(world.proxmox).length > 0;
  const next = mode.includes("next run") ? await nextRun(world, distribution, mode) : [];
  await world.proxmox.settle();
  const left = leftOn(world.proxmox);
  const templates = finishedOn(world.proxmox).length;
  if (templates > 1) bad.push(`${templates} templates`);
  if (!isClean(left)) bad.push(`left ${sayLeftovers(left)}`);
  const files = Object.keys(stateFiles(world));
  if (mode.startsWith("command") && files.length > 0) bad.push(`state files are left: ${files.join(", ")}`);
  return { struck, bad: [...bad, ...next], left: !isClean(left), finished };
}

async function disturb(
  world: BundleWorld,
  distribution: string,
  mode: CancelMode,
  moment: Promise<unknown>,
): Promise<string[]> {
  const bad: string[] = [];
  if (mode.startsWith("command")) {
    const name = mode.includes("SIGKILL") ? "SIGKILL" : "SIGINT";
    const end = await runBundledCommand(world, argv[distribution] ?? [], { when: moment, name });
    // A signal may come when all is done; then there is nothing to say.
    if (name === "SIGINT" && end.code !== 130 && end.code !== 0)
      bad.push(`exit code ${end.code} (${end.signal}): ${end.output.slice(-400)}`);
    return bad;
  }
  const isKill = mode.startsWith("Action: SIGKILL");
  const end = await runBundledAction(world, inputs[distribution] ?? {}, {
    ...(isKill
      ? { dieAfter: moment }
      : { cancelAfter: moment, cancelScale: mode.includes("SIGTERM") ? 1 / bundleSpeed : 100 }),
    skipPost: mode.includes("no post"),
  });
  if (!isKill && ![0, 130, 137, 143].includes(end.exitCode))
    bad.push(`exit code ${end.exitCode}: ${end.log.slice(-400)}`);
  if (!mode.includes("no post") && end.postExitCode !== 0) bad.push(`post ended with ${end.postExitCode}`);
  if (end.complaints.length > 0) bad.push(`the runner complains: ${end.complaints.join("; ")}`);
  return bad;
}

/** Whoever comes next finds what a killed run left: after its lease another runner, or at once the same machine's command. */
async function nextRun(world: BundleWorld, distribution: string, mode: CancelMode): Promise<string[]> {
  if (mode.startsWith("command")) {
    const end = await runBundledCommand(world, argv[distribution] ?? []);
    return end.code === 0 ? [] : [`the next run ended with ${end.code}: ${end.output.slice(-600)}`];
  }
  world.advance(afterTheLeaseMs);
  const end = await runBundledAction(world, inputs[distribution] ?? {});
  if (end.conclusion !== "success") return [`the next run failed: ${end.emitted.slice(-600)}`];
  if (end.outputs["changed"] === "true") return [];
  // The template had been finished: a run that only reuses it makes two calls, and looks at no storage.
  const sweep = await runBundledAction(world, { command: "sweep" });
  return sweep.conclusion === "success" ? [] : [`the sweep failed: ${sweep.emitted.slice(-600)}`];
}

/** Runs this shard's part of the matrix. */
export async function cancelMatrix({ shard, shards, sample, only }: Shard): Promise<Tally> {
  const tally: Tally = { rows: {}, bad: [] };
  const cases = (await cancelCases(only))
    .filter((_one, at) => at % sample === 0)
    .filter((_one, at) => at % shards === shard);
  await inParallel(cases, 3, async (one) => {
    const end = await runCancelCase(one);
    const row = (tally.rows[one.mode] ??= {
      cases: 0,
      "nothing left": 0,
      "template was finished": 0,
      "left something": 0,
      "otherwise bad": 0,
    });
    const count = (column: string) => (row[column] = (row[column] ?? 0) + 1);
    count("cases");
    if (end.finished) count("template was finished");
    if (end.left) count("left something");
    else {
      count("nothing left");
      if (end.bad.length > 0) count("otherwise bad");
    }
    for (const words of end.bad)
      tally.bad.push(`${one.distribution} ${one.index} ${end.struck ?? "(not struck)"} x ${one.mode}: ${words}`);
  });
  return tally;
}
