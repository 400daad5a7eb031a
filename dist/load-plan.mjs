import { t as planFleet } from "./fleet-plan.mjs";
import { a as parsePlanRequests } from "./core.mjs";
import { d as planSummary, n as withDefaultPool, o as setMatrix, x as nameInput } from "./action.mjs";

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