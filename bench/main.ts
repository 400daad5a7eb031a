// npm run bench: measures, prints tables, and writes bench/results.json, from which the README's table is generated.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRows, parallelRows, tenMinuteRows } from "./create.ts";
import { peerRows } from "./peer.ts";
import { partRows } from "./parts.ts";
import { manyGuestsRows, reuseRows } from "./reuse.ts";
import { isMet, markdownTable, type Row } from "./row.ts";

const sections: readonly { title: string; rows: () => Promise<Row[]> }[] = [
  { title: "Start, list, reuse", rows: reuseRows },
  { title: "Among many guests", rows: manyGuestsRows },
  { title: "Create", rows: createRows },
  { title: "Ten minutes", rows: tenMinuteRows },
  { title: "Several at once", rows: parallelRows },
  { title: "Parts", rows: partRows },
  { title: "Beside packer", rows: peerRows },
];

interface Results {
  sections: { title: string; rows: Row[] }[];
}

const wanted = process.argv.slice(2);
const results: Results["sections"] = [];
for (const section of sections) {
  if (wanted.length > 0 && !wanted.includes(section.title)) continue;
  const rows = await section.rows();
  results.push({ title: section.title, rows });
  console.log(`\n## ${section.title}\n\n${markdownTable(rows)}`);
}
const missed = results.flatMap(({ rows }) => rows).filter((row) => !isMet(row));
console.log(missed.length === 0 ? "\nAll targets met." : `\nMissed: ${missed.map(({ name }) => name).join("; ")}`);
if (results.length > 0) {
  const file = path.join(import.meta.dirname, "results.json");
  // Sections that were not asked for stay as they were measured.
  const before =
    wanted.length === 0 || !existsSync(file) ? [] : (JSON.parse(readFileSync(file, "utf8")) as Results).sections;
  const all = sections.flatMap(({ title }) => [...results, ...before].find((one) => one.title === title) ?? []);
  const machine = { cpus: os.cpus().length, model: os.cpus()[0]?.model ?? "", node: process.version };
  writeFileSync(file, `${JSON.stringify({ machine, sections: all }, undefined, 2)}\n`);
}
process.exit(0);
