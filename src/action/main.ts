import { info, summary, warning } from "@actions/core";
import { Failure } from "../failure/failure.ts";
import { sayRemains } from "../shell/remains.ts";
import { withSession } from "../shell/session.ts";
import { onSignals, withDeadline } from "../shell/signals.ts";
import { failJob, failUnexpectedly } from "./failures.ts";
import { readInputs } from "./inputs.ts";
import { stateJournal } from "./journal.ts";
import { actionReporter } from "./reporter.ts";
import { prepareCommand, runIdentity } from "./run.ts";
import { failureSummary } from "./summary.ts";

const journal = stateJournal();
const interruption = onSignals((exitCode) => {
  for (const line of sayRemains(journal.open)) info(line);
  process.exit(exitCode);
});

try {
  const inputs = readInputs(process.env);
  const command = await prepareCommand(inputs);
  const end = await withSession(
    {
      connection: inputs.connection,
      upstreams: inputs.upstreams,
      environment: process.env,
      signal: withDeadline(interruption.signal, command.timeoutMs, "the input timeout"),
      reporter: actionReporter({ interleaved: command.interleaved }),
      journal,
      run: runIdentity(process.env),
    },
    (context) => command.run(context),
  );
  await write(end.summary);
  for (const { title, failure } of end.failures) failJob(title, failure);
} catch (error) {
  if (error instanceof Failure) {
    failJob("kubehenge templates", error);
    await write(failureSummary(error));
  } else failUnexpectedly(error);
} finally {
  interruption.stop();
}
process.exitCode = interruption.exitCode() ?? process.exitCode ?? 0;

/** A summary that cannot be written must not fail what has been done. */
async function write(text: string): Promise<void> {
  if (!process.env["GITHUB_STEP_SUMMARY"]) return;
  await summary
    .addRaw(text)
    .write()
    .catch((error: Error) => warning(`The job summary could not be written: ${error.message}`));
}
