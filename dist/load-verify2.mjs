import { o as parseVerifyRequest } from "./upkeep-requests.mjs";
import { t as verifyTemplate } from "./verify.mjs";
import { c as outputFormat, l as rawInputs, o as plain, s as nameOption, t as doWork } from "./command-line.mjs";

// src/cli/verify.ts
const verify = (distribution, options) => doWork(() => work(distribution, options));
function work(distribution, options) {
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

export { verify };