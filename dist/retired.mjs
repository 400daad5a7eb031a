import { E as ubuntuTarget, F as readConfigIfThere, N as isWholeTemplate, b as kubeadmTarget, st as readNotes, v as distributions, w as talosTarget, x as onNode } from "./core.mjs";

// src/templates/retired.ts
const retiredTag = "kubehenge-retired";
function retiredTags(manifest) {
	return [`kubehenge-build-${manifest.build}`, retiredTag];
}
function targetOfManifest(manifest) {
	const general = generalTarget(manifest);
	return general && manifest.node !== void 0 ? onNode(general, manifest.node) : general;
}
function generalTarget({ distribution, version, ubuntuRelease }) {
	if (!(distribution in distributions)) return void 0;
	if (distribution === "talos") return talosTarget(version);
	if (distribution === "kubeadm") return ubuntuRelease === void 0 ? void 0 : kubeadmTarget(version, ubuntuRelease);
	return ubuntuTarget(distribution, version);
}
async function readRetired(proxmox, guests, pool) {
	const rows = guests.filter((row) => row.tags.includes("kubehenge-retired") && (pool === void 0 || row.pool === pool));
	return (await Promise.all(rows.map((row) => readOne(proxmox, row)))).filter((one) => one !== void 0).sort((a, b) => b.manifest.created.localeCompare(a.manifest.created));
}
async function readOne(proxmox, row) {
	const config = await readConfigIfThere(proxmox, row.node, row.vmid);
	const manifest = config && readNotes(config.description)?.manifest;
	const target = manifest && targetOfManifest(manifest);
	return config && manifest && target && isWholeTemplate(config) ? {
		row,
		config,
		manifest,
		target
	} : void 0;
}

export { retiredTags as n, targetOfManifest as r, readRetired as t };