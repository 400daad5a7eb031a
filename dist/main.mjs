import { C as readInputs, D as info, O as warning, T as failUnexpectedly, _ as runIdentity, b as stateJournal, g as prepareCommand, k as summary, l as failureSummary, v as actionReporter, w as failJob } from "./action.mjs";
import { _t as withSession, gt as withDeadline, ht as onSignals, kt as sayRemains, un as Failure } from "./core.mjs";

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