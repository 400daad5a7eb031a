import { error as annotate, info, setFailed } from "@actions/core";
import type { Failure } from "../failure/failure.ts";
import { logLine } from "./text.ts";

/** Fails the job with an annotation that says what happened, and what to do about it below it in the log. */
export function failJob(title: string, failure: Failure): void {
  annotate(
    logLine(`${failure.message}${failure.remedy.length > 0 ? `. What to do: ${failure.remedy.join("; ")}` : ""}`),
    { title: logLine(title) },
  );
  for (const line of failure.remedy) info(`  ${logLine(line)}`);
  for (const line of failure.evidence) info(`  | ${logLine(line)}`);
  process.exitCode = 1;
}

/** A defect of this product: its stack helps whoever mends it. */
export function failUnexpectedly(error: unknown): void {
  setFailed(error instanceof Error ? error : String(error));
  if (error instanceof Error && error.stack) info(error.stack.split("\n").map(logLine).join("\n"));
}
