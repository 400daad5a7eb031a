import { P as readConfig, st as readNotes, un as Failure } from "./core.mjs";

// src/templates/own-vm.ts
function isOurs(config, build) {
	return readNotes(config.description)?.lease?.build === build;
}
async function readOwnConfig(proxmox, { node, vmid, build }) {
	const config = await readConfig(proxmox, node, vmid);
	if (isOurs(config, build)) return config;
	throw new Failure("conflict", `VM ${vmid} on node ${node} is not this run's any more: its notes no longer hold the lease of build ${build}. It is left as it is`, { remedy: ["somebody has deleted the VM or rewritten its notes while it was being built: run again"] });
}

export { readOwnConfig as n, isOurs as t };