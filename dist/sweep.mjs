import { G as listGuests, K as listNodes, Y as findTask, Z as taskOwner, dt as leaseGraceMs, pt as sayLease, ut as hasEnded } from "./core.mjs";
import { i as listVolumes, r as listStorages } from "./storage.mjs";
import { i as readClaims } from "./claim.mjs";
import { t as isOurs } from "./own-vm.mjs";
import { n as removeRemnant, t as destroyStopped } from "./remove-remnant.mjs";

// src/templates/sweep.ts
async function sweep(context, request) {
	const { proxmox } = context;
	const guests = await listGuests(proxmox);
	const vms = await sweepVms(context, await readClaims(proxmox, guests, request.pool), request.dryRun);
	const nodes = (await listNodes(proxmox)).filter(({ online }) => online);
	const seen = /* @__PURE__ */ new Set();
	const swept = [vms];
	for (const node of nodes) for (const storage of await listStorages(proxmox, node.name)) {
		const contents = ["iso", "import"].filter((content) => storage.content.includes(content));
		if (!storage.usable || contents.length === 0 || seen.has(storage.name)) continue;
		if (storage.shared) seen.add(storage.name);
		const volumes = (await Promise.all(contents.map((content) => listVolumes(proxmox, node.name, storage.name, content)))).flat();
		swept.push(await sweepVolumes(context, {
			node: node.name,
			volumes,
			guests,
			timeoutMs: request.timeoutMs,
			dryRun: request.dryRun
		}));
	}
	return {
		removed: swept.flatMap(({ removed }) => removed),
		left: [...swept.flatMap(({ left }) => left), ...await lockedRemains(proxmox, guests)]
	};
}
async function lockedRemains(proxmox, guests) {
	const locked = guests.filter((row) => row.lock === "create");
	return (await Promise.all(locked.map(async ({ node, vmid }) => {
		const task = await findTask(proxmox, node, {
			type: "qmcreate",
			id: String(vmid),
			vmid
		});
		if (task?.endtime === void 0 || taskOwner(task.upid) !== proxmox.tokenName) return void 0;
		return {
			remnant: {
				kind: "vm",
				node,
				vmid,
				build: ""
			},
			why: "a killed import has left it locked (create), which only root may undo"
		};
	}))).filter((one) => one !== void 0);
}
async function sweepVms(context, claims, dryRun = false) {
	const { proxmox } = context;
	const removed = [];
	const left = [];
	const clonesFirst = claims.toSorted((a, b) => Number(a.config.template) - Number(b.config.template));
	for (const { row, lease } of clonesFirst) {
		if (!hasEnded(lease, proxmox.clock.now())) continue;
		const what = `VM ${row.vmid} on node ${row.node}, a build of ${lease.title} by ${sayLease(lease)}`;
		const remnant = {
			kind: "vm",
			node: row.node,
			vmid: row.vmid,
			build: lease.build
		};
		try {
			if (!dryRun) {
				await destroyStopped(proxmox, row.node, row.vmid, (config) => isOurs(config, lease.build));
				if (lease.seed) await removeRemnant(proxmox, {
					kind: "volume",
					node: row.node,
					volume: lease.seed,
					whole: true
				});
			}
			removed.push({
				remnant,
				what
			});
		} catch (error) {
			left.push({
				remnant,
				why: error.message
			});
		}
	}
	return {
		removed,
		left
	};
}
const seedName = /:iso\/kubehenge-seed-([0-9a-f]{12})\.iso$/;
const imageName = /:import\/kubehenge-(?:ubuntu|talos)-[A-Za-z0-9.+-]+-(?:amd64|arm64)-[0-9a-f]{16}\.qcow2$/;
const leastTimeoutMs = 36e5;
async function sweepVolumes({ proxmox }, input) {
	const nowMs = proxmox.clock.now();
	const oldest = nowMs - Math.max(input.timeoutMs, leastTimeoutMs) - leaseGraceMs;
	const isOld = ({ id, created }) => (seedName.test(id) || imageName.test(id)) && created !== void 0 && created * 1e3 <= oldest;
	if (!input.volumes.some(isOld)) return {
		removed: [],
		left: []
	};
	const live = (await readClaims(proxmox, input.guests, void 0)).filter(({ lease }) => !hasEnded(lease, nowMs));
	const importing = input.guests.some((row) => row.lock === "create");
	const removed = [];
	const left = [];
	for (const volume of input.volumes) {
		if (!isOld(volume)) continue;
		const build = seedName.exec(volume.id)?.[1];
		if (importing || live.some(({ lease }) => build === void 0 ? lease.image === volume.id : lease.build === build)) continue;
		const remnant = {
			kind: "volume",
			node: input.node,
			volume: volume.id,
			whole: true
		};
		try {
			if (!input.dryRun) await removeRemnant(proxmox, remnant);
			removed.push({
				remnant,
				what: `volume ${volume.id} on node ${input.node}, left by a run that has ended`
			});
		} catch (error) {
			left.push({
				remnant,
				why: error.message
			});
		}
	}
	return {
		removed,
		left
	};
}

export { sweepVms as n, sweepVolumes as r, sweep as t };