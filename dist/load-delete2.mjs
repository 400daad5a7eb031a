import { b as deleteTemplate, s as parseDeleteRequest } from "./core.mjs";
import { n as outputFormat } from "./create.mjs";
import { i as rawInputs, n as plain, r as nameOption } from "./text.mjs";

// src/cli/delete.ts
function deleteWork(distribution, options) {
	const raw = rawInputs(distribution, options);
	const request = parseDeleteRequest(raw, nameOption);
	const output = outputFormat(options);
	return {
		options,
		raw,
		timeoutMs: request.timeoutMs,
		writes: !request.dryRun,
		async run(context) {
			const deletions = await deleteTemplate(context, request);
			return { result: output === "json" ? JSON.stringify(deletions, void 0, 2) : deletions.map((one) => plain(line(one))).join("\n") };
		}
	};
}
function line({ title, what, vmid, node, name, deleted }) {
	return `${title}: ${what} ${name} (VM ${vmid} on node ${node}) ${deleted ? "deleted" : "would be deleted"}`;
}

export { deleteWork };