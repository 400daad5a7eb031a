import { G as listGuests, P as readConfig, T as targetOfTags, U as updateConfig, _ as templateOf, g as planTarget, u as checkPin, un as Failure } from "./core.mjs";
import { t as targetMatcher } from "./find-targets.mjs";
import { t as confirmWrite } from "./write.mjs";

// src/templates/verify.ts
async function verifyTemplate(context, request) {
	const { proxmox } = context;
	const guests = await listGuests(proxmox);
	const there = guests.filter((row) => request.pool === void 0 || row.pool === request.pool).flatMap((row) => targetOfTags(row.tags) ?? []);
	const isNamed = await targetMatcher(context.sources, request, there);
	const named = [...new Map(there.filter(isNamed).map((target) => [target.name, target])).values()];
	if (named.length > 1) throw new Failure("conflict", `Several templates fit: ${named.map(({ title }) => title).join("; ")}`, { remedy: ["name one by its exact version (and --ubuntu-release)"] });
	const [target] = named;
	const pool = target && guests.find((row) => targetOfTags(row.tags)?.name === target.name && row.pool !== void 0)?.pool;
	const plan = target && pool !== void 0 ? await planTarget(proxmox, target, guests, {
		pool,
		node: void 0
	}) : void 0;
	if (!target || plan?.action !== "reuse") throw new Failure("not-found", `There is no template of ${[request.distribution, ...request.versions].join(" ")}, so it is not the pinned one`, { remedy: ["`kubehenge template list` shows what there is"] });
	const template = templateOf(target, plan.found);
	checkPin(target, template, request.digest);
	if (request.protect !== void 0) await setProtection(context, plan.found, request.protect);
	return {
		target,
		template,
		pinned: request.protect ?? plan.found.config.protection
	};
}
async function setProtection({ proxmox }, { row, config }, on) {
	if (config.protection === on) return;
	await confirmWrite(proxmox, () => updateConfig(proxmox, row.node, row.vmid, { protection: on ? 1 : 0 }), async () => (await readConfig(proxmox, row.node, row.vmid)).protection === on);
}

export { verifyTemplate as t };