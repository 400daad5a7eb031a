import { t as planFleet } from "./fleet-plan.mjs";
import { m as parsePlanRequests } from "./core.mjs";
import { n as outputFormat } from "./create.mjs";
import { i as rawInputs, n as plain, r as nameOption } from "./text.mjs";

// src/cli/plan.ts
function planWork(distributions, options) {
	const [only] = distributions;
	const raw = {
		...rawInputs(distributions.length === 1 ? only : void 0, options),
		distribution: distributions.join(",")
	};
	const requests = parsePlanRequests(raw, nameOption);
	const output = outputFormat(options);
	return {
		options,
		raw,
		timeoutMs: requests[0]?.timeoutMs ?? 6e5,
		writes: false,
		async run(context) {
			const work = await planFleet(context, requests);
			if (work.length === 0) context.reporter.note("Nothing to build");
			return { result: output === "json" ? JSON.stringify(work) : work.map((one) => plain([
				one.distribution,
				one.versions,
				one["ubuntu-release"],
				one.node,
				one.why
			].filter(Boolean).join("  "))).join("\n") };
		}
	};
}

export { planWork };