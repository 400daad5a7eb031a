import { n as rollback, u as parseRollbackRequest } from "./core.mjs";
import { t as nameInput } from "./inputs.mjs";
import { s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { s as rollbackSummary } from "./summary.mjs";

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