import { t as listTemplates } from "./list.mjs";
import { n as parseListRequest } from "./upkeep-requests.mjs";
import { i as outputOfListed, n as withDefaultPool, s as setOutputs, u as listSummary, x as nameInput } from "./action.mjs";

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