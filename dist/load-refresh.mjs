import { nt as sayDuration, st as readNotes } from "./core.mjs";

// src/templates/refresh.ts
async function planRefresh(context, request, distribution, plans) {
	return await Promise.all(plans.map(async (plan) => plan.action === "reuse" ? await refreshOne(context, request, distribution, plan) : plan));
}
async function refreshOne(context, request, distribution, plan) {
	const { target, found } = plan;
	const keep = (why) => ({
		...plan,
		why
	});
	const rebuild = (why) => ({
		target,
		action: "build",
		why,
		warnings: [],
		replaces: found
	});
	if (found.config.protection) return keep(`VM ${found.row.vmid} is pinned (its protection is on), so it is not refreshed`);
	if (request.refresh.when === "always") return rebuild(`a refresh was asked for in any case; it takes the place of VM ${found.row.vmid}`);
	const manifest = readNotes(found.config.description)?.manifest;
	if (!manifest) return rebuild(`VM ${found.row.vmid} does not say what it is made of (no manifest in its notes)`);
	const changed = whatChanged(manifest, await distribution.ingredients(target, architecture(manifest), context.sources));
	if (changed) return rebuild(`${changed}; it takes the place of VM ${found.row.vmid}`);
	const ageMs = context.proxmox.clock.now() - Date.parse(manifest.created);
	if (isTooOld(ageMs, request.refresh)) return rebuild(`VM ${found.row.vmid} is ${sayAge(ageMs)} old, more than ${sayAge(request.refresh.maxAgeMs ?? 0)}`);
	return keep(`VM ${found.row.vmid} is up to date: made ${sayAge(ageMs)} ago from what upstream still publishes`);
}
function whatChanged(manifest, { image, guest }) {
	if (image.sha256 !== void 0 && image.sha256 !== manifest.image.sha256) return `upstream has a newer image (sha256 ${image.sha256.slice(0, 12)}…)`;
	if (image.sha256 === void 0 && image.fileName !== manifest.image.file) return `the image is another one now (${image.fileName})`;
	const packages = guest?.kubernetes?.packages;
	if (packages && manifest.packages && packages.kubelet !== manifest.packages["kubelet"]) return `the packages were built anew (kubelet ${packages.kubelet})`;
}
function isTooOld(ageMs, { maxAgeMs }) {
	return maxAgeMs !== void 0 && ageMs > maxAgeMs;
}
function architecture(manifest) {
	return manifest.architecture === "arm64" ? "arm64" : "amd64";
}
function sayAge(ms) {
	const days = ms / 864e5;
	return days >= 2 ? `${Math.floor(days)} days` : sayDuration(ms);
}

export { planRefresh };