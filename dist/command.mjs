import { c as setOutput } from "./actions-core.mjs";
import path from "node:path";

// src/action/outputs.ts
function outputOfOutcome({ target, template, result }) {
	return outputOfTemplate(target, template, result === "reused");
}
function outputOfTemplate(target, template, reused) {
	return {
		distribution: target.distribution,
		version: target.version,
		ubuntuRelease: target.ubuntuRelease ?? "",
		vmid: template?.vmid ?? "",
		node: template?.node ?? "",
		storage: template?.storage ?? "",
		name: template?.name ?? target.name,
		tags: target.tags.join(";"),
		created: template?.manifest?.created ?? "",
		reused,
		digest: template?.digest ?? "",
		image: template?.manifest?.image.url ?? ""
	};
}
function outputOfListed(row) {
	return {
		distribution: row.target.distribution,
		version: row.target.version,
		ubuntuRelease: row.target.ubuntuRelease ?? "",
		vmid: row.vmid,
		node: row.node,
		storage: row.storage ?? "",
		name: row.name ?? "",
		tags: row.tags.join(";"),
		created: row.manifest?.created ?? "",
		reused: true,
		digest: row.digest ?? "",
		image: row.manifest?.image.url ?? ""
	};
}
function outputOfDeletion(deletion) {
	return {
		vmid: deletion.vmid,
		node: deletion.node,
		name: deletion.name
	};
}
function setOutputs(templates, changed) {
	setOutput("templates", JSON.stringify(templates));
	setOutput("changed", String(changed));
	setOutput("count", String(templates.length));
	const [only] = templates;
	if (templates.length !== 1 || !only) return;
	for (const name of [
		"vmid",
		"node",
		"name",
		"tags",
		"version",
		"digest"
	]) if (name in only) setOutput(name, String(only[name]));
}
function setSbom(files) {
	const [only] = files;
	if (only) setOutput("sbom", files.length === 1 ? only.file : path.dirname(only.file));
}
function setMatrix(work) {
	setOutput("matrix", JSON.stringify(work));
	setOutput("has-work", String(work.length > 0));
	setOutput("changed", "false");
	setOutput("count", String(work.length));
}

// src/action/commands/command.ts
function withDefaultPool(raw) {
	return {
		...raw,
		pool: raw["pool"] || void 0
	};
}

export { outputOfTemplate as a, setSbom as c, outputOfOutcome as i, outputOfDeletion as n, setMatrix as o, outputOfListed as r, setOutputs as s, withDefaultPool as t };