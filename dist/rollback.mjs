import { G as listGuests, T as targetOfTags, g as planTarget, h as readUntagged, st as readNotes, un as Failure } from "./core.mjs";
import { t as targetMatcher } from "./find-targets.mjs";
import { a as setTags, n as exchange, r as isUnknown, t as awaitShown } from "./publish.mjs";
import { n as retiredTags, r as targetOfManifest, t as readRetired } from "./retired.mjs";

// src/templates/rollback.ts
async function rollback(context, request) {
	const { proxmox, reporter } = context;
	const guests = await listGuests(proxmox);
	const begun = await readBegun(proxmox, guests, request.pool);
	const retired = [...await readRetired(proxmox, guests, request.pool), ...begun];
	const isNamed = await targetMatcher(context.sources, request, [...retired.map(({ target }) => target), ...tagged(guests)]);
	const fitting = retired.filter(({ target, manifest }) => isNamed(target) && (request.build === void 0 || manifest.build === request.build));
	const chosen = await firstMidway(proxmox, guests, fitting.filter((one) => begun.includes(one)), retired) ?? newestOfOneTarget(fitting.filter((one) => !begun.includes(one)), request);
	const plan = await planTarget(proxmox, chosen.target, guests, {
		pool: chosen.row.pool ?? request.pool ?? "",
		node: void 0
	});
	const present = plan.action === "reuse" ? plan.found : void 0;
	if (present?.config.protection) throw new Failure("conflict", `The present template of ${chosen.target.title}, VM ${present.row.vmid} on node ${present.row.node}, is pinned (its protection is on)`, { remedy: [`qm set ${present.row.vmid} --protection 0   # on node ${present.row.node}, if it is to be retired`] });
	const result = {
		target: chosen.target,
		to: {
			vmid: chosen.row.vmid,
			node: chosen.row.node,
			build: chosen.manifest.build,
			created: chosen.manifest.created
		},
		from: present && {
			vmid: present.row.vmid,
			node: present.row.node
		},
		done: !request.dryRun
	};
	if (request.dryRun) return result;
	const to = {
		node: chosen.row.node,
		vmid: chosen.row.vmid,
		tags: chosen.target.tags
	};
	if (present) {
		await awaitShown(proxmox, to);
		await setTags(proxmox, to, []);
		const manifest = readNotes(present.config.description)?.manifest ?? { build: `vm-${present.row.vmid}` };
		try {
			await exchange(proxmox, {
				node: present.row.node,
				vmid: present.row.vmid,
				tags: retiredTags(manifest)
			}, to);
		} catch (error) {
			if (!isUnknown(error)) await setTags(proxmox.under(void 0), to, retiredTags(chosen.manifest)).catch(() => void 0);
			throw error;
		}
	} else await setTags(proxmox, to, to.tags);
	reporter.note(`VM ${to.vmid} on node ${to.node} is the template again, made ${chosen.manifest.created}`, chosen.target.title);
	reporter.note("A run with refresh: outdated or always builds anew all the same; to hold this one, protect it (kubehenge template verify --protect true)", chosen.target.title);
	return result;
}
async function readBegun(proxmox, guests, pool) {
	const { ready } = await readUntagged(proxmox, guests, pool);
	return ready.flatMap(({ row, config, manifest }) => {
		const target = targetOfManifest(manifest);
		return target ? [{
			row,
			config,
			manifest,
			target
		}] : [];
	});
}
async function firstMidway(proxmox, guests, begun, retired) {
	for (const one of begun) {
		const plan = await planTarget(proxmox, one.target, guests, {
			pool: one.row.pool ?? "",
			node: void 0
		});
		if ([plan.action === "reuse" ? readNotes(plan.found.config.description)?.manifest : void 0, ...retired.flatMap(({ target, manifest }) => target.name === one.target.name ? [manifest] : [])].some((other) => other !== void 0 && other.created > one.manifest.created)) return one;
	}
}
function tagged(guests) {
	return guests.flatMap((row) => targetOfTags(row.tags) ?? []);
}
function newestOfOneTarget(fitting, request) {
	const titles = [...new Set(fitting.map(({ target }) => target.title))];
	const [newest] = fitting;
	if (!newest) throw new Failure("not-found", `There is no retired build of ${[request.distribution, ...request.versions].join(" ")} to bring back`, { remedy: ["builds are retired when a refresh takes their place, and pruned beyond `keep`"] });
	if (titles.length > 1) throw new Failure("conflict", `Retired builds of several templates fit: ${titles.join("; ")}`, { remedy: ["name one by its exact version (and --ubuntu-release)"] });
	return newest;
}

export { rollback as t };