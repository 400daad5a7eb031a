import { t as deleteTemplate } from "./delete.mjs";
import { t as parseDeleteRequest } from "./upkeep-requests.mjs";
import { c as deleteSummary, n as withDefaultPool, r as outputOfDeletion, s as setOutputs, x as nameInput } from "./action.mjs";

// src/action/commands/delete.ts
const prepare = (raw) => {
	const request = parseDeleteRequest(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: request.timeoutMs,
		interleaved: false,
		async run(context) {
			const deletions = await deleteTemplate(context, request);
			setOutputs(deletions.map(outputOfDeletion), deletions.some(({ deleted }) => deleted));
			return {
				summary: deleteSummary(deletions),
				failures: []
			};
		}
	};
};

export { prepare };