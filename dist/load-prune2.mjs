import { l as parsePruneRequest, t as pruneTemplates } from "./core.mjs";
import { n as outputFormat } from "./create.mjs";
import { i as rawInputs, n as plain, r as nameOption } from "./text.mjs";

// src/cli/prune.ts
function pruneWork(distribution, options) {
	const raw = rawInputs(distribution, options);
	const request = parsePruneRequest(raw, nameOption);
	const output = outputFormat(options);
	return {
		options,
		raw,
		timeoutMs: request.timeoutMs,
		writes: !request.dryRun,
		async run(context) {
			const pruned = await pruneTemplates(context, request);
			if (pruned.length === 0) context.reporter.note("Nothing is more than is to be kept");
			return { result: output === "json" ? JSON.stringify(pruned, void 0, 2) : pruned.map((one) => plain(line(one))).join("\n") };
		}
	};
}
function line({ title, vmid, node, why, result, because }) {
	return `${title}: VM ${vmid} on node ${node} ${result}${because ? ` (${because})` : ""}: ${why}`;
}

export { pruneWork };