import { K as listNodes, m as planAll } from "./core.mjs";
import { r as liveClaims, s as sayClaim } from "./claim.mjs";

// src/templates/fleet-plan.ts
async function planFleet(context, requests) {
	const work = [];
	for (const request of requests) {
		const nodes = request.perNode && request.node === void 0 ? (await listNodes(context.proxmox)).filter(({ online }) => online).map(({ name }) => name) : [request.node];
		for (const node of nodes) work.push(...await planOne(context, {
			...request,
			node,
			dryRun: true
		}));
	}
	return work;
}
async function planOne(context, request) {
	const { plans, claims } = await planAll(context, request);
	return plans.flatMap((plan) => {
		if (plan.action !== "build") return [];
		const { target } = plan;
		const [other] = liveClaims(claims, target, context.proxmox.clock.now());
		if (other) {
			context.reporter.note(`Nothing to do here: ${sayClaim(other)}`, target.title);
			return [];
		}
		return [{
			distribution: target.distribution,
			versions: target.version,
			"ubuntu-release": target.distribution === "kubeadm" ? target.ubuntuRelease ?? "" : "",
			node: request.node ?? "",
			why: plan.why
		}];
	});
}

export { planFleet as t };