import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Masks } from "./masks.ts";
import { makeStepFiles, readStepFiles } from "./step-files.ts";

export interface ShellStep {
  script: string;
  /** A folder for the script and the step's files. */
  directory: string;
  workspace: string;
  environment: Record<string, string>;
  masks: Masks;
}

export interface ShellStepEnd {
  exitCode: number;
  log: string;
  outputs: Record<string, string>;
  summary: string;
}

/** Runs a `run:` step as the runner does for `shell: bash`: `bash --noprofile --norc -eo pipefail FILE`. */
export async function runShellStep({
  script,
  directory,
  workspace,
  environment,
  masks,
}: ShellStep): Promise<ShellStepEnd> {
  const variables = makeStepFiles(directory);
  const file = path.join(directory, "script.sh");
  writeFileSync(file, script);
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], {
    cwd: workspace,
    env: { ...environment, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (log += text));
  const [code] = (await once(child, "close")) as [number | null];
  const files = readStepFiles(variables, masks);
  return {
    exitCode: files.errors.length > 0 ? 1 : (code ?? 1),
    log: masks.hide(log),
    outputs: files.outputs,
    summary: files.summary,
  };
}
