// `npm run test:faults`: the whole fault, cancel and race matrices, two processes at a time, their tables at the end.
//   node test/faults/main.ts [--part faults|cancel|races] [--only talos,…] [--sample N] [--rounds N] [--seed N]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import { addTallies, table, type Shard, type Tally } from "./tally.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string" },
    only: { type: "string" },
    sample: { type: "string", default: "1" },
    rounds: { type: "string", default: "20" },
    seed: { type: "string" },
    // Given by this program to the processes that it starts.
    shard: { type: "string" },
  },
});
const shards = 2;
const rounds = Number(values.rounds);
const settings: Omit<Shard, "shard"> = {
  shards,
  sample: Number(values.sample),
  only: values.only?.split(","),
  seed: values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed),
};

const parts: Record<string, { title: string; run: (shard: number) => Promise<Tally> }> = {
  faults: {
    title: "fault matrix",
    run: async (shard) => (await import("./fault-matrix.ts")).faultMatrix({ ...settings, shard }),
  },
  cancel: {
    title: "cancel matrix",
    run: async (shard) => (await import("./cancel-matrix.ts")).cancelMatrix({ ...settings, shard }),
  },
  races: {
    title: `races, seed ${settings.seed}`,
    run: async (shard) => (await import("./races.ts")).races(rounds, { ...settings, shard }),
  },
};

if (values.shard === undefined) await runAll();
else process.stdout.write(JSON.stringify(await partOf(values.part ?? "").run(Number(values.shard))));

function partOf(name: string): { title: string; run: (shard: number) => Promise<Tally> } {
  const part = parts[name];
  if (!part) throw new Error(`There is no part ${name}: ${Object.keys(parts).join(", ")}`);
  return part;
}

async function runAll(): Promise<void> {
  const tables: string[] = [];
  const bad: string[] = [];
  for (const name of values.part === undefined ? Object.keys(parts) : [values.part]) {
    const started = performance.now();
    const tally = addTallies(
      await Promise.all(Array.from({ length: shards }, (_none, shard) => inProcess(name, shard))),
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`${partOf(name).title}: ${seconds} s, ${tally.bad.length} not as promised`);
    tables.push(table(partOf(name).title, tally));
    bad.push(...tally.bad.map((words) => `${name}: ${words}`));
  }
  for (const words of bad) console.log(`\nNot as promised: ${words}`);
  console.log(`\n${tables.join("\n\n")}`);
  if (settings.sample > 1) console.log(`\nEvery ${settings.sample}th case only.`);
  if (bad.length > 0) process.exitCode = 1;
}

async function inProcess(name: string, shard: number): Promise<Tally> {
  const argv = [
    "--part",
    name,
    "--shard",
    String(shard),
    "--sample",
    String(settings.sample),
    "--rounds",
    String(rounds),
    "--seed",
    String(settings.seed),
  ];
  const child = spawn(
    process.execPath,
    [...process.execArgv, import.meta.filename, ...argv, ...(values.only === undefined ? [] : ["--only", values.only])],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${name}, part ${shard} of ${shards}, ended with ${code}`);
  return JSON.parse(text) as Tally;
}
