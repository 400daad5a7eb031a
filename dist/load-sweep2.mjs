import { $ as sayLeft, d as parseSweepRequest, w as sweep } from "./core.mjs";
import { n as outputFormat } from "./create.mjs";
import { i as rawInputs, n as plain, r as nameOption } from "./text.mjs";

// src/cli/sweep.ts
function sweepWork(options) {
	const raw = rawInputs(void 0, options);
	const request = parseSweepRequest(raw, nameOption);
	const output = outputFormat(options);
	return {
		options,
		raw,
		timeoutMs: request.timeoutMs,
		writes: !request.dryRun,
		async run(context) {
			const swept = await sweep(context, request);
			for (const line of sayLeft(swept.left)) context.reporter.note(line);
			if (swept.removed.length === 0 && swept.left.length === 0) context.reporter.note("Nothing has outlived its lease");
			const done = request.dryRun ? "would be removed" : "removed";
			return { result: output === "json" ? JSON.stringify(swept, void 0, 2) : swept.removed.map(({ what }) => plain(`${what}: ${done}`)).join("\n") };
		}
	};
}

export { sweepWork };