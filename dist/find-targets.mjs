import { D as exactVersion, O as isExact, y as resolveRelease } from "./core.mjs";

// src/templates/find-targets.ts
async function targetMatcher(sources, named, there) {
	const kind = kindOf(named.distribution);
	const ofKind = there.filter((target) => target.distribution === kind);
	const release = named.ubuntuRelease === void 0 ? void 0 : await resolveRelease(named.ubuntuRelease, sources);
	const versions = kind === "rke2" ? await Promise.all(named.versions.map((version) => resolveRelease(version, sources))) : await chosenVersions(named.versions, ofKind);
	return (target) => target.distribution === kind && (release === void 0 || target.ubuntuRelease === release) && (versions.length === 0 || versions.includes(target.version));
}
function kindOf(distribution) {
	return distribution === "k3s" ? "rke2" : distribution;
}
async function chosenVersions(selectors, there) {
	if (selectors.length === 0) return [];
	const { selectVersion } = await import("./load-versions.mjs");
	return selectors.map((selector) => isExact(selector) ? exactVersion(selector) : selectVersion(selector, there.map(({ version }) => version)));
}

export { targetMatcher as t };