import { a as parseSweepRequest } from "./upkeep-requests.mjs";
import { t as sweep } from "./sweep.mjs";
import { m as sweepSummary, n as withDefaultPool, s as setOutputs, x as nameInput } from "./action.mjs";

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