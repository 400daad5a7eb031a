import { Gt as optional, Jt as prefault, Kt as pick, Rt as extend, Wt as object, Zt as string, c as flag, d as parsePin, in as _regex, l as pool, o as checkInputs, r as createSchema, s as distribution } from "./core.mjs";
import { t as requestDefaults } from "./start.mjs";

// src/templates/upkeep-requests.ts
function parseListRequest(raw, name) {
	const given = raw["pool"];
	if (given === "" || given === "*") return { pool: void 0 };
	return { pool: checkInputs(object({ pool: prefault(pool, requestDefaults.pool) }), { pool: given }, name).pool };
}
function parseDeleteRequest(raw, name) {
	const input = checkInputs(pick(createSchema, {
		distribution: true,
		versions: true,
		"ubuntu-release": true,
		"dry-run": true,
		timeout: true
	}), {
		...raw,
		pool: void 0
	}, name);
	return {
		...parseListRequest(raw, name),
		distribution: input.distribution,
		versions: input.versions,
		ubuntuRelease: input["ubuntu-release"],
		dryRun: input["dry-run"],
		timeoutMs: input.timeout * 6e4
	};
}
function parseSweepRequest(raw, name) {
	const input = checkInputs(pick(createSchema, {
		"dry-run": true,
		timeout: true
	}), {
		"dry-run": raw["dry-run"],
		timeout: raw["timeout"]
	}, name);
	return {
		...parseListRequest(raw, name),
		dryRun: input["dry-run"],
		timeoutMs: input.timeout * 6e4
	};
}
function parsePruneRequest(raw, name) {
	const input = checkInputs(extend(pick(createSchema, {
		"dry-run": true,
		timeout: true,
		keep: true,
		"keep-versions": true,
		force: true
	}), { distribution: optional(distribution) }), {
		...raw,
		pool: void 0
	}, name);
	const kind = input.distribution === "k3s" ? "rke2" : input.distribution;
	return {
		...parseListRequest(raw, name),
		keep: input.keep,
		keepVersions: input["keep-versions"],
		force: input.force,
		dryRun: input["dry-run"],
		timeoutMs: input.timeout * 6e4,
		concerns: (target) => kind === void 0 || target.distribution === kind || kind === "rke2" && target.distribution === "k3s"
	};
}
function parseVerifyRequest(raw, name) {
	const input = checkInputs(object({ protect: optional(flag) }), { protect: raw["protect"] }, name);
	return {
		...parseDeleteRequest(raw, name),
		digest: parsePin(raw["pin"] ?? "", name("pin")),
		protect: input.protect
	};
}
function parseRollbackRequest(raw, name) {
	const build = checkInputs(object({ build: optional(string().check(_regex(/^[0-9a-f]{12}$/, "is the id of a build: 12 hex digits"))) }), { build: raw["build"] }, name).build;
	return {
		...parseDeleteRequest(raw, name),
		build
	};
}

export { parseSweepRequest as a, parseRollbackRequest as i, parseListRequest as n, parseVerifyRequest as o, parsePruneRequest as r, parseDeleteRequest as t };