import { un as Failure } from "./core.mjs";
import { t as listTemplates } from "./list.mjs";
import { n as parseListRequest } from "./upkeep-requests.mjs";
import { a as columns, l as rawInputs, o as plain, s as nameOption, t as doWork } from "./command-line.mjs";

// src/cli/list.ts
const formats = {
	table,
	wide,
	json,
	capmox
};
const list = (options) => doWork(() => work(options));
function work(options) {
	const format = formats[String(options["output"])];
	if (!format) throw new Failure("usage", `-o is one of ${Object.keys(formats).join(", ")}, not ${JSON.stringify(options["output"])}`);
	const raw = rawInputs(void 0, options);
	const request = parseListRequest(raw, nameOption);
	return {
		options,
		raw,
		timeoutMs: 6e5,
		writes: false,
		async run({ proxmox, reporter }) {
			const rows = await listTemplates(proxmox, request);
			if (rows.length === 0) reporter.note(`No template ${request.pool === void 0 ? "in any pool" : `in pool ${request.pool}`} that the token may see (VM.Audit)`);
			return { result: rows.length === 0 && format !== json ? "" : format(rows) };
		}
	};
}
function table(rows) {
	return columns([[
		"TEMPLATE",
		"VMID",
		"NODE",
		"STATE"
	], ...rows.map((row) => [
		row.target.title,
		String(row.vmid),
		row.node,
		row.state
	].map(plain))]);
}
function wide(rows) {
	return columns([[
		"TEMPLATE",
		"VMID",
		"NODE",
		"STATE",
		"POOL",
		"STORAGE",
		"MADE",
		"DIGEST",
		"TAGS"
	], ...rows.map((row) => [
		row.target.title,
		String(row.vmid),
		row.node,
		row.state,
		row.pool ?? "-",
		row.storage ?? "-",
		row.manifest?.created ?? "-",
		row.digest?.slice(0, 19) ?? "-",
		row.tags.join(";")
	].map(plain))]);
}
function json(rows) {
	return JSON.stringify(rows.map(({ target, manifest, ...row }) => ({
		distribution: target.distribution,
		version: target.version,
		ubuntuRelease: target.ubuntuRelease,
		...row,
		created: manifest?.created,
		image: manifest?.image.url,
		manifest
	})), void 0, 2);
}
function capmox(rows) {
	return rows.filter(({ state }) => state === "template").map((row) => plainLines([
		`# ${row.target.title}: VM ${row.vmid} on node ${row.node}`,
		"templateSelector:",
		"  matchTags:",
		...row.tags.map((tag) => `    - ${tag}`)
	])).join("\n");
}
function plainLines(lines) {
	return lines.map((line) => line.replace(/[^\x20-\x7e]/g, "")).join("\n");
}

export { list };