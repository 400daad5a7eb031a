import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Kt as Failure, _ as writeLock, g as parseLock } from "./core.mjs";

// src/shell/lock-file.ts
function lockOf(raw, name) {
	const file = raw["lock-file"]?.trim() || (raw["lock"]?.trim() ? "templates.lock.json" : "");
	if (!file) return void 0;
	const mode = raw["lock"]?.trim() || "check";
	if (mode !== "check" && mode !== "write") throw new Failure("usage", `${name("lock")} is check or write, not ${JSON.stringify(mode)}`);
	return {
		file,
		mode
	};
}
function lockedRequest(request, raw, name) {
	const lock = lockOf(raw, name);
	if (lock?.mode !== "check") return request;
	return {
		...request,
		pins: parseLock(read(lock.file, name), lock.file)
	};
}
function saveLock(report, raw, name) {
	const lock = lockOf(raw, name);
	if (lock?.mode !== "write" || report.outcomes.some(({ result }) => result === "failed" || result === "planned")) return;
	const templates = report.outcomes.flatMap(({ target, template }) => template ? [{
		target,
		template
	}] : []);
	const undigested = templates.find(({ template }) => !template.digest);
	if (undigested) throw new Failure("failure", `VM ${undigested.template.vmid} has no manifest in its notes, so there is no digest to lock`, { remedy: ["build it anew: --refresh always"] });
	writeFileSync(lock.file, writeLock(templates, existsSync(lock.file) ? read(lock.file, name) : void 0, lock.file));
}
function read(file, name) {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		throw new Failure("usage", `${name("lock-file")}: ${error.message}`, {
			remedy: ["write it first with --lock write"],
			cause: error
		});
	}
}

export { saveLock as n, lockedRequest as t };