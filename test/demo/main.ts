// `npm run demo`: the bundled Action, run as the GitHub runner runs it, against stand-ins on loopback. It makes a template
// of each kind and then finds them again; fails when anything is not as it must be.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { shortcomings } from "./expectations.ts";
import { runTable, verdictLines, writeReport } from "./report.ts";
import { runOnce } from "./run.ts";
import type { Run } from "./run.ts";
import { startWorld } from "./world.ts";
import type { World } from "./world.ts";

const output = path.resolve(import.meta.dirname, "../../demo-output");
const distributions = ["talos", "rke2", "kubeadm"];
const scratch = mkdtempSync(path.join(os.tmpdir(), "kubehenge-demo-"));
const runs: Run[] = [];
const problems: string[] = [];

try {
  await using world = await startWorld(scratch);
  const secret = world.proxmox.token.slice(world.proxmox.token.indexOf("=") + 1);
  console.log(
    `Proxmox VE stand-in at ${world.proxmox.url}, upstream stand-ins at ${world.upstreams.ubuntuUrl} and others\n`,
  );
  for (const expected of ["created", "reused"] as const) {
    for (const distribution of distributions) {
      const run = await runOnce(world, distribution, expected);
      const first = runs.find((earlier) => earlier.distribution === distribution);
      runs.push(run);
      problems.push(...shortcomings(run, first, secret).map((problem) => `${run.name}: ${problem}`));
      console.log([`${run.name}:`, ...verdictLines(run.result.summary).map((line) => `  ${line}`)].join("\n"));
    }
  }
  const templates = new Set(runs.map(({ result }) => Number(result.outputs["vmid"])));
  problems.push(...leftovers(world, templates));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** What there is on the Proxmox VE besides the runs' templates. */
function leftovers({ proxmox }: World, templates: ReadonlySet<number>): string[] {
  const { vms, volumes, tasks } = proxmox.leftovers(({ vmid, template }) => template && templates.has(vmid));
  return [
    ...vms.map(({ vmid, name }) => `the VM ${vmid} (${name}) was left behind`),
    ...volumes.map((volume) => `the volume ${volume} was left behind`),
    ...tasks.map((task) => `the task ${task} still runs`),
  ];
}

writeReport(output, runs);
console.log(`\n${runTable(runs)}\n`);
console.log("demo-output/: summary.md, outputs.json, api.jsonl");
for (const problem of problems) console.error(`\nNot as it must be: ${problem}`);
if (problems.length > 0) {
  console.error(`\n${problems.length} things are not as they must be.`);
  process.exitCode = 1;
} else {
  console.log(`All ${runs.length} runs did what they must.`);
}
