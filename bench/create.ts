import { commandEnvironment, commandFile } from "../test/e2e/harness/command.ts";
import { startWorld, type World, type WorldOptions } from "../test/e2e/harness/world.ts";
import { runOnce } from "./measure.ts";
import type { Row } from "./row.ts";

/**
 * Milliseconds of Proxmox VE's tasks in a build of about ten minutes: an image of 600 MB at 250 Mbit/s, a disk of 3.5 GiB
 * written to an SSD.
 */
const realTasks = {
  download: 20_000,
  imgcopy: 500,
  qmcreate: 12_000,
  resize: 1000,
  qmstart: 2000,
  qmshutdown: 6000,
  qmtemplate: 1000,
  imgdel: 300,
};
/** Milliseconds of the guest's boot and of each of its steps, ten in all for kubeadm, and of its shutdown. */
const realGuest = { stepMs: 50_000, powerOffMs: 8_000 };
const scale = 50;

interface Build {
  world: World;
  wallMs: number;
  /** Largest resident set. */
  rssMiB: number;
  /** What the stand-in was told to take: tasks and the guest's steps. */
  serverMs: number;
  calls: number;
  polls: number;
  bytes: number;
}

const storage = ["--node", "pve1", "--storage", "shared-storage"];
const lines = {
  talos: ["template", "create", "talos", "--talos-version", "v1.14.2", ...storage],
  rke2: ["template", "create", "rke2", "--ubuntu-release", "26.04", ...storage],
  kubeadm: [
    "template",
    "create",
    "kubeadm",
    "--kubernetes-version",
    "v1.37.1",
    "--ubuntu-release",
    "26.04",
    ...storage,
  ],
};
type Name = keyof typeof lines;

/** Own time, calls and bytes of a create, by the latency of Proxmox VE's answers; tasks take a fiftieth of their real time. */
export async function createRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const tasks = Object.fromEntries(Object.entries(realTasks).map(([kind, duration]) => [kind, duration / scale]));
  for (const latencyMs of [1, 5, 50]) {
    for (const name of Object.keys(lines) as Name[]) {
      const build = await create(name, { latencyMs, taskMs: tasks, guest: sped(scale) });
      const own = build.wallMs - build.serverMs;
      rows.push({
        name: `create ${name} at ${latencyMs} ms: own time`,
        value: own / 1000,
        unit: "s",
        ...(latencyMs === 5 ? { target: 2 } : {}),
        detail: `wall ${(build.wallMs / 1000).toFixed(1)} s, server and guest ${(build.serverMs / 1000).toFixed(1)} s; ${build.calls} calls and ${build.polls} polls; ${build.rssMiB.toFixed(0)} MiB resident`,
      });
      if (latencyMs === 5)
        rows.push({
          name: `create ${name}: bytes through the runner`,
          value: build.bytes / 1000,
          unit: "KB",
          target: 120,
          detail: "bodies to and from Proxmox VE and upstreams, version lists aside",
        });
    }
  }
  return rows;
}

/**
 * A build of ten minutes, lived through in less: the product's clock and the stand-in's run equally fast. What this
 * process computes in real time counts as often as time is sped up, so the own share is an upper bound.
 */
export async function tenMinuteRows(): Promise<Row[]> {
  const options = { speed: speedUp, latencyMs: 5, taskMs: realTasks };
  const build = await create("kubeadm", { ...options, guest: sped(speedUp) });
  const wallMs = build.wallMs * speedUp;
  const ownMs = wallMs - serverTime("kubeadm", { ...options, guest: realGuest });
  return [
    {
      name: "task status calls in a 10-minute build",
      value: build.polls,
      unit: "calls",
      target: 60,
      detail: `kubeadm, ${(wallMs / 60_000).toFixed(1)} minutes simulated`,
    },
    {
      name: "own share of a 10-minute build",
      value: (100 * ownMs) / wallMs,
      unit: "%",
      target: 3,
      detail: `at most ${(ownMs / 1000).toFixed(1)} s of ${(wallMs / 1000).toFixed(0)} s`,
    },
  ];
}

const speedUp = 8;

const sped = (by: number) => ({ stepMs: realGuest.stepMs / by, powerOffMs: realGuest.powerOffMs / by });

/** Several targets at once, over the slowest alone. */
export async function parallelRows(): Promise<Row[]> {
  const options: WorldOptions = { latencyMs: 5, taskMs: { download: 1000, qmcreate: 1500 }, guest: { stepMs: 200 } };
  const one = await create("kubeadm", options, ["--parallel", "1"], 1);
  const four = await create("kubeadm", options, ["--parallel", "4"], 4);
  const sequential = await create("kubeadm", options, ["--parallel", "1"], 4);
  const sixteen = await create("kubeadm", options, ["--parallel", "4"], 16);
  const ratio = (build: Build) => build.wallMs / one.wallMs;
  return [
    {
      name: "4 targets, parallel 4, over one",
      value: ratio(four),
      unit: "×",
      target: 1.15,
      detail: `${s(four)} over ${s(one)}; ${four.calls} calls and ${four.polls} polls`,
    },
    { name: "4 targets, parallel 1, over one", value: ratio(sequential), unit: "×", detail: s(sequential) },
    { name: "16 targets, parallel 4, over one", value: ratio(sixteen), unit: "×", detail: s(sixteen) },
  ];
}

const s = (build: Build) => `${(build.wallMs / 1000).toFixed(1)} s`;

async function create(name: Name, options: WorldOptions, extra: readonly string[] = [], targets = 1): Promise<Build> {
  await using world = await startWorld({ pools: ["kubehenge-templates"], ...options });
  const versions = addVersions(world, targets);
  const started = world.proxmox.transcript.length;
  const upstreamsBefore = world.upstreams.transcript.length;
  const args =
    targets === 1
      ? lines[name]
      : [
          "template",
          "create",
          "kubeadm",
          "--kubernetes-version",
          versions.join(","),
          "--ubuntu-release",
          "26.04",
          ...storage,
        ];
  const { wallMs, rssMiB } = await runOnce({
    name,
    args: [commandFile, ...args, ...extra],
    environment: commandEnvironment(world),
  });
  const calls = world.proxmox.transcript.slice(started);
  const polls = calls.filter(
    ({ method, path }) => method === "GET" && path.endsWith("/status") && path.includes("/tasks/"),
  ).length;
  const upstream = world.upstreams.transcript
    .slice(upstreamsBefore)
    .filter(
      ({ upstream: from, path, userAgent }) =>
        userAgent.startsWith("kubehenge/") && from !== "github" && from !== "releases" && !path.endsWith("/versions"),
    );
  const bytes = [
    ...calls.map((call) => call.bytesIn + call.bytesOut),
    ...upstream.map((call) => call.bytesIn + call.bytesOut),
  ].reduce((sum, n) => sum + n, 0);
  return { world, wallMs, rssMiB, serverMs: serverTime(name, options), calls: calls.length, polls, bytes };
}

/** Releases of one minor, all with packages, the wanted number of them. */
function addVersions(world: World, count: number): string[] {
  const versions = Array.from({ length: count }, (_, n) => `v1.37.${n + 1}`);
  for (const version of versions) world.upstreams.addKubernetes(version);
  return versions;
}

function serverTime(name: Name, { taskMs = {}, guest }: WorldOptions): number {
  const task = (kind: keyof typeof realTasks) => taskMs[kind] ?? 0;
  const vm = task("download") + task("qmcreate") + task("qmtemplate");
  if (name === "talos") return vm;
  // Booting takes a step's time, beside the steps that bear a code.
  const steps = name === "kubeadm" ? 11 : 8;
  const inGuest = steps * (guest?.stepMs ?? 0) + (guest?.powerOffMs ?? 0);
  return vm + task("resize") + task("qmstart") + task("qmshutdown") + inGuest;
}
