import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { FileCommandError, parseFileCommand, parsePathFile } from "./file-commands.ts";
import type { Masks } from "./masks.ts";

/** The runner takes no summary above this, and loses it whole. */
const summaryLimitBytes = 1024 * 1024;

const names = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH"] as const;

export interface StepFileContents {
  outputs: Record<string, string>;
  state: Record<string, string>;
  summary: string;
  env: Record<string, string>;
  path: string[];
  /** What the runner would fail the step for. */
  errors: string[];
  /** The files' bytes as the action left them, by variable name. */
  raw: Record<string, string>;
}

/** Makes the files that a step may write to; answers the variables that name them. */
export function makeStepFiles(directory: string): Record<string, string> {
  mkdirSync(directory, { recursive: true });
  return Object.fromEntries(
    names.map((name) => {
      const file = path.join(directory, name.toLowerCase());
      writeFileSync(file, "");
      return [name, file];
    }),
  );
}

/** Reads the files back after the step, as the runner does even after it had to kill the process. */
export function readStepFiles(variables: Record<string, string>, masks: Masks): StepFileContents {
  const errors: string[] = [];
  const raw = Object.fromEntries(
    names.map((name) => {
      const file = variables[name] ?? "";
      return [name, existsSync(file) ? readFileSync(file, "utf8") : ""];
    }),
  );
  const parsed = (name: (typeof names)[number]): Record<string, string> => {
    try {
      return parseFileCommand(raw[name] ?? "");
    } catch (error) {
      if (!(error instanceof FileCommandError)) throw error;
      errors.push(`Unable to process file command '${name}' successfully. ${error.message}`);
      return {};
    }
  };
  let summary = raw["GITHUB_STEP_SUMMARY"] ?? "";
  if (Buffer.byteLength(summary) > summaryLimitBytes) {
    errors.push(
      `$GITHUB_STEP_SUMMARY upload aborted, supports content up to a size of 1024k, got ${Buffer.byteLength(summary)} bytes`,
    );
    summary = "";
  }
  return {
    outputs: parsed("GITHUB_OUTPUT"),
    state: parsed("GITHUB_STATE"),
    env: parsed("GITHUB_ENV"),
    path: parsePathFile(raw["GITHUB_PATH"] ?? ""),
    summary: masks.hide(summary),
    errors,
    raw,
  };
}
