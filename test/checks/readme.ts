// `npm run docs` writes the tables of README.md from action.yml, the command's options and what the benchmark found;
// `npm run docs:check` says whether they are up to date.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import {
  addConnectionOptions,
  addCreateOptions,
  addDeleteOptions,
  addListOptions,
  addUpstreamOptions,
} from "../../src/cli/options.ts";
import { figuresTable, type Row } from "../../bench/row.ts";
import { readActionMetadata } from "../mini-runner/action-metadata.ts";
import { inputsTable, optionsTable, outputsTable, withSections } from "./generated-sections.ts";

const root = path.resolve(import.meta.dirname, "../..");
const file = path.join(root, "README.md");
const metadata = readActionMetadata(root);
const current = readFileSync(file, "utf8");
const bench = JSON.parse(readFileSync(path.join(root, "bench/results.json"), "utf8")) as {
  sections: { rows: Row[] }[];
};
const wanted = withSections(current, {
  inputs: inputsTable(metadata),
  outputs: outputsTable(metadata),
  "create options": optionsTable(addCreateOptions(new Command())),
  "list options": optionsTable(addListOptions(new Command())),
  "delete options": optionsTable(addDeleteOptions(new Command())),
  "connection options": optionsTable(addConnectionOptions(new Command())),
  "upstream options": optionsTable(addUpstreamOptions(new Command())),
  figures: figuresTable(bench.sections.flatMap(({ rows }) => rows)),
});

if (current === wanted) {
  console.log("README.md: its tables are up to date");
} else if (process.argv.includes("--write")) {
  writeFileSync(file, wanted);
  console.log("README.md: tables written");
} else {
  console.error("README.md: its tables are out of date. Run `npm run docs`.");
  process.exitCode = 1;
}
