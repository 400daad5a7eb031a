import { t as deleteTemplate } from "./delete.mjs";
import { t as parseDeleteRequest } from "./upkeep-requests.mjs";
import { c as deleteSummary, r as outputOfDeletion, s as setOutputs } from "./action.mjs";
import { t as upkeep } from "./upkeep.mjs";

// src/action/commands/delete.ts
const prepare = upkeep({
	parse: parseDeleteRequest,
	run: deleteTemplate,
	setOutputs: (deletions) => setOutputs(deletions.map(outputOfDeletion), deletions.some(({ deleted }) => deleted)),
	summary: deleteSummary
});

export { prepare };