import { createHash } from "node:crypto";
import { runBundledCommand, startBundleWorld, stateFiles, type CommandEnd } from "./bundle-world.ts";
import { finishedOn, isClean, leftOn, sayLeftovers } from "./stage.ts";
import type { Shard, Tally } from "./tally.ts";

const node = ["--node", "pve1"];
const talos = ["template", "create", "talos", "--talos-version", "v1.14.4", ...node];
const rke2 = ["template", "create", "rke2", "--ubuntu-release", "26.04", ...node];
const kubeadm = (version: string) => [
  "template",
  "create",
  "kubeadm",
  "--kubernetes-version",
  version,
  "--ubuntu-release",
  "26.04",
  ...node,
];

/** Who runs against whom, by round. */
export const raceFields: { name: string; of: (round: number) => readonly (readonly string[])[]; targets: number }[] = [
  {
    name: "8 processes, one target",
    of: (round) => Array.from({ length: 8 }, () => [talos, rke2, kubeadm("v1.37.1")][round % 3] ?? talos),
    targets: 1,
  },
  {
    name: "8 processes, four targets",
    // Three of them share one image.
    of: () => [talos, rke2, kubeadm("v1.37.1"), kubeadm("v1.36.4")].flatMap((argv) => [argv, argv]),
    targets: 4,
  },
];

/** Numbers from 0 to 1 that follow from a seed alone. */
export function randomFrom(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

// Stand-in milliseconds; a lock or a slow disk now and then.
const usualMs = 300;
const slowMs = 4000;

export async function runRace(field: (typeof raceFields)[number], round: number, seed: string): Promise<string[]> {
  await using world = await startBundleWorld();
  const random = randomFrom(seed);
  world.proxmox.inject(({ phase }) =>
    phase === "before" ? { kind: "delay", ms: random() < 0.05 ? random() * slowMs : random() * usualMs } : undefined,
  );
  const ends = await Promise.all(
    field.of(round).map(async (argv) => {
      await new Promise((resolve) => setTimeout(resolve, random() * 100));
      return await runBundledCommand(world, argv);
    }),
  );
  await world.proxmox.settle();
  const left = leftOn(world.proxmox);
  const tags = finishedOn(world.proxmox).map(({ config }) => config.get("tags") ?? "");
  const files = Object.keys(stateFiles(world));
  return [
    ...ends.filter(({ code }) => code !== 0).map(sayEnd),
    ...(tags.length === field.targets && new Set(tags).size === field.targets
      ? []
      : [`${tags.length} templates: ${tags.join(", ")}`]),
    ...(isClean(left) ? [] : [`left ${sayLeftovers(left)}`]),
    ...(files.length > 0 ? [`state files are left: ${files.join(", ")}`] : []),
  ];
}

const sayEnd = ({ code, output, argv }: CommandEnd): string =>
  `${argv.join(" ")} ended with ${code}: ${output.slice(-500)}`;

/** Runs rounds of this shard's fields, one race at a time. */
export async function races(
  rounds: number,
  { seed, shard, shards }: Pick<Shard, "seed" | "shard" | "shards">,
): Promise<Tally> {
  const tally: Tally = { rows: {}, bad: [] };
  for (const field of raceFields.filter((_one, at) => at % shards === shard)) {
    const row = (tally.rows[field.name] = { rounds: 0, "one template each, nothing left, none failed": 0, bad: 0 });
    for (let round = 0; round < rounds; round += 1) {
      const bad = await runRace(field, round, `${seed} ${field.name} ${round}`);
      row.rounds += 1;
      if (bad.length === 0) row["one template each, nothing left, none failed"] += 1;
      else row.bad += 1;
      for (const words of bad) tally.bad.push(`${field.name}, seed ${seed}, round ${round}: ${words}`);
    }
  }
  return tally;
}
