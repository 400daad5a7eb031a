import { F as readConfigIfThere, G as listGuests, J as TaskFailure, N as isWholeTemplate, T as targetOfTags, pt as sayLease, st as readNotes, un as Failure, ut as hasEnded } from "./core.mjs";
import { t as targetMatcher } from "./find-targets.mjs";
import { n as removeRemnant, t as destroyStopped } from "./remove-remnant.mjs";

// src/templates/delete.ts
async function deleteTemplate(context, request) {
	const { proxmox, reporter } = context;
	const guests = (await listGuests(proxmox)).filter((row) => request.pool === void 0 || row.pool === request.pool);
	const isNamed = await targetMatcher(context.sources, request, guests.flatMap((row) => targetOfTags(row.tags) ?? []));
	const matches = (tags) => {
		const target = targetOfTags(tags);
		return target !== void 0 && isNamed(target);
	};
	const found = (await Promise.all(guests.map((row) => inspect(context, row, matches)))).filter((one) => one !== void 0);
	const templates = found.filter(({ deletion }) => deletion.what === "template");
	if (templates.length > 1) throw severalFit(templates.map(({ deletion }) => deletion));
	if (found.length === 0) throw nothingFits(request);
	if (request.distribution === "rke2" || request.distribution === "k3s") reporter.note(`RKE2 and k3s share this template: it is gone for both (${found.map(({ deletion }) => `VM ${deletion.vmid}`).join(", ")})`);
	const done = [];
	const clonesFirst = found.toSorted((a, b) => Number(a.isTemplate) - Number(b.isTemplate));
	for (const { deletion, seed } of clonesFirst) {
		if (request.dryRun) {
			done.push(deletion);
			continue;
		}
		reporter.note(`Deleting ${deletion.what} ${deletion.name} (VM ${deletion.vmid} on node ${deletion.node}): ${deletion.title}`);
		await destroy(context, deletion);
		if (seed) await removeRemnant(proxmox, {
			kind: "volume",
			node: deletion.node,
			volume: seed,
			whole: true
		});
		done.push({
			...deletion,
			deleted: true
		});
	}
	return done;
}
async function inspect({ proxmox }, row, matches) {
	const tagged = row.tags.length > 0;
	if (tagged && !matches(row.tags)) return void 0;
	const config = await readConfigIfThere(proxmox, row.node, row.vmid);
	if (!config) return void 0;
	const lease = readNotes(config.description)?.lease;
	if (!tagged && (!lease || !matches(lease.tags))) return void 0;
	const describe = (title, what) => ({
		deletion: {
			vmid: row.vmid,
			node: row.node,
			name: config.name ?? row.name ?? "",
			title,
			what,
			deleted: false
		},
		seed: lease?.seed,
		isTemplate: config.template
	});
	if (lease && !tagged) {
		if (lease.state === "kept") return describe(lease.title, "kept build VM");
		if (hasEnded(lease, proxmox.clock.now())) return describe(lease.title, "abandoned build VM");
		throw new Failure("conflict", `VM ${row.vmid} on node ${row.node} is being built by ${sayLease(lease)}`, { remedy: ["wait for that run, or cancel it"] });
	}
	if (!config.template) return void 0;
	return describe(titleOf(row.tags), isWholeTemplate(config) ? "template" : "broken template");
}
function titleOf(tags) {
	return targetOfTags(tags)?.title ?? tags.join(";");
}
async function destroy({ proxmox }, { vmid, node, title }) {
	const config = await readConfigIfThere(proxmox, node, vmid);
	if (config?.protection) throw new Failure("conflict", `VM ${vmid} on node ${node} (${title}) is protected and was not deleted`, { remedy: [`qm set ${vmid} --protection 0   # on node ${node}, if it is really to go`] });
	try {
		await destroyStopped(proxmox, node, vmid, (now) => now.description === config?.description && now.name === config?.name);
	} catch (error) {
		if (!(error instanceof TaskFailure) || !/still in use by linked clone/i.test(error.exitStatus)) throw error;
		throw new Failure("conflict", `${title} (VM ${vmid} on node ${node}) was not deleted: linked clones still use its disk. It is whole and can be cloned as before`, {
			remedy: ["delete or move the cluster's nodes that were cloned from it first"],
			evidence: error.evidence,
			cause: error
		});
	}
}
function severalFit(deletions) {
	return new Failure("conflict", `Several templates fit, and none was deleted: ${deletions.map(({ title, vmid, node }) => `${title} (VM ${vmid} on ${node})`).join("; ")}`, { remedy: ["name one by its exact version (and --ubuntu-release)"] });
}
function nothingFits(request) {
	const what = [
		request.distribution,
		...request.versions,
		...request.ubuntuRelease ? [`on Ubuntu ${request.ubuntuRelease}`] : []
	].join(" ");
	return new Failure("not-found", `There is no template of ${what} ${request.pool === void 0 ? "in any pool" : `in pool ${request.pool}`}`, { remedy: ["`kubehenge template list` shows what there is; `--pool ''` takes in every pool"] });
}

export { deleteTemplate as t };