import { f as parseVerifyRequest } from "./core.mjs";
import { t as verifyTemplate } from "./verify.mjs";
import { t as nameInput } from "./inputs.mjs";
import { a as outputOfTemplate, s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { l as verifySummary } from "./summary.mjs";

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