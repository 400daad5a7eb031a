import { t as pruneTemplates } from "./prune.mjs";
import { r as parsePruneRequest } from "./upkeep-requests.mjs";
import { f as pruneSummary, s as setOutputs } from "./action.mjs";
import { t as upkeep } from "./upkeep.mjs";

// src/action/commands/prune.ts
const prepare = upkeep({
	parse: parsePruneRequest,
	run: pruneTemplates,
	setOutputs: (pruned) => setOutputs([], pruned.some(({ result }) => result === "deleted")),
	summary: pruneSummary
});

export { prepare };