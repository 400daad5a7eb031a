import type { Verification } from "../distributions/distribution.ts";
import type { Failure } from "../failure/failure.ts";
import type { SbomFile } from "../shell/sbom-files.ts";
import { sayLeft } from "../shell/remains.ts";
import type { Deletion } from "../templates/delete.ts";
import type { Listed } from "../templates/list.ts";
import type { Work } from "../templates/fleet-plan.ts";
import type { Pruned } from "../templates/prune.ts";
import type { RolledBack } from "../templates/rollback.ts";
import type { Swept } from "../templates/sweep.ts";
import type { Verified } from "../templates/verify.ts";
import type { CreateReport, Outcome } from "../templates/outcome.ts";
import { sayDuration } from "../time/duration.ts";
import { cell, codeBlock, ganttText } from "./text.ts";

/** The runner drops a summary of more than 1 MiB whole. */
const summaryLimit = 1000 * 1024;

export function createSummary(report: CreateReport, sboms: readonly SbomFile[] = []): string {
  const { outcomes } = report;
  const parts = [
    `## ${verdict(outcomes)}`,
    table(
      ["Template", "Version", "VMID", "Node", "Storage", "Result", "Took"],
      outcomes.map((outcome) => [
        outcome.target.title,
        outcome.target.version,
        String(outcome.template?.vmid ?? ""),
        outcome.template?.node ?? "",
        outcome.template?.storage ?? "",
        `${outcome.result}: ${outcome.why}`,
        sayDuration(outcome.endedAt - outcome.startedAt),
      ]),
    ),
    ...outcomes.filter(({ failure }) => failure).map(failureOf),
    ...(report.left.length > 0 ? [`### Left behind`, codeBlock(sayLeft(report.left))] : []),
    ...(report.pruned.length > 0 ? ["### Old builds", prunedTable(report.pruned)] : []),
    verifiedOf(outcomes),
    provenOf(outcomes),
    ...sboms.map(changesOf),
    selectorsOf(outcomes),
    gantt(outcomes),
  ];
  return limit(parts.filter(Boolean).join("\n\n"));
}

export function listSummary(rows: readonly Listed[]): string {
  const head = `## ${rows.length} ${rows.length === 1 ? "template" : "templates"}`;
  return limit(
    `${head}\n\n${table(
      ["Template", "VMID", "Node", "Storage", "State", "Made"],
      rows.map((row) => [
        row.target.title,
        String(row.vmid),
        row.node,
        row.storage ?? "",
        row.state,
        row.manifest?.created ?? "",
      ]),
    )}`,
  );
}

export function deleteSummary(deletions: readonly Deletion[]): string {
  const rows = deletions.map((one) => [
    one.title,
    one.what,
    String(one.vmid),
    one.node,
    one.deleted ? "deleted" : "would be deleted",
  ]);
  return limit(`## Deleted\n\n${table(["Template", "What", "VMID", "Node", "Result"], rows)}`);
}

export function sweepSummary({ removed, left }: Swept, dryRun: boolean): string {
  const head = `## ${removed.length} ${dryRun ? "to be removed" : "removed"}${left.length > 0 ? `, ${left.length} left` : ""}`;
  return limit(
    [
      head,
      ...removed.map(({ what }) => `- ${cell(what)}`),
      ...(left.length > 0 ? ["", "### Left behind", codeBlock(sayLeft(left))] : []),
    ].join("\n"),
  );
}

export function pruneSummary(pruned: readonly Pruned[]): string {
  const count = (result: Pruned["result"]) => pruned.filter((one) => one.result === result).length;
  const head =
    pruned.length === 0
      ? "## Nothing to prune"
      : `## ${count("deleted") + count("would be deleted")} of ${pruned.length} ${count("would be deleted") > 0 ? "would be pruned" : "pruned"}`;
  return limit([head, ...(pruned.length > 0 ? [prunedTable(pruned)] : [])].join("\n\n"));
}

function prunedTable(pruned: readonly Pruned[]): string {
  return table(
    ["Template", "VMID", "Node", "Why", "Result"],
    pruned.map((one) => [
      one.title,
      String(one.vmid),
      one.node,
      one.why,
      one.because ? `${one.result}: ${one.because}` : one.result,
    ]),
  );
}

export function rollbackSummary({ target, to, from, done }: RolledBack): string {
  const rows = [
    [
      done ? "is the template again" : "would be the template again",
      String(to.vmid),
      to.node,
      `build ${to.build} of ${to.created}`,
    ],
    ...(from ? [[done ? "was retired" : "would be retired", String(from.vmid), from.node, ""]] : []),
  ];
  return limit(`## ${cell(target.title)} rolled back\n\n${table(["What", "VMID", "Node", "Build"], rows)}`);
}

export function verifySummary({ target, template, pinned }: Verified): string {
  return limit(
    `## ${cell(target.title)} is the pinned template\n\n${table(["VMID", "Node", "Digest", "Protected"], [[String(template.vmid), template.node, template.digest, pinned ? "yes" : "no"]])}`,
  );
}

export function planSummary(work: readonly Work[]): string {
  if (work.length === 0) return "## Nothing to build\n";
  return limit(
    `## ${work.length} to build\n\n${table(
      ["Distribution", "Version", "Ubuntu", "Node", "Why"],
      work.map((one) => [one.distribution, one.versions, one["ubuntu-release"], one.node, one.why]),
    )}`,
  );
}

export function failureSummary(failure: Failure): string {
  return limit(`## Failed\n\n${failureText(failure)}`);
}

function verdict(outcomes: readonly Outcome[]): string {
  const count = (result: Outcome["result"]) => outcomes.filter((outcome) => outcome.result === result).length;
  const parts = (["created", "reused", "planned", "failed"] as const)
    .filter((result) => count(result) > 0)
    .map((result) => `${count(result)} ${result === "planned" ? "to be created" : result}`);
  return `${outcomes.length} ${outcomes.length === 1 ? "template" : "templates"}: ${parts.join(", ")}`;
}

function failureOf({ target, failure, left }: Outcome): string {
  if (!failure) return "";
  return [
    `### ${cell(target.title)} failed`,
    failureText(failure),
    ...(left.length > 0 ? ["Not everything could be removed:", codeBlock(sayLeft(left))] : []),
  ].join("\n\n");
}

function failureText(failure: Failure): string {
  return [
    cell(failure.message),
    ...(failure.remedy.length > 0 ? ["What to do:", codeBlock(failure.remedy)] : []),
    ...(failure.evidence.length > 0 ? ["Last lines of the task or guest:", codeBlock(failure.evidence)] : []),
  ].join("\n\n");
}

function verifiedOf(outcomes: readonly Outcome[]): string {
  const verified = outcomes.flatMap((outcome): readonly Verification[] =>
    outcome.verified.length > 0 ? outcome.verified : (outcome.template?.manifest?.verified ?? []),
  );
  const unique = [...new Map(verified.map((one) => [`${one.what} ${one.signer ?? ""}`, one])).values()];
  if (unique.length === 0) return "";
  return `### Verified\n\n${table(
    ["What", "By", "Signed"],
    unique.map((one) => [
      one.what,
      one.by === "signature" ? `signature of ${one.signer ?? ""}` : "TLS only: upstream signs no such image",
      one.signedAt ?? "",
    ]),
  )}`;
}

function provenOf(outcomes: readonly Outcome[]): string {
  const rows = outcomes.flatMap(({ target, smokeTest = [] }) =>
    smokeTest.map(({ what, ok }) => [target.title, what, ok ? "yes" : "no"]),
  );
  return rows.length === 0 ? "" : `### Proven on a clone\n\n${table(["Template", "What", "Proven"], rows)}`;
}

/** A bounded table: a distribution's upgrade changes hundreds of packages, and the SBOM has them all. */
const changesShown = 100;

function changesOf({ title, changes }: SbomFile): string {
  if (!changes) return "";
  const rows = [
    ...changes.changed.map(({ name, from, to }) => [name, from, to]),
    ...changes.added.map(({ name, version }) => [name, "", version]),
    ...changes.removed.map(({ name, version }) => [name, version, ""]),
  ];
  const counts = `${changes.changed.length} changed, ${changes.added.length} added, ${changes.removed.length} removed`;
  const more = rows.length > changesShown ? `\n\n${rows.length - changesShown} more are in the SBOM.` : "";
  const head = `### What changed in ${cell(title)}\n\nAgainst the build that it replaces: ${counts}.`;
  return rows.length === 0
    ? head
    : `${head}\n\n${table(["Package or image", "From", "To"], rows.slice(0, changesShown))}${more}`;
}

function selectorsOf(outcomes: readonly Outcome[]): string {
  const there = outcomes.filter(({ template }) => template);
  if (there.length === 0) return "";
  return [
    "### For Cluster API",
    "In a `ProxmoxMachineTemplate`:",
    ...there.map(({ target }) => `${cell(target.title)}\n\n${codeBlock(templateSelector(target.tags))}`),
  ].join("\n\n");
}

/** Rows of `spec.template.spec` of a ProxmoxMachineTemplate. Tags hold no character that YAML would take for its own. */
export function templateSelector(tags: readonly string[]): string[] {
  return ["templateSelector:", "  matchTags:", ...tags.map((tag) => `    - ${tag}`)];
}

function gantt(outcomes: readonly Outcome[]): string {
  const timed = outcomes.filter(({ phases }) => phases.length > 0);
  if (timed.length === 0) return "";
  const lines = timed.flatMap((outcome) => [
    `    section ${ganttText(outcome.target.title)}`,
    ...outcome.phases.map(
      (phase) => `    ${ganttText(phase.title)} :${phase.startedAt}, ${Math.max(phase.endedAt, phase.startedAt + 1)}`,
    ),
  ]);
  return [
    "<details><summary>Where the time went</summary>",
    "",
    "```mermaid",
    "gantt",
    "    dateFormat x",
    "    axisFormat %H:%M:%S",
    ...lines,
    "```",
    "",
    "</details>",
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...rows.map((row) => `| ${row.map(cell).join(" | ")} |`),
  ].join("\n");
}

function limit(text: string): string {
  return Buffer.byteLength(text) <= summaryLimit
    ? `${text}\n`
    : `${text.slice(0, summaryLimit / 4)}\n\n(cut: the summary was too long)\n`;
}
