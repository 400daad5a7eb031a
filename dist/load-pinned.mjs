import { C as sameTags, _ as templateOf, u as checkPin, un as Failure } from "./core.mjs";

// src/templates/pinned.ts
function checkPinned(plans, request) {
	if (request.pin !== void 0 && plans.length !== 1) throw new Failure("usage", `One digest was pinned, but the versions stand for ${plans.length} templates: ${plans.map(({ target }) => target.title).join("; ")}`, { remedy: ["pin one template by an exact version, or several with a lock file"] });
	for (const plan of plans) {
		const { target } = plan;
		const wanted = request.pin ?? request.pins?.find((pin) => sameTags(pin.tags, target.tags))?.digest;
		if (wanted === void 0) throw new Failure("verification", `The lock file allows no template of ${target.title}`, { remedy: ["write it anew with --lock write, once that template was tested"] });
		if (plan.action !== "reuse") throw new Failure("verification", `The pinned template of ${target.title} (${wanted}) is not there: ${plan.why}`, { remedy: ["a retired build can be brought back: kubehenge template rollback"] });
		checkPin(target, templateOf(target, plan.found), wanted);
	}
}

export { checkPinned };