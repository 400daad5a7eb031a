import { Ct as inEnglish, Et as shownUrl, Ft as ZodMiniStringFormat, Ht as nullish, It as array, Lt as boolean, Qt as transform, Wt as object, Zt as string, cn as $constructor, qt as pipe, rn as _maxLength, sn as $ZodISODateTime, tn as _isoDateTime, un as Failure } from "./core.mjs";
import "./http.mjs";
import { n as upstreamUrl } from "./upstream-url.mjs";

// node_modules/zod/v4/mini/iso.js
const ZodMiniISODateTime = /*@__PURE__*/ $constructor("ZodMiniISODateTime", (inst, def) => {
	$ZodISODateTime.init(inst, def);
	ZodMiniStringFormat.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function datetime(params) {
	return _isoDateTime(ZodMiniISODateTime, params);
}

// src/sources/github/octokit-fetch.ts
const answered = [
	304,
	400,
	401,
	403,
	404,
	410,
	422,
	429,
	451
];
const pageBytes = 33554432;
function octokitFetch(http, apiUrl) {
	const { origin } = new URL(apiUrl);
	return async (input, init) => {
		const url = new URL(input instanceof Request ? input.url : input);
		if (url.origin !== origin) throw new Failure("failure", `GitHub's answer points to ${shownUrl(url)}, away from ${origin}; not followed.`);
		const answer = await http(url.href, {
			method: "GET",
			headers: Object.fromEntries(new Headers(init?.headers).entries()),
			expect: answered,
			maxBytes: pageBytes,
			attempts: 2,
			timeoutSeconds: 20,
			compressed: true
		});
		const { "content-encoding": _undone, "content-length": _changed, ...headers } = answer.headers;
		return new Response(answer.status === 304 ? null : Buffer.from(answer.body), {
			status: answer.status,
			headers
		});
	};
}

// src/sources/github/schema.ts
const releasePage = pipe(array(object({
	tag_name: string().check(_maxLength(300)),
	draft: boolean(),
	prerelease: boolean(),
	published_at: nullish(datetime({ offset: true }))
})), transform((rows) => rows.filter((row) => !row.draft).map((row) => ({
	tag: row.tag_name,
	prerelease: row.prerelease,
	publishedAt: typeof row.published_at === "string" ? new Date(row.published_at) : void 0
}))));

// src/sources/github/index.ts
const pageSize = 50;
const maxPages = 10;
function githubSource(http, options = {}) {
	const apiUrl = upstreamUrl(options.apiUrl || "https://api.github.com", "GITHUB_API_URL");
	const listings = /* @__PURE__ */ new Map();
	let trouble;
	const listing = (repository) => {
		const known = listings.get(repository);
		if (known !== void 0) return known;
		const made = {
			releases: [],
			next: pages(http, apiUrl, options.token, repository),
			reading: Promise.resolve()
		};
		listings.set(repository, made);
		return made;
	};
	return {
		trouble: () => trouble,
		releases: async (repository, enough) => {
			if (trouble !== void 0) throw trouble;
			const list = listing(repository);
			const read = list.reading.then(async () => {
				while (!enough(list.releases)) {
					const page = await list.next();
					if (page === void 0) break;
					list.releases.push(...page);
				}
			});
			list.reading = read.catch((error) => {
				if (error instanceof Failure) trouble = error;
			});
			await read;
			return list.releases;
		}
	};
}
function pages(http, apiUrl, token, repository) {
	const [owner = "", repo = ""] = repository.split("/");
	let iterator;
	let read = 0;
	return async () => {
		if (read >= maxPages) return void 0;
		read += 1;
		try {
			iterator ??= await openPages(http, apiUrl, token, owner, repo);
			const step = await iterator.next();
			return step.done === true ? void 0 : releasePage.parse(step.value.data, inEnglish);
		} catch (error) {
			throw explained(error, apiUrl, repository, token !== void 0);
		}
	};
}
async function openPages(http, apiUrl, token, owner, repo) {
	const { GitHub: Octokit } = await import("./load-utils.mjs");
	const quiet = () => {};
	const octokit = new Octokit({
		baseUrl: apiUrl,
		...token === void 0 || token === "" ? {} : { auth: `token ${token}` },
		request: { fetch: octokitFetch(http, apiUrl) },
		log: {
			debug: quiet,
			info: quiet,
			warn: quiet,
			error: quiet
		}
	});
	return octokit.paginate.iterator(octokit.rest.repos.listReleases, {
		owner,
		repo,
		per_page: pageSize
	})[Symbol.asyncIterator]();
}
function explained(error, apiUrl, repository, hadToken) {
	for (let at = error; at instanceof Error; at = at.cause) if (at instanceof Failure) return at;
	const what = `The releases of ${repository} could not be read from ${shownUrl(apiUrl)}`;
	const { status, headers } = answerOf(error);
	if (status === void 0) return new Failure("failure", `${what}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}.`, { cause: error });
	if (status === 429 || status === 403 && (headers["x-ratelimit-remaining"] === "0" || headers["retry-after"] !== void 0)) {
		const reset = Number(headers["x-ratelimit-reset"]);
		const until = Number.isFinite(reset) && reset > 0 ? ` until ${(/* @__PURE__ */ new Date(reset * 1e3)).toISOString().slice(0, 16).replace("T", " ")} UTC` : "";
		return new Failure("failure", `${what}: its limit of requests is used up${until}.`, {
			remedy: [hadToken ? "Wait, or give exact versions." : "Give a token (github-token, or GITHUB_TOKEN in the environment), or exact versions."],
			cause: error
		});
	}
	const reason = status === 401 ? "the token is not accepted (401)" : `it answered ${status}`;
	return new Failure(status === 401 || status === 403 ? "access" : "failure", `${what}: ${reason}.`, {
		remedy: [status === 401 ? "Give a token that is valid at this address, or none." : "Give exact versions, or see GITHUB_API_URL."],
		cause: error
	});
}
function answerOf(error) {
	if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return { headers: {} };
	const response = "response" in error ? error.response : void 0;
	return {
		status: error.status,
		headers: response?.headers ?? {}
	};
}

export { githubSource };