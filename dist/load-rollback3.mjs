import { t as rollback } from "./rollback.mjs";
import { i as parseRollbackRequest } from "./upkeep-requests.mjs";
import { t as upkeep } from "./upkeep2.mjs";

// src/cli/rollback.ts
const rollBack = upkeep({
	parse: parseRollbackRequest,
	run: rollback,
	lines: (result) => [line(result)]
});
function line({ target, to, from, done }) {
	const verb = done ? "is" : "would be";
	return `${target.title}: VM ${to.vmid} on node ${to.node} (build ${to.build} of ${to.created}) ${verb} the template again${from ? `; VM ${from.vmid} on node ${from.node} ${verb} retired` : ""}`;
}

export { rollBack };