import { i as __toESM } from "./rolldown-runtime.mjs";
import { setTimeout } from "node:timers/promises";
import { Dt as splitCredentials, Et as shownUrl, Tt as parseUrl, un as Failure, wt as proxyFor } from "./core.mjs";
import { STATUS_CODES } from "node:http";
import { t as TooLarge } from "./too-large.mjs";

// src/http/retry.ts
const longestRetryAfter = 3e4;
const firstPause = 400;
const longestPause = 8e3;
function isPassingStatus(status) {
	return status === 429 || status >= 500 && status !== 501 && status !== 505;
}
const lasting = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|ENOTFOUND$|UND_ERR_INVALID_ARG$)/;
function isPassingFault(error) {
	return !lasting.test(faultCode(error));
}
function faultCode(error) {
	for (let at = error; at instanceof Error; at = at.cause) if ("code" in at && typeof at.code === "string") return at.code;
	return "";
}
function pauseBefore(next, retryAfter, now, random) {
	const pause = Math.min(longestPause, firstPause * 2 ** (next - 2));
	const jittered = pause / 2 + random() * (pause / 2);
	if (retryAfter === void 0) return jittered;
	const asked = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1e3 : Date.parse(retryAfter) - now;
	if (Number.isNaN(asked)) return jittered;
	return asked > longestRetryAfter ? void 0 : Math.max(asked, jittered);
}

// src/http/failures.ts
function statusFailure(asked, status, body) {
	const kind = status === 401 || status === 403 || status === 407 ? "access" : status === 404 || status === 410 ? "not-found" : "failure";
	const evidence = firstLine(body);
	return new Failure(kind, `${what(asked)} was answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd() + `${times(asked)}.`, {
		remedy: status >= 500 || status === 429 ? [`The server's trouble may pass: run it again later${orMirror(asked)}.`] : mirror(asked),
		...evidence === void 0 ? {} : { evidence: [evidence] }
	});
}
function faultFailure(asked, error, timeoutSeconds) {
	if (error instanceof TooLarge) return new Failure("failure", `${what(asked)} was given up: ${error.message}, which nothing here needs.`, {
		cause: error,
		remedy: mirror(asked)
	});
	const code = faultCode(error);
	if (error instanceof Error && error.name === "TimeoutError") return new Failure("failure", `${what(asked)} had no whole answer within ${timeoutSeconds} s${times(asked)}.`, {
		cause: error,
		remedy: network(asked)
	});
	const said = error instanceof Error && error.message !== "" ? error.message : String(error);
	const reason = code === "" || said.includes(code) ? said : `${said} (${code})`;
	return new Failure("failure", `${what(asked)} failed${times(asked)}: ${reason}.`, {
		cause: error,
		remedy: /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_)/.test(code) ? certificate(asked) : network(asked)
	});
}
function what(asked) {
	return `${asked.method} ${shownUrl(asked.url)}${asked.proxy === void 0 ? "" : ` through the proxy ${shownUrl(asked.proxy)}`}`;
}
function times(asked) {
	return asked.attempts > 1 ? `, ${asked.attempts} times` : "";
}
function network(asked) {
	const variable = asked.url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
	return [asked.proxy === void 0 ? `If this machine reaches ${asked.url.host} only through a proxy, set ${variable}.` : `See whether the proxy lets ${asked.url.host} through, or name the host in NO_PROXY.`, ...mirror(asked)];
}
function certificate(asked) {
	return [`If ${asked.url.host} has a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file before Node starts.`, ...mirror(asked)];
}
function mirror(asked) {
	return asked.mirrorOption === void 0 ? [] : [`A mirror of this upstream is named with ${asked.mirrorOption}.`];
}
function orMirror(asked) {
	return asked.mirrorOption === void 0 ? "" : `, or name a mirror with ${asked.mirrorOption}`;
}
function firstLine(body) {
	const text = Buffer.from(body.subarray(0, 2e3)).toString("utf8").trim();
	if (text === "" || text.startsWith("<")) return void 0;
	return text.split("\n")[0]?.slice(0, 300);
}

// src/http/index.ts
const maxRedirects = 5;
const defaultMaxBytes = 4194304;
const defaultTimeoutSeconds = 30;
function createHttp(options) {
	const traffic = {
		up: 0,
		down: 0
	};
	const dispatchers = /* @__PURE__ */ new Map();
	const sleep = options.sleep ?? ((ms, signal) => setTimeout(ms, void 0, signal === void 0 ? {} : { signal }));
	const dispatcherFor = (proxy) => {
		const key = proxy ?? "";
		const dispatcher = dispatchers.get(key) ?? openDispatcher(proxy);
		dispatchers.set(key, dispatcher);
		return dispatcher;
	};
	const ask = async (wire, request) => {
		const attempts = request.attempts ?? (wire.method === "POST" ? 1 : 4);
		const timeoutSeconds = request.timeoutSeconds ?? defaultTimeoutSeconds;
		const proxy = proxyFor(wire.url, options.environment);
		const { attempt } = await import("./load-attempt.mjs");
		const dispatcher = await dispatcherFor(proxy);
		for (let number = 1;; number += 1) {
			const asked = {
				method: wire.method,
				url: wire.url,
				attempts: number,
				proxy,
				mirrorOption: request.mirrorOption
			};
			let retryAfter;
			let failure;
			try {
				stopIfAborted(options.signal, asked);
				const answer = await attempt(dispatcher, {
					...wire,
					signal: bound(options.signal, timeoutSeconds)
				}, traffic);
				if (isTaken(answer.status, request.expect) || !isPassingStatus(answer.status)) return answer;
				retryAfter = answer.headers["retry-after"];
				failure = statusFailure(asked, answer.status, answer.body);
			} catch (error) {
				stopIfAborted(options.signal, asked);
				if (error instanceof Failure) throw error;
				failure = faultFailure(asked, error, timeoutSeconds);
				if (error instanceof TooLarge || !isPassingFault(error)) throw failure;
			}
			const wait = pauseBefore(number + 1, retryAfter, Date.now(), Math.random);
			if (number >= attempts || wait === void 0) throw failure;
			await sleep(wait, options.signal).catch(() => stopIfAborted(options.signal, asked));
		}
	};
	const http = async (address, request = {}) => {
		const first = splitCredentials(address);
		let url = first.url;
		let headers = {
			"user-agent": `kubehenge/${options.version}`,
			"accept-encoding": request.compressed === true ? "gzip" : "identity",
			accept: "*/*",
			...first.authorization === void 0 ? {} : { authorization: first.authorization },
			...lowerCased(request.headers ?? {})
		};
		const method = request.method ?? "GET";
		for (let redirects = 0;; redirects += 1) {
			const answer = await ask({
				method,
				url,
				headers,
				...request.body === void 0 ? {} : { body: request.body },
				maxBytes: request.maxBytes ?? defaultMaxBytes
			}, request);
			const location = answer.headers["location"];
			const asked = {
				method,
				url,
				attempts: 1,
				mirrorOption: request.mirrorOption
			};
			if (isTaken(answer.status, request.expect)) return response(url, answer);
			if (![
				301,
				302,
				303,
				307,
				308
			].includes(answer.status) || location === void 0) throw statusFailure(asked, answer.status, answer.body);
			const next = redirected(asked, location, redirects);
			if (next.origin !== url.origin) headers = withoutCredentials(headers);
			url = next;
		}
	};
	return Object.assign(http, {
		traffic,
		close: async () => {
			const open = await Promise.allSettled(dispatchers.values());
			dispatchers.clear();
			for (const result of open) if (result.status === "fulfilled") await result.value.destroy();
		}
	});
}
async function openDispatcher(proxy) {
	if (proxy === void 0) {
		const { default: Agent } = await import("./load-agent.mjs").then((m) => /* @__PURE__ */ __toESM(m.default, 1));
		return new Agent({ connect: { timeout: 1e4 } });
	}
	const { ProxyAgent } = await import("./load-undici.mjs").then((m) => /* @__PURE__ */ __toESM(m.default, 1));
	return new ProxyAgent({
		uri: proxy,
		proxyTunnel: false,
		connect: { timeout: 1e4 }
	});
}
function redirected(asked, location, redirects) {
	const from = shownUrl(asked.url);
	const next = parseUrl(location, asked.url);
	if (next === void 0 || next.protocol !== "http:" && next.protocol !== "https:") throw new Failure("failure", `${from} redirects to something that is not an http or https address.`);
	if (asked.method === "POST") throw new Failure("failure", `POST ${from} is redirected to ${shownUrl(next)}; what is sent does not follow.`, { remedy: [`Give ${next.origin} as the address${asked.mirrorOption === void 0 ? "" : ` with ${asked.mirrorOption}`}, if it is meant.`] });
	if (asked.url.protocol === "https:" && next.protocol === "http:") throw new Failure("failure", `${from} redirects from https to ${shownUrl(next)}, which anybody on the way could change; not followed.`);
	if (redirects >= maxRedirects) throw new Failure("failure", `${from} redirects once more, after ${maxRedirects} redirects; given up.`);
	next.username = "";
	next.password = "";
	return next;
}
function bound(signal, seconds) {
	const time = AbortSignal.timeout(Math.ceil(seconds * 1e3));
	return signal === void 0 ? time : AbortSignal.any([signal, time]);
}
function stopIfAborted(signal, asked) {
	if (signal?.aborted !== true) return;
	if (signal.reason instanceof Failure) throw signal.reason;
	throw new Failure("interrupted", `Stopped while asking ${shownUrl(asked.url)}.`, { cause: signal.reason });
}
function isTaken(status, expect) {
	return status >= 200 && status < 300 || (expect?.includes(status) ?? false);
}
function response(url, answer) {
	const text = () => Buffer.from(answer.body).toString("utf8");
	return {
		...answer,
		url: url.href,
		text,
		json: () => {
			try {
				return JSON.parse(text());
			} catch (error) {
				throw new Failure("failure", `${shownUrl(url)} did not answer with JSON.`, { cause: error });
			}
		}
	};
}
function lowerCased(headers) {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
function withoutCredentials(headers) {
	return Object.fromEntries(Object.entries(headers).filter(([name]) => ![
		"authorization",
		"cookie",
		"proxy-authorization"
	].includes(name)));
}

export { createHttp as t };