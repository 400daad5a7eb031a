import { F as readConfigIfThere, G as listGuests, N as isWholeTemplate, S as ownTag, T as targetOfTags, lt as manifestDigest, st as readNotes } from "./core.mjs";

// src/templates/list.ts
async function listTemplates(proxmox, request) {
	const rows = (await listGuests(proxmox)).filter((row) => row.tags.includes("kubehenge") && (request.pool === void 0 || row.pool === request.pool) && targetOfTags(row.tags) !== void 0);
	return (await Promise.all(rows.map((row) => readRow(proxmox, row)))).filter((row) => row !== void 0).sort((a, b) => a.target.name.localeCompare(b.target.name, "en", { numeric: true }) || a.vmid - b.vmid);
}
async function readRow(proxmox, row) {
	const target = targetOfTags(row.tags);
	if (!target) return void 0;
	const base = {
		target,
		vmid: row.vmid,
		node: row.node,
		pool: row.pool,
		tags: row.tags
	};
	let config;
	try {
		config = await readConfigIfThere(proxmox, row.node, row.vmid);
	} catch {
		return {
			...base,
			name: row.name,
			storage: void 0,
			state: "unreachable",
			manifest: void 0,
			digest: void 0
		};
	}
	if (!config?.template) return void 0;
	const manifest = readNotes(config.description)?.manifest;
	return {
		...base,
		name: config.name,
		storage: config.scsi0?.split(":")[0],
		state: isWholeTemplate(config) ? "template" : "broken",
		manifest,
		digest: manifest && manifestDigest(manifest)
	};
}

export { listTemplates as t };