import path from "node:path";
import { startWorld, type World } from "../test/e2e/harness/world.ts";
import { readActionMetadata } from "../test/mini-runner/action-metadata.ts";
import { defaultContext, inputVariable, jobEnvironment, makeRunDirectories } from "../test/mini-runner/environment.ts";
import { makeStepFiles } from "../test/mini-runner/step-files.ts";
import { measure, type Measured, type Program } from "./measure.ts";
import type { Row } from "./row.ts";

const here = import.meta.dirname;
const root = path.join(here, "..");
const command = path.join(root, "dist/cli.mjs");
const runs = 15;
const version = "v1.14.2";
const vmid = 100;

const empty: Program = { name: "empty node process", args: [path.join(here, "floors/empty.mjs")], environment: {} };

/** Starting, listing and reusing, over the floors: an empty process, and a program that makes the same two calls. */
export async function reuseRows(): Promise<Row[]> {
  await using world = await startWorld({ pools: ["kubehenge-templates"] });
  addTalosTemplate(world);
  const reuse = reuseProgram(world);
  const floor: Program = {
    name: "two-call floor",
    args: [path.join(here, "floors/two-calls.mjs")],
    environment: {
      BENCH_ORIGIN: world.proxmox.url,
      BENCH_TOKEN: world.proxmox.token,
      BENCH_FINGERPRINT: world.proxmox.fingerprint,
      BENCH_VMID: String(vmid),
    },
  };
  const help: Program = { name: "--help", args: [command, "--help"], environment: {} };
  const list: Program = { name: "list", args: [command, "template", "list"], environment: world.environment };
  // Nothing is said of a Proxmox VE: all is loaded and the request is checked, and the command ends with "wrong use".
  const imports: Program = { name: "imports", args: reuse.args, environment: {}, exitCode: 2 };
  const [a, b, c, d, e, f, g] = await measure([empty, floor, help, list, reuse, imports, actionReuse(world)], runs);
  if (!a || !b || !c || !d || !e || !f || !g) throw new Error("not all programs were measured");
  const calls = await callsOf(world, reuse);
  return [
    {
      name: "reuse, exact version: Proxmox VE calls",
      value: calls.calls,
      unit: "calls",
      target: 2,
      detail: "over the transcript of one run",
    },
    {
      name: "reuse: connections",
      value: calls.connections,
      unit: "connections",
      target: 1,
      detail: "over the same transcript",
    },
    over("reuse: wall over the two-call floor program", e, b, 1.25),
    plus("`--help` over an empty node process", c, a, 40),
    plus("reuse: import cost over an empty node process", f, a, 70),
    over("reuse by the Action: wall over the two-call floor program", g, b),
    plus("the same two calls alone over an empty node process", b, a),
    told("list of one template: wall", d),
    told("reuse: wall", e),
    {
      name: "reuse: resident memory",
      value: e.rssMiB.median,
      unit: "MiB",
      detail: `empty process ${a.rssMiB.median.toFixed(0)} MiB`,
    },
  ];
}

/** Reuse among many guests: what grows is one answer, read once. */
export async function manyGuestsRows(): Promise<Row[]> {
  const measured: Measured[] = [];
  for (const guests of [10, 1000, 10_000]) {
    await using world = await startWorld({ pools: ["kubehenge-templates"] });
    addTalosTemplate(world);
    for (let n = 1; n < guests; n += 1)
      world.proxmox.state.addVm({ vmid: 1000 + n, config: { name: `guest-${n}`, tags: "prod;web", memory: "4096" } });
    const [one] = await measure([{ ...reuseProgram(world), name: `${guests} guests` }], 5);
    if (one) measured.push(one);
  }
  const [few, some, many] = measured;
  if (!few || !some || !many) throw new Error("not all sizes were measured");
  return [
    over("reuse among 1,000 guests over 10", some, few),
    over("reuse among 10,000 guests over 10", many, few, 3),
    {
      name: "reuse among 10,000 guests: resident memory",
      value: many.rssMiB.max,
      unit: "MiB",
      target: 180,
      detail: `largest of ${many.runs} runs`,
    },
  ];
}

function addTalosTemplate(world: World): void {
  world.proxmox.state.addTemplate({
    vmid,
    pool: "kubehenge-templates",
    tags: `kubehenge;talos;talos-${version}`,
    name: `talos-${version}`,
    storage: "shared-storage",
  });
}

function reuseProgram(world: World): Program {
  return {
    name: "reuse",
    args: [command, "template", "create", "talos", "--talos-version", version, "--node", "pve1"],
    environment: world.environment,
  };
}

/** The Action's main step, in the environment that a runner gives it. */
function actionReuse(world: World): Program {
  const directories = makeRunDirectories(path.join(world.directory, "runner"));
  const inputs = { ...world.inputs, distribution: "talos", versions: version };
  return {
    name: "reuse by the Action",
    args: [path.join(root, "dist/main.mjs")],
    environment: {
      ...jobEnvironment({ ...defaultContext, apiUrl: world.upstreams.githubApiUrl }, directories, root),
      ...makeStepFiles(path.join(world.directory, "step-files")),
      ...Object.fromEntries(
        Object.entries(readActionMetadata(root).inputs).map(([name, { default: standard }]) => [
          inputVariable(name),
          standard?.includes("${{") ? "" : (standard ?? ""),
        ]),
      ),
      ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [inputVariable(name), value])),
    },
  };
}

async function callsOf(world: World, program: Program): Promise<{ calls: number; connections: number }> {
  const before = world.proxmox.transcript.length;
  await measure([program], 0);
  const own = world.proxmox.transcript.slice(before);
  return { calls: own.length, connections: new Set(own.map(({ connection }) => connection)).size };
}

function over(name: string, one: Measured, floor: Measured, target?: number): Row {
  return {
    name,
    value: one.wallMs.median / floor.wallMs.median,
    unit: "×",
    ...(target === undefined ? {} : { target }),
    detail: `${ms(one)} over ${ms(floor)}, medians of ${one.runs} paired runs`,
  };
}

function plus(name: string, one: Measured, floor: Measured, target?: number): Row {
  return {
    name,
    value: one.wallMs.median - floor.wallMs.median,
    unit: "ms",
    ...(target === undefined ? {} : { target }),
    detail: `${ms(one)} over ${ms(floor)}, medians of ${one.runs} paired runs`,
  };
}

function told(name: string, one: Measured): Row {
  return {
    name,
    value: one.wallMs.median,
    unit: "ms",
    detail: `${one.wallMs.min.toFixed(0)} to ${one.wallMs.max.toFixed(0)} ms in ${one.runs} runs`,
  };
}

function ms({ wallMs }: Measured): string {
  return `${wallMs.median.toFixed(0)} ms (${wallMs.min.toFixed(0)} to ${wallMs.max.toFixed(0)})`;
}
