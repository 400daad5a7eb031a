import { o as parseVerifyRequest } from "./upkeep-requests.mjs";
import { t as verifyTemplate } from "./verify.mjs";
import { a as outputOfTemplate, h as verifySummary, s as setOutputs } from "./action.mjs";
import { t as upkeep } from "./upkeep.mjs";

// src/action/commands/verify.ts
const prepare = upkeep({
	parse: parseVerifyRequest,
	run: verifyTemplate,
	setOutputs: ({ target, template }) => setOutputs([outputOfTemplate(target, template, true)], false),
	summary: verifySummary
});

export { prepare };