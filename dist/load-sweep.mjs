import { d as parseSweepRequest, w as sweep } from "./core.mjs";
import { t as nameInput } from "./inputs.mjs";
import { s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { c as sweepSummary } from "./summary.mjs";

// src/action/commands/sweep.ts
const prepare = (raw) => {
	const request = parseSweepRequest(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: request.timeoutMs,
		interleaved: false,
		async run(context) {
			const swept = await sweep(context, request);
			setOutputs([], swept.removed.length > 0 && !request.dryRun);
			return {
				summary: sweepSummary(swept, request.dryRun),
				failures: []
			};
		}
	};
};

export { prepare };