import { i as parseRollbackRequest } from "./upkeep-requests.mjs";
import { t as rollback } from "./rollback.mjs";
import { p as rollbackSummary, s as setOutputs } from "./action.mjs";
import { t as upkeep } from "./upkeep.mjs";

// src/action/commands/rollback.ts
const prepare = upkeep({
	parse: parseRollbackRequest,
	run: rollback,
	setOutputs: ({ to, target, done }) => setOutputs([{
		vmid: to.vmid,
		node: to.node,
		name: target.name
	}], done),
	summary: rollbackSummary
});

export { prepare };