import { i as parseRollbackRequest } from "./upkeep-requests.mjs";
import { t as rollback } from "./rollback.mjs";
import { n as withDefaultPool, p as rollbackSummary, s as setOutputs, x as nameInput } from "./action.mjs";

// src/action/commands/rollback.ts
const prepare = (raw) => {
	const request = parseRollbackRequest(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: request.timeoutMs,
		interleaved: false,
		async run(context) {
			const result = await rollback(context, request);
			setOutputs([{
				vmid: result.to.vmid,
				node: result.to.node,
				name: result.target.name
			}], result.done);
			return {
				summary: rollbackSummary(result),
				failures: []
			};
		}
	};
};

export { prepare };