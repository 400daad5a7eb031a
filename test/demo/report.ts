import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Run } from "./run.ts";

/** The lines of a summary down to its first table, without Markdown's signs for headings. */
export function verdictLines(summary: string): string[] {
  const lines = summary.split("\n").map((line) => line.trim());
  const start = lines.findIndex((line) => line.startsWith("|") || line.startsWith("<table"));
  return lines
    .slice(0, start < 0 ? 3 : start)
    .map((line) => line.replace(/^#+\s*/, ""))
    .filter((line) => line !== "");
}

/** Columns as wide as their widest cell; the last ones are numbers, to the right. */
function table(rows: readonly (readonly string[])[], numbersFrom: number): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column >= numbersFrom ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function runTable(runs: readonly Run[]): string {
  const rows = runs.map(({ name, result, calls }) => [
    name,
    result.outputs["version"] ?? "",
    result.outputs["changed"] === "true"
      ? "created"
      : result.outputs["changed"] === "false"
        ? "reused"
        : result.conclusion,
    result.outputs["vmid"] ?? "",
    String(calls.length),
    String(calls.filter(({ method }) => method !== "GET").length),
    (result.durationMs / 1000).toFixed(1),
  ]);
  return table([["run", "version", "outcome", "VMID", "API calls", "writes", "seconds"], ...rows], 3);
}

/** Leaves summary.md, outputs.json and api.jsonl (a line per Proxmox VE call: run, method, path, status, ms). */
export function writeReport(directory: string, runs: readonly Run[]): void {
  mkdirSync(directory, { recursive: true });
  const summaries = runs.map(({ name, result }) => `<!-- ${name} -->\n\n${result.summary.trim()}\n`);
  writeFileSync(path.join(directory, "summary.md"), summaries.join("\n---\n\n"));
  const outputs = runs.map(({ name, result }) => ({
    run: name,
    conclusion: result.conclusion,
    outputs: result.outputs,
  }));
  writeFileSync(path.join(directory, "outputs.json"), `${JSON.stringify(outputs, undefined, 2)}\n`);
  const calls = runs.flatMap((run) => run.calls);
  const lines = calls.map(
    ({ run, method, path: called, status, ms }) => `${JSON.stringify({ run, method, path: called, status, ms })}\n`,
  );
  writeFileSync(path.join(directory, "api.jsonl"), lines.join(""));
}
