import { C as sameTags, F as readConfigIfThere, G as listGuests, Gt as optional, Ht as nullish, It as array, N as isWholeTemplate, Pt as number, T as targetOfTags, Wt as object, Zt as string, vt as apiPath } from "./core.mjs";
import { r as listStorages } from "./storage.mjs";
import { t as readRetired } from "./retired.mjs";
import { t as destroyStopped } from "./remove-remnant.mjs";

// src/templates/clones.ts
const tellingTypes = /* @__PURE__ */ new Set([
	"dir",
	"nfs",
	"cifs",
	"cephfs",
	"glusterfs",
	"btrfs",
	"zfspool",
	"rbd"
]);
async function findClones(proxmox, node, vmid, config) {
	const disk = (config.scsi0 ?? "").split(",")[0] ?? "";
	const name = disk.slice(0, disk.indexOf(":"));
	const base = disk.slice(disk.lastIndexOf("/") + 1).replace(/^.*:/, "");
	const storage = (await listStorages(proxmox, node)).find((one) => one.name === name);
	if (!storage) return {
		known: false,
		why: `storage ${name} is not shown to the token ${proxmox.tokenName}`
	};
	if (!tellingTypes.has(storage.type)) return {
		known: false,
		why: `a storage of type ${storage.type} does not tell which disks are linked clones`
	};
	const rows = await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/storage/${name}/content`,
		parameters: { content: "images" },
		schema: array(object({
			volid: string(),
			parent: nullish(string()),
			vmid: optional(number())
		}))
	});
	if (!rows.some(({ volid }) => volid === disk)) return {
		known: false,
		why: `storage ${name} does not list the template's own disk to the token ${proxmox.tokenName} (Datastore.Audit)`
	};
	const clones = rows.filter((row) => row.volid !== disk && row.vmid !== vmid && (row.parent?.includes(base) || row.volid.includes(`${base}/`)));
	return {
		known: true,
		vmids: [...new Set(clones.flatMap((row) => row.vmid ?? []))]
	};
}

// src/templates/prune.ts
async function pruneTemplates(context, request) {
	const { proxmox } = context;
	const guests = await listGuests(proxmox);
	const retired = (await readRetired(proxmox, guests, request.pool)).filter(({ target }) => request.concerns(target));
	const isOld = oldVersionsOf(guests, request);
	const surplus = [...oldBuilds(retired, request, isOld), ...await oldVersions(context, guests, request, isOld)];
	const done = [];
	for (const one of surplus) done.push(await pruneOne(context, request, one));
	return done;
}
function oldBuilds(retired, request, isOld) {
	const seen = /* @__PURE__ */ new Map();
	return retired.flatMap(({ row, config, manifest, target }) => {
		const count = (seen.get(target.name) ?? 0) + 1;
		seen.set(target.name, count);
		const build = `retired build ${manifest.build} of ${manifest.created.slice(0, 10)}`;
		if (isOld(target)) return [{
			row,
			config,
			title: target.title,
			why: `${build}; older than the ${request.keepVersions} newest versions`
		}];
		if (count <= request.keep) return [];
		return [{
			row,
			config,
			title: target.title,
			why: `${build}; ${request.keep} are kept`
		}];
	});
}
function oldVersionsOf(guests, request) {
	const limit = request.keepVersions;
	if (limit === void 0) return () => false;
	const versions = /* @__PURE__ */ new Map();
	for (const { target } of taggedTargets(guests, request)) versions.set(kindOf(target), (versions.get(kindOf(target)) ?? /* @__PURE__ */ new Set()).add(target.version));
	const oldest = new Map([...versions].map(([kind, all]) => [kind, [...all].sort((one, other) => compareVersions(other, one))[limit - 1]]));
	return (target) => {
		const bound = oldest.get(kindOf(target));
		return bound !== void 0 && compareVersions(target.version, bound) < 0;
	};
}
function taggedTargets(guests, request) {
	return guests.flatMap((row) => {
		const target = targetOfTags(row.tags);
		return target && (request.pool === void 0 || row.pool === request.pool) && request.concerns(target) ? [{
			row,
			target
		}] : [];
	});
}
function kindOf({ distribution, ubuntuRelease = "" }) {
	if (distribution === "kubeadm") return `${distribution} ${ubuntuRelease}`;
	return distribution === "k3s" ? "rke2" : distribution;
}
function compareVersions(one, other) {
	return one.localeCompare(other, "en", { numeric: true });
}
async function oldVersions({ proxmox }, guests, request, isOld) {
	const tooMany = taggedTargets(guests, request).filter(({ target }) => isOld(target));
	return (await Promise.all(tooMany.map(async ({ row, target }) => {
		const config = await readConfigIfThere(proxmox, row.node, row.vmid);
		return config && isWholeTemplate(config) ? {
			row,
			config,
			title: target.title,
			why: `older than the ${request.keepVersions} newest versions`
		} : void 0;
	}))).filter((one) => one !== void 0);
}
async function pruneOne({ proxmox, reporter }, request, { row, config, title, why }) {
	const pruned = {
		vmid: row.vmid,
		node: row.node,
		title,
		why
	};
	const stays = (because) => {
		reporter.note(`VM ${row.vmid} on node ${row.node} stays: ${because}`, title);
		return {
			...pruned,
			result: "stays",
			because
		};
	};
	if (config.protection) return stays("it is pinned (its protection is on)");
	const clones = await findClones(proxmox, row.node, row.vmid, config);
	if (clones.known && clones.vmids.length > 0) return stays(`linked clones hang on it: VM ${clones.vmids.join(", ")}`);
	if (!clones.known && !request.force) return stays(`whether linked clones hang on it cannot be told: ${clones.why}; --force deletes it all the same`);
	if (request.dryRun) return {
		...pruned,
		result: "would be deleted"
	};
	try {
		await destroyStopped(proxmox, row.node, row.vmid, (now) => now.template && !now.protection && sameTags(now.tags, row.tags));
		return {
			...pruned,
			result: "deleted"
		};
	} catch (error) {
		return stays(error.message);
	}
}

export { pruneTemplates as t };