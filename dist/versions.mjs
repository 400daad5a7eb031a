import { i as __toESM } from "./rolldown-runtime.mjs";
import { a as require_minor, c as require_compare, i as require_prerelease, n as require_intersects, o as require_major, r as require_rcompare, s as require_range, t as require_min_version } from "./semver.mjs";
import { D as exactVersion, O as isExact, k as nonsense, un as Failure } from "./core.mjs";

// src/sources/versions.ts
var import_range = /* @__PURE__ */ __toESM(require_range(), 1);
var import_compare = /* @__PURE__ */ __toESM(require_compare(), 1);
var import_major = /* @__PURE__ */ __toESM(require_major(), 1);
var import_minor = /* @__PURE__ */ __toESM(require_minor(), 1);
var import_prerelease = /* @__PURE__ */ __toESM(require_prerelease(), 1);
var import_rcompare = /* @__PURE__ */ __toESM(require_rcompare(), 1);
var import_intersects = /* @__PURE__ */ __toESM(require_intersects(), 1);
var import_min_version = /* @__PURE__ */ __toESM(require_min_version(), 1);
function matchingVersions(selector, candidates) {
	const fits = matcher(selector);
	return plain(candidates).filter((candidate) => fits(candidate)).map((candidate) => `v${candidate}`);
}
function selectVersion(selector, candidates, what = "version") {
	const all = [...candidates];
	const [newest] = matchingVersions(selector, all);
	if (newest !== void 0) return newest;
	throw noneFits(selector, all, what);
}
function noneFits(selector, candidates, what) {
	const near = nearestVersions(selector, candidates);
	return new Failure("not-found", `No ${what === "version" ? "version" : `${what} version`} fits ${JSON.stringify(selector)}.`, { remedy: [near.length === 0 ? "There is no version to choose from." : `The nearest that there are: ${near.join(", ")}.`] });
}
function nearestVersions(selector, candidates) {
	const all = plain(candidates);
	const stable = all.filter((candidate) => (0, import_prerelease.default)(candidate) === null);
	const pool = stable.length > 0 ? stable : all;
	const wanted = isExact(selector) ? exactVersion(selector) : lowest(selector);
	if (wanted === void 0) return pool.slice(0, 3).map(withV);
	const sameMinor = pool.find((candidate) => (0, import_major.default)(candidate) === (0, import_major.default)(wanted) && (0, import_minor.default)(candidate) === (0, import_minor.default)(wanted));
	const below = pool.find((candidate) => (0, import_compare.default)(candidate, wanted) < 0);
	const above = pool.findLast((candidate) => (0, import_compare.default)(candidate, wanted) > 0);
	const near = [
		pool[0],
		sameMinor,
		below,
		above
	].filter((candidate) => candidate !== void 0);
	return [...new Set(near)].toSorted(import_rcompare.default).map(withV);
}
function checkSelector(selector) {
	if (!isExact(selector)) rangeOf(selector);
}
function mayFitMinor(selector, minorVersion) {
	const range = rangeOf(selector);
	return range === void 0 || (0, import_intersects.default)(range, new import_range.default(`${minorVersion}.x`));
}
function lowest(selector) {
	const range = rangeOf(selector);
	return range === void 0 ? void 0 : (0, import_min_version.default)(range)?.version ?? void 0;
}
function matcher(selector) {
	const range = rangeOf(selector);
	return range === void 0 ? (candidate) => (0, import_prerelease.default)(candidate) === null : (candidate) => range.test(candidate);
}
function rangeOf(selector) {
	const text = selector.trim();
	if (text.toLowerCase() === "latest") return void 0;
	if (text.length > 200 || !/\d|^[x*]$/i.test(text)) throw nonsense(selector);
	try {
		return new import_range.default(text);
	} catch (error) {
		throw nonsense(selector, error);
	}
}
function plain(candidates) {
	const versions = /* @__PURE__ */ new Set();
	for (const candidate of candidates) if (isExact(candidate) && candidate === candidate.trim()) versions.add(candidate.replace(/^v/, ""));
	return [...versions].toSorted(import_rcompare.default);
}
function withV(candidate) {
	return `v${candidate}`;
}

export { noneFits as a, nearestVersions as i, matchingVersions as n, selectVersion as o, mayFitMinor as r, checkSelector as t };