import { hostname } from "node:os";
import { Failure } from "../failure/failure.ts";
import { sayRemains } from "../shell/remains.ts";
import { withSession } from "../shell/session.ts";
import { onSignals, withDeadline } from "../shell/signals.ts";
import type { Context } from "../templates/context.ts";
import type { RawInputs } from "../templates/request-inputs.ts";
import { exitCodes } from "./exit-codes.ts";
import { readConnection, readUpstreams, type Options } from "./inputs.ts";
import { terminalReporter, type TerminalReporter } from "./reporter.ts";
import { fileJournal, isAnythingLeft } from "./state.ts";
import { plain } from "./text.ts";

/** What a command came to: the text for stdout, and its exit code. */
export interface CommandEnd {
  result: string;
  failures?: readonly Failure[];
}

export interface Work {
  options: Options;
  raw: RawInputs;
  timeoutMs: number;
  /** Whether it changes anything, so that what earlier runs left is removed first. */
  writes: boolean;
  run(context: Context): Promise<CommandEnd>;
}

/** Does a command's work and ends with its exit code: the result on stdout, everything else on stderr. */
export async function doWork(prepare: () => Work): Promise<void> {
  const reporter = terminalReporter({
    write: (text) => process.stderr.write(text),
    isTTY: process.stderr.isTTY,
    // A terminal of unknown size says 0.
    columns: process.stderr.columns || 80,
    color: process.stderr.isTTY && !process.env["NO_COLOR"],
  });
  try {
    const work = prepare();
    const connection = await readConnection(work.options, process.env);
    const run = `${hostname()}-${process.pid}-${Date.now().toString(36)}`;
    const journal = fileJournal(process.env, run, connection.origin);
    const interruption = onSignals((exitCode) => {
      reporter.clear();
      for (const line of sayRemains(journal.open)) process.stderr.write(`${plain(line)}\n`);
      process.exit(exitCode);
    });
    try {
      const end = await withSession(
        {
          connection,
          upstreams: readUpstreams(work.raw, process.env),
          environment: process.env,
          signal: withDeadline(interruption.signal, work.timeoutMs, "--timeout MINUTES"),
          reporter,
          journal,
          run: { id: run },
        },
        async (context) => {
          if (work.writes && isAnythingLeft(process.env))
            await (await import("./left-journals.ts")).settleLeftJournals(context, process.env);
          return await work.run(context);
        },
      );
      reporter.clear();
      if (end.result) process.stdout.write(end.result.endsWith("\n") ? end.result : `${end.result}\n`);
      for (const failure of end.failures ?? []) tell(failure, reporter);
      process.exitCode = interruption.exitCode() ?? (end.failures?.[0] ? exitCodes[end.failures[0].kind] : 0);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      tell(error, reporter);
      process.exitCode = interruption.exitCode() ?? exitCodes[error.kind];
    } finally {
      interruption.stop();
    }
  } catch (error) {
    reporter.clear();
    if (!(error instanceof Failure)) throw error;
    tell(error, reporter);
    process.exitCode = exitCodes[error.kind];
  }
}

function tell(failure: Failure, reporter: TerminalReporter): void {
  reporter.clear();
  const lines = [
    `error: ${plain(failure.message)}`,
    ...failure.remedy.map((line) => `  -> ${plain(line)}`),
    ...failure.evidence.map((line) => `  | ${plain(line)}`),
  ];
  process.stderr.write(`${lines.join("\n")}\n`);
}
