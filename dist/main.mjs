import { a as info, d as warning, f as summary, n as error, s as setFailed } from "./actions-core.mjs";
import { J as withSession, K as onSignals, Kt as Failure, et as sayRemains, q as withDeadline } from "./core.mjs";
import { r as readInputs, s as logLine } from "./inputs.mjs";
import { a as stateJournal, n as runIdentity, r as actionReporter, t as prepareCommand } from "./run.mjs";
import { r as failureSummary } from "./summary.mjs";

// src/action/failures.ts
function failJob(title, failure) {
	error(logLine(`${failure.message}${failure.remedy.length > 0 ? `. What to do: ${failure.remedy.join("; ")}` : ""}`), { title: logLine(title) });
	for (const line of failure.remedy) info(`  ${logLine(line)}`);
	for (const line of failure.evidence) info(`  | ${logLine(line)}`);
	process.exitCode = 1;
}
function failUnexpectedly(error) {
	setFailed(error instanceof Error ? error : String(error));
	if (error instanceof Error && error.stack) info(error.stack.split("\n").map(logLine).join("\n"));
}

// src/action/main.ts
const journal = stateJournal();
const interruption = onSignals((exitCode) => {
	for (const line of sayRemains(journal.open)) info(line);
	process.exit(exitCode);
});
try {
	const inputs = readInputs(process.env);
	const command = await prepareCommand(inputs);
	const end = await withSession({
		connection: inputs.connection,
		upstreams: inputs.upstreams,
		environment: process.env,
		signal: withDeadline(interruption.signal, command.timeoutMs, "the input timeout"),
		reporter: actionReporter({ interleaved: command.interleaved }),
		journal,
		run: runIdentity(process.env)
	}, (context) => command.run(context));
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
async function write(text) {
	if (!process.env["GITHUB_STEP_SUMMARY"]) return;
	await summary.addRaw(text).write().catch((error) => warning(`The job summary could not be written: ${error.message}`));
}

export {  };