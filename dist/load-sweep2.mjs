import { a as parseSweepRequest } from "./upkeep-requests.mjs";
import { t as sweep } from "./sweep.mjs";
import { m as sweepSummary, s as setOutputs } from "./action.mjs";
import { t as upkeep } from "./upkeep.mjs";

// src/action/commands/sweep.ts
const prepare = upkeep({
	parse: parseSweepRequest,
	run: sweep,
	setOutputs: ({ removed }, { dryRun }) => setOutputs([], removed.length > 0 && !dryRun),
	summary: (swept, { dryRun }) => sweepSummary(swept, dryRun)
});

export { prepare };