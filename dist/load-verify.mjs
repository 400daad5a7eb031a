import { o as parseVerifyRequest } from "./upkeep-requests.mjs";
import { t as verifyTemplate } from "./verify.mjs";
import { a as outputOfTemplate, h as verifySummary, n as withDefaultPool, s as setOutputs, x as nameInput } from "./action.mjs";

// src/action/commands/verify.ts
const prepare = (raw) => {
	const request = parseVerifyRequest(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: request.timeoutMs,
		interleaved: false,
		async run(context) {
			const verified = await verifyTemplate(context, request);
			setOutputs([outputOfTemplate(verified.target, verified.template, true)], false);
			return {
				summary: verifySummary(verified),
				failures: []
			};
		}
	};
};

export { prepare };