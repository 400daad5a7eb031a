import { J as TaskFailure, Y as findTask, bt as ProxmoxError, et as waitForTask } from "./core.mjs";

// src/templates/write.ts
const attempts = 4;
async function runTask(proxmox, write) {
	for (let attempt = 1;; attempt += 1) {
		const upid = await startOrFind(proxmox, write);
		if (upid === void 0) return {
			upid: "",
			warnings: []
		};
		write.onTask?.(upid);
		try {
			return await waitForTask(proxmox, upid, write);
		} catch (error) {
			if (!(error instanceof TaskFailure)) throw error;
			if (error.outcomeUnknown && await write.isDone()) return {
				upid,
				warnings: []
			};
			if (attempt >= attempts || !(error.lockTimeout || error.outcomeUnknown && !write.once)) throw error;
			await proxmox.clock.sleep(1e3 * 2 ** attempt, proxmox.signal);
			if (await write.isDone()) return {
				upid,
				warnings: []
			};
		}
	}
}
async function startOrFind(proxmox, write) {
	for (let attempt = 1;; attempt += 1) try {
		return await write.start();
	} catch (error) {
		if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
		await proxmox.clock.sleep(500 * 2 ** attempt, proxmox.signal);
		const task = await findTask(proxmox, write.task.node, {
			...write.task,
			id: String(write.task.vmid)
		});
		if (task && task.starttime >= write.task.notBefore) return task.upid;
		if (await write.isDone()) return void 0;
	}
}
async function confirmWrite(proxmox, write, isDone) {
	for (let attempt = 1;; attempt += 1) try {
		await write();
		return;
	} catch (error) {
		if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
		await proxmox.clock.sleep(500 * 2 ** attempt, proxmox.signal);
		if (await isDone()) return;
	}
}

export { runTask as n, confirmWrite as t };