import { un as Failure } from "./core.mjs";
import { n as matchingVersions } from "./versions.mjs";

// src/sources/newest.ts
const settledMs = 26784e5;
async function releasedTags(github, repository, selector) {
	try {
		return tagsOf(await github.releases(repository, (releases) => isEnough(releases, selector)));
	} catch (error) {
		if (error instanceof Failure && error.kind !== "interrupted") return void 0;
		throw error;
	}
}
function tagsOf(releases) {
	return releases.filter((release) => !release.prerelease || release.tag.includes("-")).map((release) => release.tag);
}
function isEnough(releases, selector) {
	const [newest] = matchingVersions(selector, tagsOf(releases));
	const match = releases.find((release) => release.tag.replace(/^v/, "") === newest?.slice(1))?.publishedAt;
	if (match === void 0) return false;
	return releases.some((release) => release.publishedAt !== void 0 && match.getTime() - release.publishedAt.getTime() > settledMs);
}

export { releasedTags as t };