import { f as parseVerifyRequest } from "./core.mjs";
import { t as verifyTemplate } from "./verify.mjs";
import { n as outputFormat } from "./create.mjs";
import { i as rawInputs, n as plain, r as nameOption } from "./text.mjs";

// src/cli/verify.ts
function verifyWork(distribution, options) {
	const raw = {
		...rawInputs(distribution, options),
		pin: options["digest"] === void 0 ? void 0 : String(options["digest"])
	};
	const request = parseVerifyRequest(raw, (input) => input === "pin" ? "--digest" : nameOption(input));
	const output = outputFormat(options);
	return {
		options,
		raw,
		timeoutMs: request.timeoutMs,
		writes: request.protect !== void 0,
		async run(context) {
			const { target, template, pinned } = await verifyTemplate(context, request);
			if (output === "json") return { result: JSON.stringify({
				title: target.title,
				vmid: template.vmid,
				node: template.node,
				digest: template.digest,
				protected: pinned
			}, void 0, 2) };
			return { result: plain(`${target.title}: VM ${template.vmid} on node ${template.node} is the pinned one (${template.digest})${pinned ? ", protected" : ""}`) };
		}
	};
}

export { verifyWork };