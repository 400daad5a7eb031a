import { C as sameTags, F as readConfigIfThere, G as listGuests, N as isWholeTemplate, h as readUntagged, pt as sayLease, un as Failure, ut as hasEnded } from "./core.mjs";
import { r as targetOfManifest } from "./retired.mjs";
import { t as requestDefaults } from "./start.mjs";

// src/templates/claim.ts
async function readClaims(proxmox, guests, pool, apart) {
	return (await readUntagged(proxmox, guests, pool, apart)).claims;
}
function claimsOn(claims, target) {
	return claims.filter(({ lease }) => sameTags(lease.tags, target.tags));
}
function refuseKept(claims, target, replaces) {
	const all = claimsOn(claims, target).filter(({ lease }) => lease.state === "kept").sort((a, b) => Number(a.config.template) - Number(b.config.template));
	const [kept] = all;
	if (!kept) return;
	const byHand = all.map(({ row }) => `qm destroy ${row.vmid} --purge`).join("; ");
	throw new Failure("conflict", `VM ${kept.row.vmid} on node ${kept.row.node} was kept from a failed build of ${target.title}${kept.lease.reason ? `: ${kept.lease.reason}` : ""}. It has to be removed before another one is built`, { remedy: [...replaces ? [] : [deleteLine(target, kept.row.pool ?? requestDefaults.pool)], `${replaces ? "" : "or "}on node ${kept.row.node}: ${byHand}`] });
}
function deleteLine(target, pool) {
	const versions = target.distribution === "talos" ? ` --talos-version ${target.version}` : target.distribution === "kubeadm" ? ` --kubernetes-version ${target.version} --ubuntu-release ${target.ubuntuRelease}` : ` --ubuntu-release ${target.version}`;
	return `kubehenge template delete ${target.distribution}${versions}${pool === requestDefaults.pool ? "" : ` --pool ${pool}`}`;
}
function readyOnes(ready, target) {
	return ready.filter(({ manifest }) => targetOfManifest(manifest)?.name === target.name);
}
const settleMs = 1e3;
const settleAttempts = 30;
async function settleClaim(proxmox, mine, target) {
	for (let attempt = 1;; attempt += 1) {
		const guests = await listGuests(proxmox);
		if (await isPublished(proxmox, guests.filter(({ vmid }) => vmid !== mine.replaces), mine.pool, target)) return { wins: false };
		const { claims, ready } = await readUntagged(proxmox, guests, mine.pool, mine.vmid);
		const others = liveClaims(claims, target, proxmox.clock.now());
		const [other] = others;
		if (readyOnes(ready, target).length > 0) return { wins: false };
		if (!other) return { wins: true };
		const ahead = others.find((claim) => goesOn(claim) || precedes(claim.lease, mine.lease));
		if (ahead) return {
			wins: false,
			to: ahead
		};
		if (attempt >= settleAttempts) return {
			wins: false,
			to: other
		};
		await proxmox.clock.sleep(settleMs, proxmox.signal);
	}
}
function liveClaims(claims, target, nowMs) {
	return claimsOn(claims, target).filter(({ lease }) => lease.state === "building" && !hasEnded(lease, nowMs));
}
async function isPublished(proxmox, guests, pool, target) {
	const rows = guests.filter((row) => row.pool === pool && sameTags(row.tags, target.tags));
	return (await Promise.all(rows.map((row) => readConfigIfThere(proxmox, row.node, row.vmid)))).some((config) => config !== void 0 && isWholeTemplate(config));
}
function goesOn({ row, config }) {
	return row.status === "running" || config.template || config.lock !== void 0;
}
function precedes(one, other) {
	return one.since < other.since || one.since === other.since && one.build < other.build;
}
function sayClaim({ row, lease }) {
	return `VM ${row.vmid} on node ${row.node}, being built by ${sayLease(lease)}`;
}

export { readyOnes as a, settleClaim as c, readClaims as i, deleteLine as n, refuseKept as o, liveClaims as r, sayClaim as s, claimsOn as t };