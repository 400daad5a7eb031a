import { t as planFleet } from "./fleet-plan.mjs";
import { m as parsePlanRequests } from "./core.mjs";
import { t as nameInput } from "./inputs.mjs";
import { o as setMatrix, t as withDefaultPool } from "./command.mjs";
import { a as planSummary } from "./summary.mjs";

// src/action/commands/plan.ts
const prepare = (raw) => {
	const requests = parsePlanRequests(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: requests[0]?.timeoutMs ?? 6e5,
		interleaved: false,
		async run(context) {
			const work = await planFleet(context, requests);
			setMatrix(work);
			return {
				summary: planSummary(work),
				failures: []
			};
		}
	};
};

export { prepare };