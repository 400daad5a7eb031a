import { t as pruneTemplates } from "./prune.mjs";
import { r as parsePruneRequest } from "./upkeep-requests.mjs";
import { t as upkeep } from "./upkeep2.mjs";

// src/cli/prune.ts
const prune = upkeep({
	parse: parsePruneRequest,
	run: pruneTemplates,
	lines(pruned, _request, reporter) {
		if (pruned.length === 0) reporter.note("Nothing is more than is to be kept");
		return pruned.map(line);
	}
});
function line({ title, vmid, node, why, result, because }) {
	return `${title}: VM ${vmid} on node ${node} ${result}${because ? ` (${because})` : ""}: ${why}`;
}

export { prune };