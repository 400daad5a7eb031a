import { t as deleteTemplate } from "./delete.mjs";
import { t as parseDeleteRequest } from "./upkeep-requests.mjs";
import { t as upkeep } from "./upkeep2.mjs";

// src/cli/delete.ts
const deleteTemplates = upkeep({
	parse: parseDeleteRequest,
	run: deleteTemplate,
	lines: (deletions) => deletions.map(line)
});
function line({ title, what, vmid, node, name, deleted }) {
	return `${title}: ${what} ${name} (VM ${vmid} on node ${node}) ${deleted ? "deleted" : "would be deleted"}`;
}

export { deleteTemplates };