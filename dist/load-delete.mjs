import { b as deleteTemplate, s as parseDeleteRequest } from "./core.mjs";
import { t as nameInput } from "./inputs.mjs";
import { n as outputOfDeletion, s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { n as deleteSummary } from "./summary.mjs";

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