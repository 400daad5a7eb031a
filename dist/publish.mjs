import { C as sameTags, G as listGuests, P as readConfig, U as updateConfig, bt as ProxmoxError, ct as templateNotes, g as planTarget, st as readNotes, un as Failure } from "./core.mjs";
import { n as retiredTags } from "./retired.mjs";
import { t as confirmWrite } from "./write.mjs";

// src/templates/publish.ts
async function publish(proxmox, candidate, replaced) {
	const { node, vmid, target, manifest } = candidate;
	const notes = {
		name: target.name,
		description: templateNotes(target, manifest)
	};
	if (!replaced) return await setTags(proxmox, candidate, target.tags, notes);
	await awaitShown(proxmox, candidate);
	await presentOf(proxmox, candidate, replaced);
	await confirmWrite(proxmox, () => updateConfig(proxmox, node, vmid, notes), async () => readNotes((await readConfig(proxmox, node, vmid)).description)?.manifest !== void 0);
	for (let attempt = 1;; attempt += 1) {
		const present = await presentOf(proxmox, candidate, replaced);
		if (present?.row.vmid === vmid) return;
		if (!present) return await setTags(proxmox, candidate, target.tags);
		try {
			return await exchange(proxmox, {
				node: present.row.node,
				vmid: present.row.vmid,
				tags: retiredTags(manifestOf(present))
			}, {
				node,
				vmid,
				tags: target.tags
			});
		} catch (error) {
			if (!(error instanceof TakenByOther) || attempt >= exchangeAttempts) throw error;
		}
	}
}
const exchangeAttempts = 3;
const showPauseMs = 1e3;
const showLimitMs = 12e4;
async function awaitShown(proxmox, { node, vmid }) {
	const until = proxmox.clock.now() + showLimitMs;
	for (;;) {
		if ((await listGuests(proxmox)).some((row) => row.vmid === vmid && row.node === node && row.template === 1)) return;
		if (proxmox.clock.now() >= until) throw new Failure("deadline", `VM ${vmid} on node ${node} is a template, but after ${showLimitMs / 1e3} s the cluster's list still does not show it as one, so clusters could not find it`, { remedy: [`look whether the statistics daemon runs: systemctl status pvestatd   # on node ${node}`] });
		await proxmox.clock.sleep(showPauseMs, proxmox.signal);
	}
}
async function presentOf(proxmox, { vmid, target }, planned) {
	const guests = await listGuests(proxmox);
	const plan = await planTarget(proxmox, target, guests, {
		pool: planned.row.pool ?? "",
		node: void 0
	});
	if (plan.action === "build") return void 0;
	const { row, config } = plan.found;
	if (!config.protection || row.vmid === vmid) return plan.found;
	throw new Failure("conflict", `VM ${row.vmid} on node ${row.node}, the present template of ${target.title}, was pinned while its successor was built`, { remedy: [`qm set ${row.vmid} --protection 0   # on node ${row.node}, if it is to be replaced`] });
}
var TakenByOther = class extends Failure {};
async function exchange(proxmox, from, to) {
	proxmox.signal?.throwIfAborted();
	const { tags: before, digest } = await readConfig(proxmox, from.node, from.vmid);
	if (!sameTags(before, to.tags)) throw takenByOther(from);
	const unstoppable = proxmox.under(void 0);
	try {
		await setTags(unstoppable, from, from.tags, { digest });
	} catch (error) {
		throw isChangedMeanwhile(error) ? takenByOther(from, error) : error;
	}
	try {
		await setTags(unstoppable, to, to.tags);
	} catch (error) {
		if (!isUnknown(error)) await setTags(unstoppable, from, before).catch(() => void 0);
		throw error;
	}
}
function isUnknown(error) {
	return error instanceof ProxmoxError && error.treatment === "ambiguous";
}
function isChangedMeanwhile(error) {
	return error instanceof ProxmoxError && /checksum mismatch|modified config/i.test(error.reason);
}
function takenByOther({ node, vmid }, cause) {
	return new TakenByOther("conflict", `VM ${vmid} on node ${node} was changed by somebody else at the moment when its tags were to be handed over`, {
		remedy: ["run again: it starts from what is there then"],
		cause
	});
}
async function setTags(proxmox, vm, tags, besides = {}) {
	await confirmWrite(proxmox, () => updateConfig(proxmox, vm.node, vm.vmid, {
		...besides,
		...tags.length > 0 ? { tags: tags.join(";") } : { delete: "tags" }
	}), async () => sameTags((await readConfig(proxmox, vm.node, vm.vmid)).tags, tags));
}
function manifestOf({ row, config }) {
	return readNotes(config.description)?.manifest ?? { build: `vm-${row.vmid}` };
}

export { setTags as a, publish as i, exchange as n, isUnknown as r, awaitShown as t };