import { F as readConfigIfThere, H as stopVm, J as TaskFailure, M as destroyVm, Mt as removalCommands, R as readStatus, St as isMissingVm, X as stopTask, Y as findTask, Z as taskOwner, bt as ProxmoxError, et as waitForTask, un as Failure } from "./core.mjs";
import { t as deleteVolume } from "./storage.mjs";
import { t as isOurs } from "./own-vm.mjs";

// src/templates/remove-remnant.ts
async function removeRemnant(proxmox, remnant) {
	if (remnant.upid) await endTask(proxmox, remnant.upid);
	return remnant.kind === "volume" ? await removeVolume(proxmox, remnant) : await removeVm(proxmox, remnant);
}
async function removeVolume(proxmox, remnant) {
	const { node, volume } = remnant;
	if (!remnant.upid && !remnant.whole) await endTransfer(proxmox, node, volume);
	await persist(proxmox, async () => {
		const upid = await deleteVolume(proxmox, node, volume);
		if (upid) await waitForTask(proxmox, upid, { doing: `removing ${volume}` });
	});
	return "removed";
}
async function endTransfer(proxmox, node, volume) {
	if (volume.includes(":import/")) {
		const task = await findTask(proxmox, node, {
			type: "download",
			id: volume.slice(volume.lastIndexOf("/") + 1)
		});
		if (task && isRunning(task)) await endTask(proxmox, task.upid);
		return;
	}
	const task = await findTask(proxmox, node, {
		type: "imgcopy",
		id: ""
	});
	if (task && isRunning(task)) await waitForTask(proxmox, task.upid, { doing: "waiting for an upload" }).catch(ignoreTaskFailure);
}
async function removeVm(proxmox, remnant) {
	const { node, vmid, build } = remnant;
	let config = await readConfigIfThere(proxmox, node, vmid);
	if (!config && !remnant.upid) {
		await proxmox.clock.sleep(1e3, proxmox.signal);
		config = await readConfigIfThere(proxmox, node, vmid);
	}
	if (!config) return "absent";
	let created = false;
	if (isUnfinished(config) || remnant.clonedFrom !== void 0 && config.lock === "clone") {
		const source = remnant.clonedFrom ?? vmid;
		const type = remnant.clonedFrom === void 0 ? "qmcreate" : "qmclone";
		const task = await findTask(proxmox, node, {
			type,
			id: String(source),
			vmid: source
		});
		if (!task || taskOwner(task.upid) !== proxmox.tokenName) return "not-ours";
		created = task.upid === remnant.upid;
		if (created) await endTask(proxmox, task.upid);
		else await waitForTask(proxmox, task.upid, { doing: `waiting for VM ${vmid} to be created, to see whose it is` }).catch(ignoreTaskFailure);
		config = await readConfigIfThere(proxmox, node, vmid);
		if (!config) return "removed";
		if (isUnfinished(config) && !created) throw lockedByKilledTask(remnant, config.lock ?? "create");
	}
	const isRight = (one) => isOurs(one, build) || created && isUnfinished(one);
	if (!isRight(config)) return "not-ours";
	await destroyStopped(proxmox, node, vmid, isRight);
	return "removed";
}
function lockedByKilledTask({ vmid, node }, lock) {
	return new Failure("conflict", `VM ${vmid} on node ${node} was left locked (${lock}) by a task that was killed; only root may undo that`, { remedy: removalCommands({
		kind: "vm",
		vmid,
		node,
		build: ""
	}) });
}
async function destroyStopped(proxmox, node, vmid, isRight) {
	await persist(proxmox, async () => {
		const config = await readConfigIfThere(proxmox, node, vmid);
		if (!config || !isRight(config)) return;
		if ((await readStatus(proxmox, node, vmid)).status === "running") await waitForTask(proxmox, await stopVm(proxmox, node, vmid), { doing: `switching VM ${vmid} off` });
		await waitForTask(proxmox, await destroyVm(proxmox, node, vmid), { doing: `destroying VM ${vmid}` });
	});
}
const attempts = 6;
async function persist(proxmox, work) {
	for (let attempt = 1;; attempt += 1) try {
		return await work();
	} catch (error) {
		if (isMissingVm(error)) return;
		if (attempt >= attempts || !isPassing(error)) throw error;
		await proxmox.clock.sleep(250 * 2 ** attempt, proxmox.signal);
	}
}
function isPassing(error) {
	if (error instanceof TaskFailure) return error.lockTimeout || error.outcomeUnknown;
	return error instanceof ProxmoxError && (error.treatment !== "final" || /is running - destroy failed/.test(error.reason));
}
function isUnfinished(config) {
	return (config.lock === "create" || config.lock === "clone") && config.description === void 0 && config.name === void 0;
}
function isRunning(task) {
	return task.endtime === void 0 && (task.status === void 0 || task.status === "RUNNING");
}
const stopAttempts = 3;
async function endTask(proxmox, upid) {
	for (let attempt = 1; attempt <= stopAttempts; attempt += 1) try {
		await stopTask(proxmox, upid);
		break;
	} catch (error) {
		if (!(error instanceof ProxmoxError)) throw error;
		if (error.treatment !== "ambiguous") break;
	}
	await waitForTask(proxmox, upid, { doing: "stopping a task of this run" }).catch(ignoreTaskFailure);
}
function ignoreTaskFailure(error) {
	if (!(error instanceof TaskFailure) && !(error instanceof ProxmoxError && error.status === 400)) throw error;
}

export { removeRemnant as n, destroyStopped as t };