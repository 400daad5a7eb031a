import { G as listGuests, g as planTarget } from "./core.mjs";
import { a as setTags, i as publish } from "./publish.mjs";
import { n as retiredTags, r as targetOfManifest } from "./retired.mjs";

// src/templates/recover.ts
const patienceMs = 2e3;
async function recoverPublications(context, ready, pool) {
	const { proxmox, reporter } = context;
	await proxmox.clock.sleep(patienceMs, proxmox.signal);
	for (const { row, manifest } of ready) {
		const target = targetOfManifest(manifest);
		const guests = await listGuests(proxmox);
		if (!target || !isStillUntagged(guests, row)) continue;
		const plan = await planTarget(proxmox, target, guests, {
			pool,
			node: void 0
		});
		const present = plan.action === "reuse" ? plan.found : void 0;
		if (present?.config.protection) {
			await setTags(proxmox, row, retiredTags(manifest));
			reporter.note(`VM ${row.vmid} on node ${row.node} was ready to become ${target.title} when run ${manifest.run} ended. It is kept as a retired build, since the present one, VM ${present.row.vmid}, is pinned`);
			continue;
		}
		await publish(proxmox, {
			node: row.node,
			vmid: row.vmid,
			target,
			manifest
		}, present);
		reporter.note(`Published ${target.title}, VM ${row.vmid} on node ${row.node}: it was proven and ready when run ${manifest.run} ended`);
	}
	return await listGuests(proxmox);
}
function isStillUntagged(guests, row) {
	return guests.some((one) => one.vmid === row.vmid && one.node === row.node && one.tags.length === 0);
}

export { recoverPublications as t };