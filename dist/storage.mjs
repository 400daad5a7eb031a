import { $ as upidSchema, Gt as optional, It as array, Pt as number$1, Qt as transform, Ut as number, Vt as nullable, Wt as object, Zt as string, bt as ProxmoxError, qt as pipe, tt as flag, vt as apiPath } from "./core.mjs";

// src/proxmox/storage.ts
const storageRow = () => object({
	storage: string(),
	type: string(),
	content: pipe(string(), transform((text) => text.split(",").sort())),
	shared: flag(0),
	enabled: flag(1),
	active: flag(1),
	avail: optional(number())
});
async function listStorages(proxmox, node) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/storage`,
		schema: array(storageRow())
	})).map((row) => ({
		name: row.storage,
		type: row.type,
		content: row.content,
		shared: row.shared,
		usable: row.enabled && row.active,
		availBytes: row.avail
	})).sort((a, b) => a.name.localeCompare(b.name));
}
const fileTypes = /* @__PURE__ */ new Set([
	"dir",
	"btrfs",
	"nfs",
	"cifs",
	"cephfs",
	"glusterfs"
]);
function takesFormat(storage) {
	return fileTypes.has(storage.type);
}
const volumeRow = () => object({
	volid: string(),
	size: optional(number()),
	ctime: optional(number()),
	vmid: optional(number$1())
});
async function listVolumes(proxmox, node, storage, content) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/storage/${storage}/content`,
		parameters: { content },
		schema: array(volumeRow())
	})).map((row) => ({
		id: row.volid,
		sizeBytes: row.size,
		created: row.ctime
	}));
}
async function downloadImage(proxmox, node, storage, download) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/storage/${storage}/download-url`,
		parameters: {
			content: "import",
			filename: download.fileName,
			url: download.url,
			checksum: download.sha256,
			"checksum-algorithm": download.sha256 ? "sha256" : void 0
		},
		schema: upidSchema
	});
}
async function uploadIso(proxmox, node, storage, iso) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/storage/${storage}/upload`,
		parameters: {
			content: "iso",
			"checksum-algorithm": "sha256",
			checksum: iso.sha256
		},
		upload: {
			fileName: iso.fileName,
			bytes: iso.bytes
		},
		schema: upidSchema
	});
}
async function deleteVolume(proxmox, node, volume) {
	const storage = volume.slice(0, volume.indexOf(":"));
	try {
		return await proxmox.call({
			method: "DELETE",
			path: apiPath`/nodes/${node}/storage/${storage}/content/${volume}`,
			parameters: { delay: 30 },
			schema: nullable(upidSchema)
		}) ?? void 0;
	} catch (error) {
		if (error instanceof ProxmoxError && /^WARNINGS: \d+$/.test(error.reason)) return void 0;
		throw error;
	}
}

export { takesFormat as a, listVolumes as i, downloadImage as n, uploadIso as o, listStorages as r, deleteVolume as t };