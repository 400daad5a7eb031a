import { LineCounter, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Node, YAMLMap } from "yaml";
import type { Finding } from "./finding.ts";

const pinned = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

interface Policy {
  /** Inputs of the project's own action.yml, which `uses: ./` may be given. */
  ownInputs: readonly string[];
}

/** Collects what breaks a rule, with the line of the node it is about. */
class Report {
  readonly findings: Finding[] = [];
  private readonly file: string;
  private readonly lines: LineCounter;

  constructor(file: string, lines: LineCounter) {
    this.file = file;
    this.lines = lines;
  }

  add(node: Node | null | undefined, message: string): void {
    const offset = node?.range?.[0];
    this.findings.push({ file: this.file, line: offset === undefined ? 0 : this.lines.linePos(offset).line, message });
  }
}

function asMap(node: unknown): YAMLMap | undefined {
  return isMap(node) ? node : undefined;
}

function text(map: YAMLMap, key: string): string | undefined {
  const value = map.get(key);
  return typeof value === "string" ? value : undefined;
}

/** Each permission that is granted says beside it what it is for. */
function checkPermissions(report: Report, owner: YAMLMap, where: string): void {
  const node = owner.get("permissions", true);
  const map = asMap(node);
  if (map === undefined)
    return report.add(owner, `${where} sets no permissions one by one; the default may be write-all`);
  for (const { key, value } of map.items) {
    if (!isScalar(value) || value.value === "none") continue;
    const comment = value.comment ?? "";
    if (comment.trim() === "") report.add(value, `${where} grants ${String(key)} without a comment that says why`);
  }
}

function checkStep(report: Report, step: YAMLMap, policy: Policy): void {
  const run = text(step, "run");
  if (run?.includes("${{"))
    report.add(step, "`run` holds ${{ }}: pass the value through `env` instead, so that it is never read as shell");
  const uses = text(step, "uses");
  const given = asMap(step.get("with", true));
  if (uses === undefined) return;
  if (uses === "./") {
    for (const { key } of given?.items ?? []) {
      if (!policy.ownInputs.includes(String(key))) report.add(step, `action.yml has no input "${String(key)}"`);
    }
    return;
  }
  const node = step.get("uses", true);
  if (!pinned.test(uses)) report.add(step, `${uses} is not pinned by a full commit SHA`);
  if (isScalar(node) && !/^\s*v\d+\.\d+\.\d+$/.test(node.comment ?? ""))
    report.add(step, `${uses} has no comment that names its version`);
  if (uses.startsWith("actions/checkout@") && given?.get("persist-credentials") !== false) {
    report.add(step, "checkout leaves the job's token in .git/config: set persist-credentials: false");
  }
}

function checkJob(report: Report, name: string, job: YAMLMap, policy: Policy): void {
  checkPermissions(report, job, `The job ${name}`);
  if (typeof job.get("timeout-minutes") !== "number")
    report.add(job, `The job ${name} has no timeout-minutes; the default is six hours`);
  const steps = job.get("steps", true);
  if (!isSeq(steps)) return;
  for (const step of steps.items) if (isMap(step)) checkStep(report, step, policy);
}

function isTimezone(name: unknown): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: String(name) }).format();
    return true;
  } catch {
    return false;
  }
}

/** GitHub takes IANA names only, and neither linter looks at them. */
function checkSchedules(report: Report, triggers: YAMLMap | undefined): void {
  const schedules = triggers?.get("schedule", true);
  if (!isSeq(schedules)) return;
  for (const schedule of schedules.items) {
    const timezone = asMap(schedule)?.get("timezone");
    if (isMap(schedule) && timezone !== undefined && !isTimezone(timezone)) {
      report.add(schedule, `${JSON.stringify(timezone)} is no time zone`);
    }
  }
}

/**
 * Checks a workflow against what this project asks of its own: least permissions with reasons, pinned actions, no
 * expressions in shell, bounded jobs, no run that cancels another.
 * https://docs.github.com/en/actions/reference/security/secure-use
 */
export function checkWorkflowPolicy(file: string, content: string, policy: Policy): Finding[] {
  const lines = new LineCounter();
  const document = parseDocument(content, { lineCounter: lines });
  const report = new Report(file, lines);
  for (const error of document.errors) report.add(undefined, error.message);
  const root = asMap(document.contents);
  if (root === undefined || document.errors.length > 0) {
    if (document.errors.length === 0) report.add(undefined, "The workflow is no mapping");
    return report.findings;
  }
  const permissions = asMap(root.get("permissions", true));
  if (permissions === undefined || permissions.items.length > 0) {
    report.add(root, "The workflow as a whole must have `permissions: {}`; each job asks for its own");
  }
  const concurrency = asMap(root.get("concurrency", true));
  if (concurrency?.get("cancel-in-progress") !== false)
    report.add(root, "The workflow needs `concurrency` with `cancel-in-progress: false`");
  const triggers = asMap(root.get("on", true));
  checkSchedules(report, triggers);
  if (triggers?.has("pull_request_target"))
    report.add(triggers, "pull_request_target runs a stranger's code with secrets");
  for (const { key, value } of asMap(root.get("jobs", true))?.items ?? []) {
    if (isMap(value)) checkJob(report, String(key), value, policy);
  }
  return report.findings;
}
