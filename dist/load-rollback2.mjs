import { n as rollback, u as parseRollbackRequest } from "./core.mjs";
import { n as outputFormat } from "./create.mjs";
import { i as rawInputs, n as plain, r as nameOption } from "./text.mjs";

// src/cli/rollback.ts
function rollbackWork(distribution, options) {
	const raw = rawInputs(distribution, options);
	const request = parseRollbackRequest(raw, nameOption);
	const output = outputFormat(options);
	return {
		options,
		raw,
		timeoutMs: request.timeoutMs,
		writes: !request.dryRun,
		async run(context) {
			const result = await rollback(context, request);
			return { result: output === "json" ? JSON.stringify(result, void 0, 2) : plain(line(result)) };
		}
	};
}
function line({ target, to, from, done }) {
	const verb = done ? "is" : "would be";
	return `${target.title}: VM ${to.vmid} on node ${to.node} (build ${to.build} of ${to.created}) ${verb} the template again${from ? `; VM ${from.vmid} on node ${from.node} ${verb} retired` : ""}`;
}

export { rollbackWork };