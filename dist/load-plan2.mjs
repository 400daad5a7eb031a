import { t as planFleet } from "./fleet-plan.mjs";
import { a as parsePlanRequests } from "./core.mjs";
import { c as outputFormat, l as rawInputs, o as plain, s as nameOption, t as doWork } from "./command-line.mjs";

// src/cli/plan.ts
const plan = (distributions, options) => doWork(() => work(distributions, options));
function work(distributions, options) {
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
			const planned = await planFleet(context, requests);
			if (planned.length === 0) context.reporter.note("Nothing to build");
			return { result: output === "json" ? JSON.stringify(planned) : planned.map((one) => plain([
				one.distribution,
				one.versions,
				one["ubuntu-release"],
				one.node,
				one.why
			].filter(Boolean).join("  "))).join("\n") };
		}
	};
}

export { plan };