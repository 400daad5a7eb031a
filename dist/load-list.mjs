import { c as parseListRequest, y as listTemplates } from "./core.mjs";
import { t as nameInput } from "./inputs.mjs";
import { r as outputOfListed, s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { i as listSummary } from "./summary.mjs";

// src/action/commands/list.ts
const prepare = (raw) => {
	const request = parseListRequest(withDefaultPool(raw), nameInput);
	return {
		timeoutMs: 6e5,
		interleaved: false,
		async run({ proxmox }) {
			const rows = await listTemplates(proxmox, request);
			setOutputs(rows.map(outputOfListed), false);
			return {
				summary: listSummary(rows),
				failures: []
			};
		}
	};
};

export { prepare };