import { info, warning } from "@actions/core";
import { withSession } from "../shell/session.ts";
import { removalCommands, sayRemnant } from "../templates/remnant.ts";
import { readConnection } from "./inputs.ts";
import { readState, stateJournal } from "./journal.ts";
import { actionReporter } from "./reporter.ts";
import { runIdentity } from "./run.ts";
import { logLine } from "./text.ts";
import { removeRemnant } from "../templates/remove-remnant.ts";

/** Milliseconds that cleaning up after a cancelled or killed main step may take. */
const boundMs = 90_000;

try {
  const remnants = readState();
  if (remnants.length > 0) {
    const reporter = actionReporter({ interleaved: false });
    const session = {
      connection: readConnection(),
      upstreams: {},
      environment: process.env,
      signal: AbortSignal.timeout(boundMs),
      reporter,
      journal: stateJournal(),
      run: runIdentity(process.env),
    };
    await withSession(session, async ({ proxmox }) => {
      for (const remnant of remnants.toReversed()) {
        try {
          const end = await removeRemnant(proxmox, remnant);
          info(
            logLine(
              `${sayRemnant(remnant)}: ${{ removed: "removed", absent: "already gone", "not-ours": "left alone, it is not this run's" }[end]}`,
            ),
          );
        } catch (error) {
          warning(
            logLine(
              `${sayRemnant(remnant)} could not be removed: ${(error as Error).message}. By hand: ${removalCommands(remnant).join("; ")}`,
            ),
            { title: "Left behind" },
          );
        }
      }
    });
  }
} catch (error) {
  // The job's result is the main step's; cleaning up never changes it.
  warning(logLine(`Cleaning up failed: ${(error as Error).message}`), { title: "Left behind" });
}
process.exitCode = 0;
