import { i as __toESM } from "./rolldown-runtime.mjs";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { r as require_api_request } from "./undici.mjs";
import { t as TooLarge } from "./too-large.mjs";

// src/http/attempt.ts
var import_api_request = /* @__PURE__ */ __toESM(require_api_request(), 1);
async function attempt(dispatcher, request, traffic) {
	const path = `${request.url.pathname}${request.url.search}`;
	traffic.up += request.method.length + path.length + 12 + headBytes(request.headers) + Buffer.byteLength(request.body ?? "");
	const answer = await import_api_request.default.call(dispatcher, {
		origin: request.url.origin,
		path,
		method: request.method,
		headers: request.headers,
		body: request.body ?? null,
		signal: request.signal,
		headersTimeout: 0,
		bodyTimeout: 0
	});
	const headers = flat(answer.headers);
	traffic.down += 17 + headBytes(headers);
	const declared = Number(headers["content-length"] ?? 0);
	if (request.method !== "HEAD" && declared > request.maxBytes) {
		answer.body.on("error", () => {}).destroy();
		throw new TooLarge(request.maxBytes);
	}
	const chunks = [];
	let size = 0;
	for await (const chunk of answer.body) {
		size += chunk.length;
		traffic.down += chunk.length;
		if (size > request.maxBytes) throw new TooLarge(request.maxBytes);
		chunks.push(chunk);
	}
	const body = Buffer.concat(chunks);
	return {
		status: answer.statusCode,
		headers,
		body: await decoded(body, headers, request)
	};
}
async function decoded(body, headers, request) {
	if (!(request.headers["accept-encoding"] === "gzip") || body.length === 0 || !/^(x-)?gzip$/i.test(headers["content-encoding"] ?? "")) return body;
	try {
		return await promisify(gunzip)(body, { maxOutputLength: request.maxBytes });
	} catch (error) {
		if (error instanceof RangeError) throw new TooLarge(request.maxBytes);
		throw error;
	}
}
function flat(headers) {
	const result = {};
	for (const [name, value] of Object.entries(headers)) if (value !== void 0) result[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
	return result;
}
function headBytes(headers) {
	return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}

export { attempt };