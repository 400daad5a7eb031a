import { t as pruneTemplates } from "./prune.mjs";
import { r as parsePruneRequest } from "./upkeep-requests.mjs";
import { f as pruneSummary, n as withDefaultPool, s as setOutputs, x as nameInput } from "./action.mjs";

// src/action/commands/prune.ts
const prepare = (raw) => {
	const request = parsePruneRequest(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: request.timeoutMs,
		interleaved: false,
		async run(context) {
			const pruned = await pruneTemplates(context, request);
			setOutputs([], pruned.some(({ result }) => result === "deleted"));
			return {
				summary: pruneSummary(pruned),
				failures: []
			};
		}
	};
};

export { prepare };