import { l as parsePruneRequest, t as pruneTemplates } from "./core.mjs";
import { t as nameInput } from "./inputs.mjs";
import { s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { o as pruneSummary } from "./summary.mjs";

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