import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { defaultContext, jobEnvironment, makeRunDirectories, type GithubContext } from "./environment.ts";
import { evaluate, interpolate, type ExpressionScope, type ExpressionValue } from "./expressions.ts";
import { runAction } from "./index.ts";
import { Masks } from "./masks.ts";
import { runShellStep } from "./shell-step.ts";
import {
  inputsFor,
  readWorkflow,
  type Workflow,
  type WorkflowEvent,
  type WorkflowJob,
  type WorkflowStep,
} from "./workflow-file.ts";

export interface RunWorkflowOptions {
  file: string;
  event: WorkflowEvent;
  inputs?: Readonly<Record<string, string>>;
  vars?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
  /** What checking the repository out brings, by path; `uses: ./` is this project's own Action in any case. */
  files?: Readonly<Record<string, string>>;
  context?: Partial<GithubContext>;
  /** Inputs that each `uses: ./` gets besides, such as where the upstreams are; those of the workflow go over them. */
  besides?: Readonly<Record<string, string>>;
}

export type Result = "success" | "failure" | "skipped";

export interface JobEnd {
  /** With its matrix, as GitHub shows it. */
  name: string;
  result: Result;
  outputs: Record<string, string>;
  summary: string;
  log: string;
  /** What the runner complains of. */
  complaints: readonly string[];
}

export interface WorkflowEnd {
  result: Result;
  /** By the job's id; one for each entry of its matrix. */
  jobs: Record<string, readonly JobEnd[]>;
  /** Files of each artifact, by name. */
  artifacts: Record<string, Record<string, string>>;
  /** Of a called workflow. */
  outputs: Record<string, string>;
}

/**
 * Runs a workflow job by job, as far as this project's workflows go: `needs`, `if`, `outputs`, a matrix from JSON,
 * `uses: ./`, `run` in bash, checkout and upload-artifact.
 * @throws on what it does not know
 */
export async function runWorkflow(options: RunWorkflowOptions): Promise<WorkflowEnd> {
  const workflow = readWorkflow(options.file);
  const run = new WorkflowRun(workflow, options);
  try {
    return await run.all();
  } finally {
    rmSync(run.directory, { recursive: true, force: true });
  }
}

/** `${{ … }}` around a condition may be left out. */
const condition = (text: string): string => /^\s*\$\{\{([^]*)\}\}\s*$/.exec(text)?.[1] ?? text;
const usesStatus = (text: string): boolean => /\b(always|failure|cancelled|success)\(\)/.test(text);

class WorkflowRun {
  readonly directory = mkdtempSync(path.join(os.tmpdir(), "mini-workflow-"));
  readonly #workflow: Workflow;
  readonly #options: RunWorkflowOptions;
  readonly #context: GithubContext;
  readonly #contexts: Record<string, ExpressionValue>;
  readonly #ends = new Map<string, JobEnd[]>();
  readonly #artifacts: Record<string, Record<string, string>> = {};
  #count = 0;

  constructor(workflow: Workflow, options: RunWorkflowOptions) {
    this.#workflow = workflow;
    this.#options = options;
    this.#context = { ...defaultContext, eventName: options.event, workflow: workflow.name, ...options.context };
    this.#contexts = {
      inputs: inputsFor(workflow, options.event, options.inputs ?? {}),
      vars: { ...options.vars },
      secrets: { ...options.secrets },
      github: { repository: this.#context.repository, event_name: options.event, ref: "refs/heads/main" },
      job: { workflow_repository: this.#context.repository, workflow_sha: "0".repeat(40) },
    };
  }

  async all(): Promise<WorkflowEnd> {
    const waiting = new Map(Object.entries(this.#workflow.jobs));
    while (waiting.size > 0) {
      const ready = [...waiting].filter(([, { needs }]) => needs.every((need) => this.#ends.has(need)));
      if (ready.length === 0) throw new Error(`These jobs need what never comes: ${[...waiting.keys()].join(", ")}`);
      for (const [id, job] of ready) {
        waiting.delete(id);
        this.#ends.set(id, await this.#job(id, job));
      }
    }
    const jobs = Object.fromEntries(this.#ends);
    const declared = this.#workflow.on.workflow_call?.outputs ?? {};
    const scope = this.#scope(
      { jobs: Object.fromEntries([...this.#ends].map(([id]) => [id, this.#needed(id)])) },
      true,
    );
    return {
      result: [...this.#ends.values()].flat().some(({ result }) => result === "failure") ? "failure" : "success",
      jobs,
      artifacts: this.#artifacts,
      outputs:
        this.#options.event === "workflow_call"
          ? Object.fromEntries(Object.entries(declared).map(([name, { value }]) => [name, interpolate(value, scope)]))
          : {},
    };
  }

  #scope(contexts: Record<string, ExpressionValue>, succeeded: boolean): ExpressionScope {
    return {
      contexts: { ...this.#contexts, ...contexts },
      functions: { always: () => true, success: () => succeeded, failure: () => !succeeded, cancelled: () => false },
    };
  }

  /** What a job that needs this one sees of it: of a matrix, the last one's outputs. */
  #needed(id: string): { result: string; outputs: Record<string, string> } {
    const ends = this.#ends.get(id) ?? [];
    const result = ends.some((end) => end.result === "failure")
      ? "failure"
      : ends.every((end) => end.result === "skipped")
        ? "skipped"
        : "success";
    return { result, outputs: Object.assign({}, ...ends.map(({ outputs }) => outputs)) as Record<string, string> };
  }

  async #job(id: string, job: WorkflowJob): Promise<JobEnd[]> {
    const needs = Object.fromEntries(job.needs.map((need) => [need, this.#needed(need)]));
    const succeeded = Object.values(needs).every(({ result }) => result === "success");
    const scope = this.#scope({ needs }, succeeded);
    const wanted = job.if === undefined ? true : Boolean(evaluate(condition(job.if), scope));
    if (!wanted || (!succeeded && !usesStatus(job.if ?? "")))
      return [{ name: job.name ?? id, result: "skipped", outputs: {}, summary: "", log: "", complaints: [] }];
    const ends: JobEnd[] = [];
    for (const matrix of matrixOf(job, scope))
      ends.push(await this.#steps(id, job, { needs, ...(matrix ? { matrix } : {}) }));
    return ends;
  }

  async #steps(id: string, job: WorkflowJob, contexts: Record<string, ExpressionValue>): Promise<JobEnd> {
    this.#count += 1;
    const directory = path.join(this.directory, `job-${this.#count}`);
    const place = makeRunDirectories(directory);
    const named = this.#scope(contexts, true);
    if (interpolate(job["runs-on"], named) === "") throw new Error(`The job ${id} runs nowhere`);
    const end = { name: interpolate(job.name ?? id, named), result: "success" as Result, summary: "", log: "" };
    const complaints: string[] = [];
    const steps: Record<string, { outputs: Record<string, string>; outcome: string }> = {};
    for (const [at, step] of job.steps.entries()) {
      const scope = this.#scope({ ...contexts, steps }, end.result === "success");
      const wanted = step.if === undefined ? true : Boolean(evaluate(condition(step.if), scope));
      if (!wanted || (end.result !== "success" && !usesStatus(step.if ?? ""))) continue;
      const texts = (of: Record<string, string>) =>
        Object.fromEntries(Object.entries(of).map(([name, text]) => [name, interpolate(text, scope)]));
      const did = await this.#step(step, {
        given: texts(step.with),
        env: texts(step.env),
        directory,
        place,
        number: at + 1,
      });
      end.log += did.log;
      end.summary += did.summary;
      complaints.push(...did.complaints);
      if (!did.ok) end.result = "failure";
      if (step.id) steps[step.id] = { outputs: did.outputs, outcome: did.ok ? "success" : "failure" };
    }
    const last = this.#scope({ ...contexts, steps }, end.result === "success");
    const outputs = Object.fromEntries(
      Object.entries(job.outputs).map(([name, text]) => [name, interpolate(text, last)]),
    );
    return { ...end, outputs, complaints };
  }

  async #step(step: WorkflowStep, now: StepNow): Promise<StepEnd> {
    if (step.run !== undefined) return await this.#shell(step.run, now);
    if (step.uses === "./") return await this.#action(now);
    if (step.uses?.startsWith("actions/checkout@")) return this.#checkOut(now);
    if (step.uses?.startsWith("actions/upload-artifact@")) return this.#upload(now);
    throw new Error(`The mini-runner does not know ${step.uses ?? "a step that does nothing"}`);
  }

  async #shell(script: string, { env, directory, place, number }: StepNow): Promise<StepEnd> {
    const masks = new Masks();
    for (const secret of Object.values(this.#options.secrets ?? {})) masks.add(secret);
    const end = await runShellStep({
      script,
      directory: path.join(directory, "shell", String(number)),
      workspace: place.workspace,
      environment: { ...jobEnvironment(this.#context, place, place.workspace), ...env },
      masks,
    });
    return { ok: end.exitCode === 0, outputs: end.outputs, summary: end.summary, log: end.log, complaints: [] };
  }

  async #action({ given, env, directory }: StepNow): Promise<StepEnd> {
    const end = await runAction({
      inputs: { ...this.#options.besides, ...given },
      env,
      context: this.#context,
      secrets: Object.values(this.#options.secrets ?? {}),
      directory,
    });
    return {
      ok: end.conclusion === "success",
      outputs: end.outputs,
      summary: end.summary,
      log: `${end.log}\n${end.annotations.map(({ message }) => message).join("\n")}\n`,
      complaints: [
        ...end.complaints,
        ...end.droppedOutputs.map((name) => `The output ${name} was dropped: it holds a secret`),
      ],
    };
  }

  #checkOut({ place }: StepNow): StepEnd {
    for (const [name, content] of Object.entries(this.#options.files ?? {})) {
      const file = path.join(place.workspace, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    return nothing;
  }

  #upload({ given, place }: StepNow): StepEnd {
    const { name = "artifact", path: from = "" } = given;
    if (/["<>|*?:\\/\r\n]/.test(name)) throw new Error(`${name} is no name of an artifact`);
    if (this.#artifacts[name]) throw new Error(`There is an artifact ${name} already`);
    const source = path.resolve(place.workspace, from);
    if (!existsSync(source)) return { ...nothing, complaints: [`No files were found with the path ${from}`] };
    const target = path.join(this.directory, "artifacts", name);
    cpSync(source, statSync(source).isDirectory() ? target : path.join(target, path.basename(source)), {
      recursive: true,
    });
    this.#artifacts[name] = Object.fromEntries(
      readdirSync(target).map((file) => [file, readFileSync(path.join(target, file), "utf8")]),
    );
    return nothing;
  }
}

interface StepNow {
  given: Record<string, string>;
  env: Record<string, string>;
  directory: string;
  place: ReturnType<typeof makeRunDirectories>;
  number: number;
}

interface StepEnd {
  ok: boolean;
  outputs: Record<string, string>;
  summary: string;
  log: string;
  complaints: readonly string[];
}

const nothing: StepEnd = { ok: true, outputs: {}, summary: "", log: "", complaints: [] };

/** The entries of `matrix.include: ${{ fromJSON(…) }}`; a single undefined where there is no matrix. */
function matrixOf({ strategy }: WorkflowJob, scope: ExpressionScope): (Record<string, ExpressionValue> | undefined)[] {
  if (!strategy) return [undefined];
  const source = /^\s*fromJSON\(([^]*)\)\s*$/.exec(condition(strategy.matrix.include))?.[1];
  if (source === undefined)
    throw new Error(`The mini-runner takes a matrix from fromJSON() only, not ${strategy.matrix.include}`);
  const entries = JSON.parse(interpolate(`\${{ ${source} }}`, scope)) as Record<string, ExpressionValue>[];
  if (entries.length === 0) throw new Error("Matrix vector does not contain any values");
  return entries;
}
