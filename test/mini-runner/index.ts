import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { readActionMetadata } from "./action-metadata.ts";
import type { ActionMetadata } from "./action-metadata.ts";
import { defaultContext, inputVariable, jobEnvironment, makeRunDirectories } from "./environment.ts";
import type { GithubContext } from "./environment.ts";
import { evaluate, interpolate } from "./expressions.ts";
import type { ExpressionScope } from "./expressions.ts";
import { Masks } from "./masks.ts";
import { node24 } from "./node-runtime.ts";
import { makeStepFiles, readStepFiles } from "./step-files.ts";
import type { StepFileContents } from "./step-files.ts";
import { StepLog } from "./step-log.ts";
import { runStepProcess } from "./step-process.ts";
import type { Moment, StepEnd } from "./step-process.ts";
import type { Annotation } from "./workflow-commands.ts";

export type { GithubContext } from "./environment.ts";
export type { Moment } from "./step-process.ts";
export type { Annotation } from "./workflow-commands.ts";

const projectRoot = path.resolve(import.meta.dirname, "../..");

export interface RunActionOptions {
  /** What a workflow gives under `with:`. A name that action.yml does not have is a warning, as in the runner. */
  inputs: Record<string, string>;
  /** What a workflow gives under `env:`. */
  env?: Record<string, string> | undefined;
  context?: Partial<GithubContext> | undefined;
  /** Values of `secrets.*` in the workflow: the runner masks them from the start. */
  secrets?: readonly string[] | undefined;
  /** Cancels the run: milliseconds after main's start, or when the promise resolves. Post runs all the same. */
  cancelAfter?: Moment | undefined;
  /** Factor on the 7.5 s and 2.5 s between the signals of a cancelled run; 1 when left out. */
  cancelScale?: number | undefined;
  /** Kills main with SIGKILL at that moment, as when the machine goes; give `skipPost` as well if the runner dies too. */
  dieAfter?: Moment | undefined;
  /** Leaves post out, as when the runner died. */
  skipPost?: boolean | undefined;
  /** Folder with action.yml; the project's own when left out. */
  actionDirectory?: string | undefined;
  /** Folder to work in, which then stays after the run; a temporary one that goes when left out. */
  directory?: string | undefined;
  /** Called with each line of the log, masked, as it comes. */
  onLine?: ((line: string, step: "main" | "post") => void) | undefined;
}

export interface RunActionResult {
  conclusion: "success" | "failure" | "cancelled";
  exitCode: number;
  signal: NodeJS.Signals | undefined;
  /** Outputs as a later job gets them: one that holds a masked value is dropped. */
  outputs: Record<string, string>;
  /** Names of the outputs that were dropped. */
  droppedOutputs: string[];
  state: Record<string, string>;
  summary: string;
  exportedVariables: Record<string, string>;
  log: string;
  annotations: Annotation[];
  /** What the action itself asked to mask. */
  masks: string[];
  groups: string[];
  /** Breaches of the runner's rules: bad files, outdated commands, groups left open, inputs that are not in action.yml. */
  complaints: string[];
  /** Everything the action emitted, unmasked: both logs and all files it wrote, to search for secrets. */
  emitted: string;
  durationMs: number;
  /** undefined: post did not run. */
  postExitCode: number | undefined;
  postLog: string;
  postSummary: string;
  postAnnotations: Annotation[];
  postState: Record<string, string>;
}

interface StepResult {
  end: StepEnd;
  log: StepLog;
  files: StepFileContents;
}

interface Job {
  metadata: ActionMetadata;
  actionDirectory: string;
  environment: Record<string, string>;
  directory: string;
  workspace: string;
  masks: Masks;
  options: RunActionOptions;
}

async function runStep(
  job: Job,
  name: "main" | "post",
  script: string,
  env: Record<string, string>,
): Promise<StepResult> {
  const log = new StepLog(job.masks);
  const variables = makeStepFiles(path.join(job.directory, "files", name));
  const end = await runStepProcess({
    node: node24(projectRoot),
    script: path.join(job.actionDirectory, script),
    workingDirectory: job.workspace,
    environment: { ...job.environment, ...env, ...variables },
    onLine: (line) => {
      const shown = log.take(line);
      job.options.onLine?.(shown, name);
    },
    cancelAfter: name === "main" ? job.options.cancelAfter : undefined,
    cancelScale: job.options.cancelScale ?? 1,
    dieAfter: name === "main" ? job.options.dieAfter : undefined,
  });
  return { end, log, files: readStepFiles(variables, job.masks) };
}

/** `INPUT_*` of every input of action.yml: what was given, even if it is empty, else the default. */
function inputEnvironment(
  metadata: ActionMetadata,
  inputs: Record<string, string>,
  scope: ExpressionScope,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, { default: standard }] of Object.entries(metadata.inputs)) {
    variables[inputVariable(name)] = inputs[name] ?? interpolate(standard ?? "", scope);
  }
  for (const [name, value] of Object.entries(inputs)) variables[inputVariable(name)] = value;
  return variables;
}

function expressionScope(context: GithubContext, conclusion: RunActionResult["conclusion"]): ExpressionScope {
  return {
    contexts: {
      github: {
        server_url: context.serverUrl,
        api_url: context.apiUrl,
        repository: context.repository,
        run_id: context.runId,
        run_attempt: context.runAttempt,
        event_name: context.eventName,
        token: context.token,
      },
    },
    functions: {
      always: () => true,
      success: () => conclusion === "success",
      failure: () => conclusion === "failure",
      cancelled: () => conclusion === "cancelled",
    },
  };
}

function complaintsAbout(step: StepResult, name: string): string[] {
  // A process that was killed could not tidy up.
  const wasKilled = step.end.signal !== undefined;
  return [
    ...step.files.errors.map((error) => `${name}: ${error}`),
    ...step.log.outdatedCommands.map((command) => `${name}: the workflow command ${command} is outdated`),
    ...(step.log.unclosedGroups > 0 && !wasKilled ? [`${name}: ${step.log.unclosedGroups} groups were left open`] : []),
    ...(step.log.commandsStopped && !wasKilled ? [`${name}: workflow commands were left stopped`] : []),
  ];
}

function conclude({ end, files }: StepResult): RunActionResult["conclusion"] {
  if (end.cancelled) return "cancelled";
  return end.exitCode === 0 && files.errors.length === 0 ? "success" : "failure";
}

const emittedBy = ({ log, files }: StepResult): string[] => [...log.rawLines, ...Object.values(files.raw)];

/**
 * Runs a JavaScript action as the GitHub runner does: main with the inputs of action.yml, then post with main's state,
 * also after a failure or a cancel.
 * @throws where action.yml cannot be read or node cannot be started; what the action does wrong is in the result.
 */
export async function runAction(options: RunActionOptions): Promise<RunActionResult> {
  const actionDirectory = path.resolve(options.actionDirectory ?? projectRoot);
  const metadata = readActionMetadata(actionDirectory);
  const context = { ...defaultContext, ...options.context };
  const directory = options.directory ?? mkdtempSync(path.join(os.tmpdir(), "mini-runner-"));
  try {
    const directories = makeRunDirectories(directory);
    const masks = new Masks();
    for (const secret of [context.token, ...(options.secrets ?? [])]) masks.add(secret);
    const job: Job = {
      metadata,
      actionDirectory,
      directory,
      workspace: directories.workspace,
      masks,
      options,
      environment: {
        ...jobEnvironment(context, directories, actionDirectory),
        ...options.env,
        ...inputEnvironment(metadata, options.inputs, expressionScope(context, "success")),
      },
    };
    return await runMainAndPost(job, context);
  } finally {
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function runMainAndPost(job: Job, context: GithubContext): Promise<RunActionResult> {
  const { metadata, options, masks } = job;
  const main = await runStep(job, "main", metadata.runs.main, {});
  const conclusion = conclude(main);
  const wantsPost =
    metadata.runs.post !== undefined &&
    options.skipPost !== true &&
    Boolean(evaluate(metadata.runs["post-if"], expressionScope(context, conclusion)));
  const state = Object.fromEntries(Object.entries(main.files.state).map(([name, value]) => [`STATE_${name}`, value]));
  const post =
    wantsPost && metadata.runs.post !== undefined
      ? await runStep(job, "post", metadata.runs.post, { ...main.files.env, ...state })
      : undefined;
  const outputs = Object.entries(main.files.outputs);
  const unknown = Object.keys(options.inputs).filter((name) => metadata.inputs[name] === undefined);
  return {
    conclusion: conclusion === "success" && post !== undefined && post.end.exitCode !== 0 ? "failure" : conclusion,
    exitCode: main.end.exitCode,
    signal: main.end.signal,
    outputs: Object.fromEntries(outputs.filter(([, value]) => !masks.reveals(value))),
    droppedOutputs: outputs.filter(([, value]) => masks.reveals(value)).map(([name]) => name),
    state: main.files.state,
    summary: main.files.summary,
    exportedVariables: main.files.env,
    log: main.log.lines.join("\n"),
    annotations: main.log.annotations,
    masks: main.log.maskRequests,
    groups: main.log.groups,
    complaints: [
      ...unknown.map(
        (name) => `Unexpected input(s) '${name}', valid inputs are ${JSON.stringify(Object.keys(metadata.inputs))}`,
      ),
      ...complaintsAbout(main, "main"),
      ...(post === undefined ? [] : complaintsAbout(post, "post")),
    ],
    emitted: [...emittedBy(main), ...(post === undefined ? [] : emittedBy(post))].join("\n"),
    durationMs: main.end.durationMs,
    postExitCode: post?.end.exitCode,
    postLog: post?.log.lines.join("\n") ?? "",
    postSummary: post?.files.summary ?? "",
    postAnnotations: post?.log.annotations ?? [],
    postState: post?.files.state ?? {},
  };
}
