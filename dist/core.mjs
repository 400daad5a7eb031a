import { _ as url, a as array, c as int, d as number$1, f as object, g as unknown, h as union, i as _enum, l as literal, m as string, n as number, o as boolean$1, p as record, s as discriminatedUnion, t as boolean, u as looseObject } from "./zod.mjs";
import { n as version$1, t as requestDefaults } from "./start.mjs";
import { createHash, randomBytes } from "node:crypto";
import * as https from "node:https";
import * as net from "node:net";
import { BlockList, isIP, isIPv4 } from "node:net";
import * as tls from "node:tls";

// src/failure/failure.ts
var Failure = class extends Error {
	name = "Failure";
	kind;
	remedy;
	evidence;
	constructor(kind, message, detail = {}) {
		super(message, detail.cause === void 0 ? void 0 : { cause: detail.cause });
		this.kind = kind;
		this.remedy = detail.remedy ?? [];
		this.evidence = detail.evidence ?? [];
	}
};

// src/proxmox/error.ts
var ProxmoxError = class extends Failure {
	name = "ProxmoxError";
	call;
	status;
	reason;
	treatment;
	constructor(kind, message, detail) {
		super(kind, message, detail);
		this.call = detail.call;
		this.status = detail.status;
		this.reason = detail.reason;
		this.treatment = detail.treatment;
	}
};
function treatment(status, reason) {
	if (/can't lock file .* got timeout|got lock timeout|unable to acquire .*lock|cfs-lock .* error/i.test(reason)) return "locked";
	if (status === 595) return "not-sent";
	if (status === 596 || status === 599 || status === 502 || status === 503 || status === 504) return "ambiguous";
	return "final";
}
function kindOf$2(status, reason) {
	if (status === 401 || status === 403) return "access";
	if (/does not exist|no such/i.test(reason)) return "not-found";
	if (/is locked|can't lock file|lock timeout|already exists|protection mode/i.test(reason)) return "conflict";
	return "failure";
}
function isNodeDown(error) {
	return error.status === 595 || /no route to host|hostname lookup/i.test(error.reason);
}
function isMissingVm(error) {
	return error instanceof ProxmoxError && /^Configuration file '.*' does not exist/.test(error.reason);
}
function remedyFor(status, reason, tokenName) {
	if (status === 401) return /ticket/i.test(reason) ? ["give an API token as USER@REALM!TOKENID=SECRET"] : [`check the token ${tokenName} and its secret: the secret is shown once, when the token is made (\`pveum user token add\`)`];
	if (status === 403) return privilegeRemedy(reason, tokenName);
	if (status === 596 && /certificate verify|ssl|tls/i.test(reason)) return ["this is between the cluster's nodes, not about this program's TLS options: run `pvecm updatecerts` on the nodes"];
	if (status === 595) return ["a node of the cluster cannot be reached from the one that was asked: look at `pvecm status`"];
	if (status === 596 || status === 599) return ["the node answered too late: a slow or hanging storage is the usual reason (`pvesm status` on that node)"];
	if (/no space left/i.test(reason)) return ["uploads are spooled in /var/tmp on the node that is asked: make room there"];
	return [];
}
function privilegeRemedy(reason, tokenName) {
	const named = /\((\/[^,\s)]*),\s*([A-Za-z.]+)/.exec(reason);
	if (!named?.[1] || !named[2]) return [`look at what the token may do: pveum user permissions '${tokenName.split("!")[0]}'`];
	return grantLines(named[1], [named[2]], tokenName);
}
function grantLines(path, privileges, tokenName) {
	const role = `Kubehenge${path.split("/").filter(Boolean).slice(0, 1).join("").replace(/^./, (c) => c.toUpperCase()) || "Root"}`;
	const user = tokenName.split("!")[0] ?? tokenName;
	return [`pveum role add ${role} --privs "${privileges.join(" ")}" || pveum role modify ${role} --append 1 --privs "${privileges.join(" ")}"`, `pveum acl modify ${path} --roles ${role} --users '${user}'${tokenName.includes("!") ? ` --tokens '${tokenName}'` : ""}`];
}

// src/proxmox/authentication.ts
function identityOf(authentication) {
	return authentication.kind === "token" ? authentication.token.slice(0, authentication.token.indexOf("=")) : authentication.user;
}
const renewAfterMs = 36e5;
const ticketSchema = object({ data: object({
	username: string(),
	ticket: string(),
	CSRFPreventionToken: string().optional(),
	NeedTFA: number().optional()
}) });
function authenticate(authentication, clock, send) {
	if (authentication.kind === "token") {
		const headers = { authorization: `PVEAPIToken=${authentication.token}` };
		return { headers: async () => headers };
	}
	let opening;
	const current = async () => {
		opening ??= "ticket" in authentication ? Promise.resolve({
			ticket: authentication.ticket,
			csrfToken: authentication.csrfToken,
			since: clock.now()
		}) : login(authentication.user, authentication.password);
		const held = await opening;
		if (clock.now() - held.since < renewAfterMs) return held;
		opening = login(authentication.user, held.ticket);
		return await opening;
	};
	const login = async (user, password) => {
		const since = clock.now();
		const answer = await send({
			method: "POST",
			path: "/api2/json/access/ticket",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: Buffer.from(new URLSearchParams({
				username: user,
				password
			}).toString())
		});
		if (answer.status !== 200) throw new Failure("access", `Proxmox VE does not let ${user} in: ${answer.status} ${answer.reason}`, { remedy: ["check user, realm (USER@REALM) and password; a session ends after 2 h without renewal"] });
		const { data } = ticketSchema.parse(JSON.parse(answer.text));
		if (data.NeedTFA || !data.CSRFPreventionToken) throw new Failure("access", `Proxmox VE asks ${user} for a second factor, which cannot be given here`, { remedy: ["use an API token: tokens need no second factor"] });
		return {
			ticket: data.ticket,
			csrfToken: data.CSRFPreventionToken,
			since
		};
	};
	return { async headers(method) {
		const { ticket, csrfToken } = await current();
		return {
			cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
			...method === "GET" ? {} : { csrfpreventiontoken: csrfToken }
		};
	} };
}

// src/proxmox/multipart.ts
function multipart(fields, upload) {
	const boundary = `kubehenge${randomBytes(12).toString("hex")}`;
	const parts = [];
	for (const [name, value] of Object.entries(fields)) {
		if (value === void 0) continue;
		parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
	}
	const head = `Content-Disposition: form-data; name="filename"; filename="${upload.fileName}"\r\nContent-Type: application/octet-stream`;
	parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), upload.bytes, Buffer.from(`\r\n--${boundary}--\r\n`));
	return {
		type: `multipart/form-data; boundary=${boundary}`,
		bytes: Buffer.concat(parts)
	};
}

// src/proxmox/repeat.ts
const gatewayAttempts = 5;
const lockAttempts = 6;
function mayRepeat(method, error, attempt) {
	if (!(error instanceof ProxmoxError)) return false;
	if (error.treatment === "locked") return attempt < lockAttempts;
	if (error.treatment === "not-sent") return attempt < gatewayAttempts;
	return error.treatment === "ambiguous" && method === "GET" && attempt < gatewayAttempts;
}
function pauseMs(error, attempt) {
	return (error instanceof ProxmoxError && error.treatment === "locked" ? 1e3 : 250) * 2 ** (attempt - 1) * (.75 + Math.random() / 2);
}

// src/proxmox/connection.ts
function parseConnection(input, name) {
	if (!input.url) throw new Failure("usage", `No Proxmox VE address: ${name("url")} is empty, such as https://pve.example.org:8006`);
	if (!input.token && !input.session) throw new Failure("usage", `No Proxmox VE API token: ${name("token")} is empty, such as root@pam!kubehenge=UUID`);
	return {
		origin: parseOrigin(input.url, name("url")),
		authentication: input.session ? parseSession(input.session) : {
			kind: "token",
			token: parseToken(input.token ?? "", name("token"))
		},
		ca: input.ca === void 0 || input.ca === "" ? void 0 : parseCa(input.ca, name("ca")),
		fingerprint: input.fingerprint ? parseFingerprint(input.fingerprint, name("fingerprint")) : void 0,
		insecure: input.insecure
	};
}
function parseOrigin(text, option) {
	const withScheme = text.includes("://") ? text : `https://${text}`;
	if (!URL.canParse(withScheme)) throw new Failure("usage", `${option} is not an address: ${JSON.stringify(text)}`);
	const url = new URL(withScheme);
	if (url.username || url.password) throw new Failure("usage", `${option} carries a user name or password; leave them out, the token is enough`);
	if (url.protocol !== "https:") throw new Failure("usage", `${option} is ${url.protocol}//…; the Proxmox VE API is served over https only`);
	if (!/^\/(api2(\/json)?\/?)?$/.test(url.pathname) || url.search || url.hash) throw new Failure("usage", `${option} has a path (${url.pathname}${url.search}${url.hash}); give only https://HOST:PORT`);
	const explicitPort = /:\d+\/?(api2.*)?$/.exec(text);
	return url.port || explicitPort ? `https://${url.hostname}:${url.port || "443"}` : `https://${url.hostname}:8006`;
}
function parseToken(text, option) {
	const token = text.trim().replace(/^PVEAPIToken=/, "");
	if (!/^[^\s!=:]+@[A-Za-z][A-Za-z0-9.\-_]*![A-Za-z][A-Za-z0-9.\-_]*=[^\s=]+$/.test(token)) throw new Failure("usage", `${option} does not look like a Proxmox VE API token: USER@REALM!TOKENID=SECRET is wanted`);
	return token;
}
function parseSession({ user, password }) {
	if (!/^[^\s!=:/]+@[A-Za-z][A-Za-z0-9.\-_]*$/.test(user)) throw new Failure("usage", `${JSON.stringify(user)} is not a user of Proxmox VE: USER@REALM is wanted, such as root@pam`);
	return {
		kind: "session",
		user,
		password
	};
}
function parseCa(text, option) {
	if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new Failure("usage", `${option} holds no PEM certificate (-----BEGIN CERTIFICATE-----)`, { remedy: ["on a Proxmox VE node the cluster's own authority is /etc/pve/pve-root-ca.pem"] });
	return text;
}
function parseFingerprint(text, option) {
	const hex = text.trim().replace(/^sha-?256[:=]/i, "").replaceAll(":", "").toLowerCase();
	if (!/^[0-9a-f]{64}$/.test(hex)) throw new Failure("usage", `${option} is not a SHA-256 fingerprint (64 hex digits, colons allowed): ${JSON.stringify(text)}`, { remedy: ["`pvenode cert info` on the node shows it, and so does Node > Certificates in the web interface"] });
	return hex;
}
function colonHex(hex) {
	return (hex.match(/../g) ?? []).join(":").toUpperCase();
}

// src/proxmox/socket.ts
async function openSocket(connection, proxy, timeoutMs) {
	const target = new URL(connection.origin);
	const host = bareHost(target);
	const port = Number(target.port || 443);
	const tunnel = proxy ? await openTunnel(proxy, `${target.hostname}:${port}`, timeoutMs) : void 0;
	const socket = tls.connect({
		...tunnel ? { socket: tunnel } : {
			host,
			port
		},
		...net.isIP(host) ? {} : { servername: host },
		...connection.ca ? { ca: connection.ca } : {},
		rejectUnauthorized: !connection.insecure && !connection.fingerprint,
		ALPNProtocols: ["http/1.1"]
	});
	socket.setNoDelay(true);
	await secured(socket, timeoutMs, `no answer from ${connection.origin}`);
	if (connection.fingerprint) checkFingerprint(socket, connection.fingerprint, connection.origin);
	return socket;
}
function bareHost(url) {
	return url.hostname.replace(/^\[|\]$/g, "");
}
function checkFingerprint(socket, expected, origin) {
	const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(":", "").toLowerCase();
	if (shown === expected) return;
	socket.destroy();
	throw new Failure("verification", `${origin} shows the certificate ${shown ? colonHex(shown) : "(none)"}, not the expected ${colonHex(expected)}; the token was not sent`, { remedy: ["compare with `pvenode cert info` on the node itself; if the certificate was renewed, set the fingerprint anew"] });
}
async function openTunnel(proxy, authority, timeoutMs) {
	const http = await import("node:http");
	const where = `the proxy ${proxy.protocol}//${proxy.host}`;
	const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
	return await new Promise((resolve, reject) => {
		const request = http.request({
			host: bareHost(proxy),
			port: proxy.port || 80,
			method: "CONNECT",
			path: authority,
			timeout: timeoutMs,
			headers: {
				host: authority,
				...proxy.username ? { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` } : {}
			}
		});
		request.on("connect", (answer, socket) => {
			if (answer.statusCode === 200) return resolve(socket);
			socket.destroy();
			const refusal = `${where} refused a connection to ${authority}: ${answer.statusCode} ${answer.statusMessage}`;
			reject(new Failure("failure", refusal, { remedy: ["name the Proxmox VE host in NO_PROXY if it is to be reached directly"] }));
		});
		request.on("timeout", () => request.destroy(Object.assign(/* @__PURE__ */ new Error(`no answer from ${where}`), { code: "ETIMEDOUT" })));
		request.on("error", reject);
		request.end();
	});
}
function secured(socket, timeoutMs, late) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => socket.destroy(Object.assign(new Error(late), { code: "ETIMEDOUT" })), timeoutMs);
		const fail = (error) => {
			clearTimeout(timer);
			reject(error);
		};
		socket.once("error", fail);
		socket.once("close", () => fail(Object.assign(/* @__PURE__ */ new Error("the connection was closed"), { code: "ECONNRESET" })));
		socket.once("secureConnect", () => {
			clearTimeout(timer);
			socket.off("error", fail);
			resolve();
		});
	});
}

// src/proxmox/transport.ts
var NoAnswer = class extends Error {
	name = "NoAnswer";
	sent;
	constructor(cause, sent) {
		super(cause.message || cause.code || "the connection failed", { cause });
		this.sent = sent;
	}
};
const connectMs = 1e4;
const idleMs = 4e3;
const answerLimitMiB = 32;
function createTransport(connection, options = {}) {
	const timeoutMs = options.timeoutMs ?? 6e4;
	const agent = new https.Agent({
		keepAlive: true,
		maxSockets: 8,
		timeout: idleMs
	});
	const refusedBeforeSending = /* @__PURE__ */ new WeakSet();
	agent.createConnection = (_options, callback) => {
		openSocket(connection, options.proxy, connectMs).then((socket) => callback?.(null, socket), (error) => {
			refusedBeforeSending.add(error);
			callback?.(error, void 0);
		});
	};
	const traffic = {
		up: 0,
		down: 0
	};
	const origin = new URL(connection.origin);
	const send = (exchange, signal) => new Promise((resolve, reject) => {
		const request = https.request({
			host: bareHost(origin),
			port: origin.port || 443,
			method: exchange.method,
			path: exchange.path,
			headers: {
				...exchange.headers,
				...exchange.body ? { "content-length": String(exchange.body.length) } : {}
			},
			agent,
			...signal ? { signal } : {}
		});
		const late = () => request.destroy(Object.assign(/* @__PURE__ */ new Error(`no answer within ${timeoutMs / 1e3} s`), { code: "ETIMEDOUT" }));
		const timer = setTimeout(late, timeoutMs);
		const fail = (error) => {
			clearTimeout(timer);
			if (signal?.aborted) reject(signal.reason);
			else if (error instanceof Failure) reject(error);
			else reject(new NoAnswer(error, !refusedBeforeSending.has(error)));
		};
		request.on("error", fail);
		request.on("response", (response) => {
			const chunks = [];
			let size = 0;
			response.on("data", (chunk) => {
				size += chunk.length;
				if (size > answerLimitMiB * 1024 * 1024) request.destroy(/* @__PURE__ */ new Error(`an answer of more than ${answerLimitMiB} MiB`));
				chunks.push(chunk);
			});
			response.on("error", fail);
			response.on("end", () => {
				clearTimeout(timer);
				traffic.down += size;
				resolve({
					status: response.statusCode ?? 0,
					reason: response.statusMessage ?? "",
					text: Buffer.concat(chunks).toString("utf8")
				});
			});
		});
		traffic.up += exchange.body?.length ?? 0;
		request.end(exchange.body);
	});
	const open = async () => {
		try {
			return await openSocket(connection, options.proxy, connectMs);
		} catch (error) {
			throw error instanceof Failure ? error : new NoAnswer(error, false);
		}
	};
	return {
		send,
		open,
		traffic,
		close: () => agent.destroy()
	};
}

// src/proxmox/websocket.ts
var UpgradeRefused = class extends Error {
	name = "UpgradeRefused";
	status;
	reason;
	constructor(status, reason) {
		super(`${status} ${reason}`);
		this.status = status;
		this.reason = reason;
	}
};
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const headLimit = 16384;
const frameLimit = 1048576;
const opcodes = {
	continuation: 0,
	text: 1,
	binary: 2,
	close: 8,
	ping: 9,
	pong: 10
};
async function startWebSocket(socket, request) {
	const key = randomBytes(16).toString("base64");
	const reader = frameReader(socket, request);
	let closed = false;
	const end = () => {
		if (closed) return;
		closed = true;
		socket.destroy();
		request.onClose();
	};
	const rest = await handshake(socket, request, key);
	socket.on("error", end);
	socket.on("end", end);
	socket.on("close", end);
	socket.on("data", (bytes) => {
		if (!closed && !reader(bytes)) end();
	});
	if (rest.length > 0 && !reader(rest)) end();
	if (socket.destroyed) end();
	return {
		send: (text) => {
			if (!closed) socket.write(frame(opcodes.text, Buffer.from(text)));
		},
		close: () => {
			if (!closed) socket.write(frame(opcodes.close, Buffer.from([3, 232])));
			end();
		}
	};
}
function handshake(socket, request, key) {
	return new Promise((resolve, reject) => {
		let received = Buffer.alloc(0);
		const settle = (error, rest = Buffer.alloc(0)) => {
			clearTimeout(timer);
			socket.off("data", onData);
			socket.off("error", settle);
			socket.off("end", onClose);
			socket.off("close", onClose);
			if (!error) return resolve(rest);
			socket.destroy();
			reject(error);
		};
		const onClose = () => settle(/* @__PURE__ */ new Error("the connection was closed before a WebSocket was open"));
		const onData = (bytes) => {
			received = Buffer.concat([received, bytes]);
			const end = received.indexOf("\r\n\r\n");
			if (end < 0) {
				if (received.length > headLimit) settle(/* @__PURE__ */ new Error("an answer without an end of its head"));
				return;
			}
			const refused = refusal(received.subarray(0, end).toString("latin1").split("\r\n"), key, request.protocol);
			settle(refused, received.subarray(end + 4));
		};
		const timer = setTimeout(() => settle(/* @__PURE__ */ new Error(`no answer within ${request.timeoutMs / 1e3} s`)), request.timeoutMs);
		socket.on("data", onData);
		socket.on("error", settle);
		socket.on("end", onClose);
		socket.on("close", onClose);
		const headers = {
			host: request.host,
			upgrade: "websocket",
			connection: "Upgrade",
			"sec-websocket-key": key,
			"sec-websocket-version": "13",
			"sec-websocket-protocol": request.protocol,
			...request.headers
		};
		const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
		socket.write(`GET ${request.path} HTTP/1.1\r\n${lines.join("")}\r\n`);
	});
}
function refusal(head, key, protocol) {
	const status = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(head[0] ?? "");
	if (!status) return /* @__PURE__ */ new Error("the answer is not HTTP");
	if (status[1] !== "101") return new UpgradeRefused(Number(status[1]), status[2] ?? "");
	const headers = new Map(head.slice(1).map((line) => {
		const colon = line.indexOf(":");
		return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
	}));
	const accept = createHash("sha1").update(`${key}${acceptSuffix}`).digest("base64");
	if (headers.get("sec-websocket-accept") !== accept) return /* @__PURE__ */ new Error("the answer to the WebSocket's key is wrong");
	if ((headers.get("sec-websocket-protocol") ?? protocol) !== protocol) return /* @__PURE__ */ new Error(`the server chose another protocol: ${headers.get("sec-websocket-protocol")}`);
}
function frameReader(socket, { onData }) {
	let pending = Buffer.alloc(0);
	return (bytes) => {
		pending = Buffer.concat([pending, bytes]);
		for (;;) {
			const next = readFrame(pending);
			if (next === "incomplete") return true;
			if (next === "broken") return false;
			pending = pending.subarray(next.size);
			switch (next.opcode) {
				case opcodes.continuation:
				case opcodes.text:
				case opcodes.binary:
					onData(next.payload);
					break;
				case opcodes.ping:
					socket.write(frame(opcodes.pong, next.payload));
					break;
				case opcodes.pong: break;
				default: return false;
			}
		}
	};
}
function readFrame(bytes) {
	if (bytes.length < 2) return "incomplete";
	const [first = 0, second = 0] = bytes;
	if ((first & 112) !== 0 || (second & 128) !== 0) return "broken";
	const short = second & 127;
	const header = short === 126 ? 4 : short === 127 ? 10 : 2;
	if (bytes.length < header) return "incomplete";
	const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
	if (length > frameLimit) return "broken";
	if (bytes.length < header + length) return "incomplete";
	return {
		opcode: first & 15,
		payload: bytes.subarray(header, header + length),
		size: header + length
	};
}
function frame(opcode, payload) {
	const length = payload.length;
	const head = length < 126 ? Buffer.from([128 | opcode, 128 | length]) : Buffer.from([
		128 | opcode,
		254,
		length >> 8,
		length & 255
	]);
	if (length > 65535) throw new RangeError("a message of more than 64 KiB");
	const mask = randomBytes(4);
	return Buffer.concat([
		head,
		mask,
		payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))
	]);
}

// src/proxmox/client.ts
function apiPath(literals, ...values) {
	return literals.reduce((path, literal, at) => {
		const value = values[at - 1];
		if (value === "" || value === "." || value === "..") throw new Failure("usage", `An empty or relative name cannot be asked for below ${path}`);
		return path + encodeURIComponent(String(value)) + literal;
	});
}
function createProxmox(options) {
	const { connection, transport, clock } = options;
	const count = {
		calls: 0,
		get up() {
			return transport.traffic.up;
		},
		get down() {
			return transport.traffic.down;
		}
	};
	const tokenName = identityOf(connection.authentication);
	const authenticator = authenticate(connection.authentication, clock, (exchange) => {
		count.calls += 1;
		return transport.send(exchange, options.signal);
	});
	const once = async (call, signal) => {
		signal?.throwIfAborted();
		const name = `${call.method} ${call.path}`;
		const inQuery = call.method === "GET" || call.method === "DELETE";
		const form = encodeForm(call.parameters);
		const body = call.upload ? multipart(call.parameters ?? {}, call.upload) : !inQuery ? {
			type: "application/x-www-form-urlencoded",
			bytes: Buffer.from(form)
		} : void 0;
		count.calls += 1;
		let answer;
		let credentials = {};
		try {
			credentials = await authenticator.headers(call.method);
			answer = await transport.send({
				method: call.method,
				path: `/api2/json${call.path}${inQuery && form ? `?${form}` : ""}`,
				headers: {
					...credentials,
					accept: "application/json",
					...body ? { "content-type": body.type } : {}
				},
				body: body?.bytes
			}, call.method === "GET" ? signal : later(signal, writeGraceMs));
		} catch (error) {
			if (!(error instanceof NoAnswer)) throw error;
			throw unanswered(name, connection.origin, error);
		}
		if (answer.status !== 200) throw refused(name, withoutCredentials(answer, credentials), tokenName);
		return parse(name, answer, call.schema);
	};
	const openWebSocket = async (call, signal) => {
		signal?.throwIfAborted();
		const name = `GET ${call.path}`;
		count.calls += 1;
		try {
			const headers = await authenticator.headers("GET");
			const { host } = new URL(connection.origin);
			const path = `/api2/json${call.path}?${encodeForm(call.parameters)}`;
			const request = {
				...call,
				host,
				path,
				headers,
				timeoutMs: upgradeMs
			};
			return await startWebSocket(await transport.open(), request);
		} catch (error) {
			if (error instanceof Failure) throw error;
			if (error instanceof UpgradeRefused) throw refused(name, {
				status: error.status,
				reason: error.reason,
				text: ""
			}, tokenName);
			throw unanswered(name, connection.origin, error instanceof NoAnswer ? error : new NoAnswer(error, true));
		}
	};
	const under = (signal) => ({
		openWebSocket: (call) => openWebSocket(call, signal),
		call: async (call) => {
			for (let attempt = 1;; attempt += 1) try {
				return await once(call, signal);
			} catch (error) {
				if (!mayRepeat(call.method, error, attempt)) throw error;
				await clock.sleep(pauseMs(error, attempt), signal);
			}
		},
		under,
		signal,
		clock,
		tokenName,
		origin: connection.origin,
		count,
		close: () => transport.close()
	});
	return under(options.signal);
}
const writeGraceMs = 3e3;
const upgradeMs = 3e4;
function later(signal, graceMs) {
	if (!signal) return void 0;
	const controller = new AbortController();
	const end = () => setTimeout(() => controller.abort(signal.reason), graceMs).unref();
	if (signal.aborted) end();
	else signal.addEventListener("abort", end, { once: true });
	return controller.signal;
}
function encodeForm(parameters = {}) {
	const form = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== void 0) form.append(name, String(value));
	return form.toString();
}
function withoutCredentials(answer, credentials) {
	const secrets = Object.values(credentials).flatMap((value) => value.split("=").map((_part, at, parts) => parts.slice(at).join("=")));
	const hide = (text) => secrets.filter((secret) => secret.length >= 6).reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
	return {
		...answer,
		reason: hide(answer.reason),
		text: hide(answer.text)
	};
}
function unanswered(call, origin, error) {
	const code = error.cause?.code ?? "";
	const details = {
		call,
		status: 0,
		reason: error.message,
		cause: error
	};
	if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) return new ProxmoxError("verification", `${call}: the certificate of ${origin} is not trusted: ${error.message}`, {
		...details,
		treatment: "final",
		remedy: ["give the authority's certificate (on a node: /etc/pve/pve-root-ca.pem) or the certificate's SHA-256 fingerprint (`pvenode cert info`)"]
	});
	return new ProxmoxError("failure", `${call}: ${origin} gave no answer: ${error.message}`, {
		...details,
		treatment: error.sent ? "ambiguous" : "not-sent",
		remedy: [`check that ${origin} is the address of the Proxmox VE API (port 8006) and can be reached from here; proxies are taken from HTTPS_PROXY and NO_PROXY`]
	});
}
function refused(call, answer, tokenName) {
	const { message, errors } = errorBody(answer.text);
	const reason = [message && message !== "Parameter verification failed." ? message : answer.reason || `HTTP status ${answer.status}`, ...Object.entries(errors).map(([field, text]) => `${field}: ${text.trim()}`)].join("; ");
	return new ProxmoxError(kindOf$2(answer.status, reason), `${call}: Proxmox VE answered ${answer.status} ${reason}`, {
		call,
		status: answer.status,
		reason,
		treatment: treatment(answer.status, reason),
		remedy: remedyFor(answer.status, reason, tokenName)
	});
}
function errorBody(text) {
	try {
		const body = JSON.parse(text);
		const errors = typeof body.errors === "object" && body.errors !== null ? Object.entries(body.errors).map(([key, value]) => [key, String(value)]) : [];
		return {
			message: typeof body.message === "string" ? body.message.trim() : "",
			errors: Object.fromEntries(errors)
		};
	} catch {
		return {
			message: "",
			errors: {}
		};
	}
}
function parse(call, answer, schema) {
	let body;
	try {
		body = JSON.parse(answer.text);
	} catch {
		throw new Failure("failure", `${call}: the answer is not JSON: is this the Proxmox VE API?`, { remedy: ["check the address; a login page or another service answers there"] });
	}
	const checked = schema.safeParse(body.data);
	if (!checked.success) {
		const issue = checked.error.issues[0];
		throw new Failure("failure", `${call}: Proxmox VE answered something unexpected at ${issue?.path.join(".") || "its top"}: ${issue?.message}`, { cause: checked.error });
	}
	return checked.data;
}

// src/time/duration.ts
function sayDuration(ms) {
	if (ms < 1e3) return `${Math.round(ms)} ms`;
	if (ms < 6e4) return `${(ms / 1e3).toFixed(1)} s`;
	const seconds = Math.round(ms / 1e3);
	const two = (n) => String(n).padStart(2, "0");
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
	return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds % 3600 / 60))} min`;
}

// src/proxmox/task.ts
const upidSchema = string().regex(/^UPID:[^:]+:[0-9A-F]+:[0-9A-F]+:[0-9A-F]+:[^:]+:[^:]*:[^:]+:$/i);
const statusSchema$1 = object({
	status: _enum(["running", "stopped"]),
	exitstatus: string().optional()
});
const logSchema = array(object({
	n: int(),
	t: string()
}));
const firstPollMs = 150;
const slowestPollMs = 2e3;
const shortTaskLossMs = 1500;
const progressEveryMs = 15e3;
async function waitForTask(proxmox, upid, wait) {
	const node = taskNode(upid);
	const { clock, signal } = proxmox;
	const started = clock.now();
	const progress = {
		lines: 0,
		grownAt: started,
		askedAt: started
	};
	for (let pause = firstPollMs;; pause = nextPause(pause, clock.now() - started)) {
		await clock.sleep(pause, signal);
		const status = await proxmox.call({
			method: "GET",
			path: apiPath`/nodes/${node}/tasks/${upid}/status`,
			schema: statusSchema$1
		});
		if (status.status === "stopped") return await finish(proxmox, upid, wait.doing, status.exitstatus);
		if (clock.now() - progress.askedAt < progressEveryMs) continue;
		progress.askedAt = clock.now();
		const last = (await taskLog(proxmox, upid, progress.lines)).at(-1);
		if (last) {
			progress.lines = last.n;
			progress.grownAt = clock.now();
			wait.onProgress?.(last.t);
		}
		const still = clock.now() - progress.grownAt;
		if (wait.stallMs !== void 0 && still > wait.stallMs) throw new TaskFailure("deadline", `${wait.doing}: the task has shown no progress for ${sayDuration(still)} (its own bound is ${sayDuration(wait.stallMs)})`, upid, "stalled", await tail(proxmox, upid));
	}
}
function nextPause(pause, elapsed) {
	return Math.min(pause * 2, Math.max(elapsed / 10, shortTaskLossMs), slowestPollMs);
}
var TaskFailure = class extends Failure {
	name = "TaskFailure";
	upid;
	exitStatus;
	constructor(kind, message, upid, exitStatus, evidence) {
		super(kind, message, { evidence });
		this.upid = upid;
		this.exitStatus = exitStatus;
	}
	get outcomeUnknown() {
		return workerDied(this.exitStatus);
	}
	get lockTimeout() {
		return /can't lock file .* got timeout|got lock timeout|lock.* timeout/i.test(this.exitStatus);
	}
};
function workerDied(exitStatus) {
	return exitStatus === void 0 || exitStatus === "" || exitStatus === "unexpected status" || /^unable to (read tail|get last line)|interrupted by signal|^got unexpected/i.test(exitStatus);
}
async function finish(proxmox, upid, doing, first) {
	let exitStatus = first;
	if (workerDied(exitStatus)) {
		await proxmox.clock.sleep(1e3, proxmox.signal);
		exitStatus = (await proxmox.call({
			method: "GET",
			path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}/status`,
			schema: statusSchema$1
		})).exitstatus ?? exitStatus;
	}
	if (exitStatus === "OK") return {
		upid,
		warnings: []
	};
	if (exitStatus && /^WARNINGS: \d+$/.test(exitStatus)) {
		const warnings = (await taskLog(proxmox, upid, 0)).map((line) => line.t).filter((line) => /^WARN/i.test(line));
		return {
			upid,
			warnings: warnings.length > 0 ? warnings : [exitStatus]
		};
	}
	const evidence = await tail(proxmox, upid);
	const said = exitStatus && !workerDied(exitStatus) ? exitStatus : `its worker died (${exitStatus || "no exit status"}), the outcome is unknown`;
	const kind = /permission check failed/i.test(said) ? "access" : /is locked|lock.*timeout|still in use|already exists/i.test(said) ? "conflict" : /checksum mismatch/i.test(said) ? "verification" : "failure";
	throw new TaskFailure(kind, `${doing}: the Proxmox VE task failed: ${said}`, upid, exitStatus ?? "", evidence);
}
async function taskLog(proxmox, upid, start) {
	return await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}/log`,
		parameters: {
			start,
			limit: 500
		},
		schema: logSchema
	});
}
async function tail(proxmox, upid) {
	try {
		return (await taskLog(proxmox, upid, 0)).slice(-10).map((line) => line.t);
	} catch {
		return [];
	}
}
async function stopTask(proxmox, upid) {
	await proxmox.call({
		method: "DELETE",
		path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}`,
		schema: unknown()
	});
}
function taskOwner(upid) {
	return upid.split(":")[7] ?? "";
}
function taskStart(upid) {
	return Number.parseInt(upid.split(":")[4] ?? "", 16);
}
function taskNode(upid) {
	return upid.split(":")[1] ?? "";
}
const listedTask = object({
	upid: string(),
	type: string(),
	id: string().optional(),
	starttime: number$1(),
	status: string().optional(),
	endtime: number$1().optional()
});
async function findTask(proxmox, node, match) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/tasks`,
		parameters: {
			source: "all",
			typefilter: match.type,
			vmid: match.vmid,
			limit: 50
		},
		schema: array(listedTask)
	})).filter((task) => task.type === match.type && (task.id ?? "") === match.id).sort((a, b) => b.starttime - a.starttime)[0];
}

// src/proxmox/storage.ts
const storageRow = object({
	storage: string(),
	type: string(),
	content: string().transform((text) => text.split(",").sort()),
	shared: number().default(0).transform(Boolean),
	enabled: number().default(1).transform(Boolean),
	active: number().default(1).transform(Boolean),
	avail: number$1().optional()
});
async function listStorages(proxmox, node) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/storage`,
		schema: array(storageRow)
	})).map((row) => ({
		name: row.storage,
		type: row.type,
		content: row.content,
		shared: row.shared,
		usable: row.enabled && row.active,
		availBytes: row.avail
	})).sort((a, b) => a.name.localeCompare(b.name));
}
const fileTypes = /* @__PURE__ */ new Set([
	"dir",
	"btrfs",
	"nfs",
	"cifs",
	"cephfs",
	"glusterfs"
]);
function takesFormat(storage) {
	return fileTypes.has(storage.type);
}
const volumeRow = object({
	volid: string(),
	size: number$1().optional(),
	ctime: number$1().optional(),
	vmid: number().optional()
});
async function listVolumes(proxmox, node, storage, content) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/storage/${storage}/content`,
		parameters: { content },
		schema: array(volumeRow)
	})).map((row) => ({
		id: row.volid,
		sizeBytes: row.size,
		created: row.ctime
	}));
}
async function downloadImage(proxmox, node, storage, download) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/storage/${storage}/download-url`,
		parameters: {
			content: "import",
			filename: download.fileName,
			url: download.url,
			checksum: download.sha256,
			"checksum-algorithm": download.sha256 ? "sha256" : void 0
		},
		schema: upidSchema
	});
}
async function uploadIso(proxmox, node, storage, iso) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/storage/${storage}/upload`,
		parameters: {
			content: "iso",
			"checksum-algorithm": "sha256",
			checksum: iso.sha256
		},
		upload: {
			fileName: iso.fileName,
			bytes: iso.bytes
		},
		schema: upidSchema
	});
}
async function deleteVolume(proxmox, node, volume) {
	const storage = volume.slice(0, volume.indexOf(":"));
	try {
		return await proxmox.call({
			method: "DELETE",
			path: apiPath`/nodes/${node}/storage/${storage}/content/${volume}`,
			parameters: { delay: 30 },
			schema: upidSchema.nullable()
		}) ?? void 0;
	} catch (error) {
		if (error instanceof ProxmoxError && /^WARNINGS: \d+$/.test(error.reason)) return void 0;
		throw error;
	}
}

// src/proxmox/cluster.ts
const guestRow = object({
	vmid: int(),
	node: string(),
	type: literal("qemu"),
	name: string().optional(),
	pool: string().optional(),
	tags: string().default("").transform(splitTags),
	status: string().default("unknown"),
	lock: string().optional(),
	template: number().optional()
});
const lxcRow = object({ type: literal("lxc") });
function splitTags(text) {
	return text.split(/[;, ]+/).filter(Boolean).map((tag) => tag.toLowerCase()).sort();
}
async function listGuests(proxmox) {
	return (await proxmox.call({
		method: "GET",
		path: "/cluster/resources",
		parameters: { type: "vm" },
		schema: array(union([guestRow, lxcRow]))
	})).filter((row) => row.type === "qemu");
}
const nodeRow = object({
	node: string(),
	type: literal("node"),
	status: string().default("unknown"),
	"host-arch": _enum(["x86_64", "aarch64"]).optional()
});
async function listNodes(proxmox) {
	return (await proxmox.call({
		method: "GET",
		path: "/cluster/resources",
		parameters: { type: "node" },
		schema: array(nodeRow)
	})).map((row) => ({
		name: row.node,
		online: row.status === "online",
		arch: row["host-arch"] === "aarch64" ? "arm64" : "amd64"
	})).sort((a, b) => a.name.localeCompare(b.name));
}
async function nextVmid(proxmox) {
	return await proxmox.call({
		method: "GET",
		path: "/cluster/nextid",
		schema: number().int().min(100)
	});
}
const versionSchema = object({ version: string() });
const interfaceRow = object({
	iface: string(),
	type: string()
});
async function listBridges(proxmox, node) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/network`,
		parameters: { type: "any_bridge" },
		schema: array(interfaceRow)
	})).map((row) => ({
		name: row.iface,
		type: row.type
	}));
}

// src/proxmox/vm.ts
const text = union([string(), number$1()]).transform(String);
const configSchema = looseObject({
	digest: string().optional(),
	name: string().optional(),
	description: string().optional(),
	tags: string().default("").transform(splitTags),
	lock: string().optional(),
	template: number().default(0).transform(Boolean),
	protection: number().default(0).transform(Boolean),
	scsi0: text.optional(),
	scsi1: text.optional(),
	smbios1: string().optional()
});
async function readConfig(proxmox, node, vmid) {
	return await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/config`,
		schema: configSchema
	});
}
function isWholeTemplate(config) {
	return config.template && config.lock === void 0 && /^[^:]+:([^,]*\/)?base-/.test(config.scsi0 ?? "");
}
async function createVm(proxmox, node, parameters) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu`,
		parameters,
		schema: upidSchema
	});
}
async function updateConfig(proxmox, node, vmid, parameters) {
	await proxmox.call({
		method: "PUT",
		path: apiPath`/nodes/${node}/qemu/${vmid}/config`,
		parameters,
		schema: unknown()
	});
}
async function resizeDisk(proxmox, node, vmid, disk, size) {
	return await proxmox.call({
		method: "PUT",
		path: apiPath`/nodes/${node}/qemu/${vmid}/resize`,
		parameters: {
			disk,
			size
		},
		schema: upidSchema.nullish()
	}) ?? void 0;
}
const blockstat = looseObject({
	wr_highest_offset: number$1().optional(),
	rd_bytes: number$1().optional()
});
const statusSchema = object({
	status: string(),
	qmpstatus: string().optional(),
	uptime: number$1().optional(),
	lock: string().optional(),
	blockstat: record(string(), blockstat).optional()
});
async function readStatus(proxmox, node, vmid) {
	return await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/current`,
		schema: statusSchema
	});
}
async function startVm(proxmox, node, vmid) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/start`,
		schema: upidSchema
	});
}
async function shutdownVm(proxmox, node, vmid, timeout) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/shutdown`,
		parameters: {
			timeout,
			forceStop: 1
		},
		schema: upidSchema
	});
}
async function stopVm(proxmox, node, vmid) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/stop`,
		schema: upidSchema
	});
}
async function convertToTemplate(proxmox, node, vmid) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/template`,
		schema: upidSchema
	});
}
async function destroyVm(proxmox, node, vmid) {
	return await proxmox.call({
		method: "DELETE",
		path: apiPath`/nodes/${node}/qemu/${vmid}`,
		parameters: {
			purge: 1,
			"destroy-unreferenced-disks": 1
		},
		schema: upidSchema
	});
}
const hostNameSchema = object({ result: object({ "host-name": string() }) });
async function readGuestHostName(proxmox, node, vmid) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/agent/get-host-name`,
		schema: hostNameSchema
	})).result["host-name"];
}
const fileSchema = object({
	content: string(),
	truncated: boolean().optional()
});
async function readGuestFile(proxmox, node, vmid, file) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/agent/file-read`,
		parameters: { file },
		schema: fileSchema
	})).content;
}

// src/templates/lease.ts
const leaseFields = object({
	schema: literal(1),
	state: _enum(["building", "kept"]),
	build: string().regex(/^[0-9a-f]{12}$/),
	tags: array(string()),
	title: string(),
	run: string(),
	runUrl: string().optional(),
	since: string(),
	until: string(),
	seed: string().optional(),
	image: string().optional(),
	reason: string().optional()
});
const leaseSchema = leaseFields.refine(({ seed, build }) => seed === void 0 || /^[A-Za-z][A-Za-z0-9\-_.]*:iso\//.test(seed) && seed.endsWith(`:iso/${seedFileName(build)}`), "the seed is not this build's");
function seedFileName(build) {
	return `kubehenge-seed-${build}.iso`;
}
const leaseGraceMs = 6e5;
function newLease(build, target, run, nowMs, deadlineMs, volumes) {
	return {
		schema: 1,
		state: "building",
		build,
		tags: [...target.tags],
		title: target.title,
		run: run.id,
		...run.url ? { runUrl: run.url } : {},
		since: new Date(nowMs).toISOString(),
		until: new Date(deadlineMs + leaseGraceMs).toISOString(),
		...volumes.seed ? { seed: volumes.seed } : {},
		image: volumes.image
	};
}
function hasEnded(lease, nowMs) {
	return lease.state === "building" && !(Date.parse(lease.until) > nowMs);
}
function sayLease(lease) {
	return `${lease.runUrl ? `run ${lease.run} (${lease.runUrl})` : `run ${lease.run}`} since ${lease.since}, until ${lease.until} at the latest`;
}

// src/templates/manifest.ts
const manifestSchema = object({
	schema: literal(1),
	build: string(),
	distribution: string(),
	version: string(),
	ubuntuRelease: string().optional(),
	node: string().optional(),
	architecture: string(),
	image: object({
		url: string(),
		sha256: string().optional(),
		file: string()
	}),
	verified: array(object({
		what: string(),
		by: _enum(["signature", "tls"]),
		signer: string().optional(),
		signedAt: string().optional()
	})),
	packages: record(string(), string()).optional(),
	packageListSha256: string().optional(),
	packageCount: number$1().optional(),
	kernel: string().optional(),
	created: string(),
	run: string(),
	runUrl: string().optional(),
	program: string()
});
function manifestDigest(manifest) {
	return `sha256:${createHash("sha256").update(canonicalJson(manifest)).digest("hex")}`;
}
function canonicalJson(value) {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value === "object" && value !== null) return `{${Object.entries(value).filter(([, item]) => item !== void 0).sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
	return JSON.stringify(value);
}

// src/templates/notes.ts
const notesLimit = 8192;
const noteSchema = union([object({
	kubehenge: literal("lease"),
	lease: leaseSchema
}), object({
	kubehenge: literal("template"),
	manifest: manifestSchema
})]);
function templateNotes(target, manifest) {
	return withJson([
		`# ${escapeMarkdown(target.title)}`,
		"",
		`VM template for Cluster API clusters, made by kubehenge on ${manifest.created.slice(0, 10)}. It is found by its exact set of tags: leave them as they are.`,
		"",
		`- image: ${escapeMarkdown(manifest.image.url)}`,
		...manifest.image.sha256 ? [`- SHA-256: ${manifest.image.sha256}`] : [],
		...manifest.verified.map((one) => `- ${escapeMarkdown(one.what)}: ${one.by === "signature" ? `signed by ${one.signer ?? ""}` : "TLS only"}`),
		`- digest: ${manifestDigest(manifest)}`,
		`- run: ${escapeMarkdown(manifest.runUrl ?? manifest.run)}`
	].join("\n"), {
		kubehenge: "template",
		manifest
	});
}
function leaseNotes(lease) {
	return withJson((lease.state === "kept" ? [
		`# Kept: ${escapeMarkdown(lease.title)} failed`,
		"",
		escapeMarkdown(lease.reason ?? ""),
		"",
		"This VM was left for inspection. No template of this kind is built until it is gone: delete it here, or with `kubehenge template delete`."
	] : [
		`# Being built: ${escapeMarkdown(lease.title)}`,
		"",
		`By ${escapeMarkdown(lease.runUrl ?? lease.run)}, since ${lease.since}. After ${lease.until} any later run may remove this VM.`
	]).join("\n"), {
		kubehenge: "lease",
		lease
	});
}
function readNotes(description) {
	const block = /(?:^|\n)```json\n([^]*?)\n```\s*$/.exec(description ?? "")?.[1];
	if (!block) return void 0;
	try {
		const note = noteSchema.safeParse(JSON.parse(block));
		if (!note.success) return void 0;
		return note.data.kubehenge === "lease" ? { lease: note.data.lease } : { manifest: note.data.manifest };
	} catch {
		return;
	}
}
function withJson(text, json) {
	const block = `\n\n\`\`\`json\n${JSON.stringify(json)}\n\`\`\`\n`;
	return text.slice(0, Math.max(0, notesLimit - block.length)) + block;
}
function escapeMarkdown(text) {
	return text.replace(/[\r\n\t]+/g, " ").replace(/[\u0000-\u001f\u007f]/g, "").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/[\\`*_{}[\]()#+!|~]/g, (mark) => `\\${mark}`);
}

// src/templates/remnant.ts
const remnantSchema = discriminatedUnion("kind", [object({
	kind: literal("vm"),
	node: string(),
	vmid: int(),
	build: string(),
	upid: string().optional(),
	clonedFrom: int().optional()
}), object({
	kind: literal("volume"),
	node: string(),
	volume: string(),
	upid: string().optional(),
	whole: boolean$1().optional()
})]);
function remnantKey(remnant) {
	return remnant.kind === "vm" ? `vm ${remnant.vmid} ${remnant.build}` : `volume ${remnant.node} ${remnant.volume}`;
}
function sayRemnant(remnant) {
	return remnant.kind === "vm" ? `VM ${remnant.vmid} on ${remnant.node}` : `volume ${remnant.volume} on ${remnant.node}`;
}
function removalCommands(remnant) {
	return remnant.kind === "vm" ? [`qm unlock ${remnant.vmid}; qm stop ${remnant.vmid}; qm destroy ${remnant.vmid} --purge   # on node ${remnant.node}, after a look at its notes`] : [`pvesm free ${remnant.volume}   # on node ${remnant.node}`];
}
async function removeRemnant(proxmox, remnant) {
	if (remnant.upid) await endTask(proxmox, remnant.upid);
	return remnant.kind === "volume" ? await removeVolume(proxmox, remnant) : await removeVm(proxmox, remnant);
}
async function removeVolume(proxmox, remnant) {
	const { node, volume } = remnant;
	if (!remnant.upid && !remnant.whole) await endTransfer(proxmox, node, volume);
	await persist(proxmox, async () => {
		const upid = await deleteVolume(proxmox, node, volume);
		if (upid) await waitForTask(proxmox, upid, { doing: `removing ${volume}` });
	});
	return "removed";
}
async function endTransfer(proxmox, node, volume) {
	if (volume.includes(":import/")) {
		const task = await findTask(proxmox, node, {
			type: "download",
			id: volume.slice(volume.lastIndexOf("/") + 1)
		});
		if (task && isRunning(task)) await endTask(proxmox, task.upid);
		return;
	}
	const task = await findTask(proxmox, node, {
		type: "imgcopy",
		id: ""
	});
	if (task && isRunning(task)) await waitForTask(proxmox, task.upid, { doing: "waiting for an upload" }).catch(ignoreTaskFailure);
}
async function removeVm(proxmox, remnant) {
	const { node, vmid, build } = remnant;
	let config = await readConfigIfThere(proxmox, node, vmid);
	if (!config && !remnant.upid) {
		await proxmox.clock.sleep(1e3, proxmox.signal);
		config = await readConfigIfThere(proxmox, node, vmid);
	}
	if (!config) return "absent";
	let created = false;
	if (isUnfinished(config) || remnant.clonedFrom !== void 0 && config.lock === "clone") {
		const source = remnant.clonedFrom ?? vmid;
		const type = remnant.clonedFrom === void 0 ? "qmcreate" : "qmclone";
		const task = await findTask(proxmox, node, {
			type,
			id: String(source),
			vmid: source
		});
		if (!task || taskOwner(task.upid) !== proxmox.tokenName) return "not-ours";
		created = task.upid === remnant.upid;
		if (created) await endTask(proxmox, task.upid);
		else await waitForTask(proxmox, task.upid, { doing: `waiting for VM ${vmid} to be created, to see whose it is` }).catch(ignoreTaskFailure);
		config = await readConfigIfThere(proxmox, node, vmid);
		if (!config) return "removed";
		if (isUnfinished(config) && !created) throw lockedByKilledTask(remnant, config.lock ?? "create");
	}
	const isRight = (one) => isOurs(one, build) || created && isUnfinished(one);
	if (!isRight(config)) return "not-ours";
	await destroyStopped(proxmox, node, vmid, isRight);
	return "removed";
}
function lockedByKilledTask({ vmid, node }, lock) {
	return new Failure("conflict", `VM ${vmid} on node ${node} was left locked (${lock}) by a task that was killed; only root may undo that`, { remedy: removalCommands({
		kind: "vm",
		vmid,
		node,
		build: ""
	}) });
}
async function destroyStopped(proxmox, node, vmid, isRight) {
	await persist(proxmox, async () => {
		const config = await readConfigIfThere(proxmox, node, vmid);
		if (!config || !isRight(config)) return;
		if ((await readStatus(proxmox, node, vmid)).status === "running") await waitForTask(proxmox, await stopVm(proxmox, node, vmid), { doing: `switching VM ${vmid} off` });
		await waitForTask(proxmox, await destroyVm(proxmox, node, vmid), { doing: `destroying VM ${vmid}` });
	});
}
const attempts$1 = 6;
async function persist(proxmox, work) {
	for (let attempt = 1;; attempt += 1) try {
		return await work();
	} catch (error) {
		if (isMissingVm(error)) return;
		if (attempt >= attempts$1 || !isPassing(error)) throw error;
		await proxmox.clock.sleep(250 * 2 ** attempt, proxmox.signal);
	}
}
function isPassing(error) {
	if (error instanceof TaskFailure) return error.lockTimeout || error.outcomeUnknown;
	return error instanceof ProxmoxError && (error.treatment !== "final" || /is running - destroy failed/.test(error.reason));
}
function isUnfinished(config) {
	return (config.lock === "create" || config.lock === "clone") && config.description === void 0 && config.name === void 0;
}
function isOurs(config, build) {
	return readNotes(config.description)?.lease?.build === build;
}
async function readOwnConfig(proxmox, { node, vmid, build }) {
	const config = await readConfig(proxmox, node, vmid);
	if (isOurs(config, build)) return config;
	throw new Failure("conflict", `VM ${vmid} on node ${node} is not this run's any more: its notes no longer hold the lease of build ${build}. It is left as it is`, { remedy: ["somebody has deleted the VM or rewritten its notes while it was being built: run again"] });
}
async function readConfigIfThere(proxmox, node, vmid) {
	try {
		return await readConfig(proxmox, node, vmid);
	} catch (error) {
		if (isMissingVm(error)) return void 0;
		throw error;
	}
}
function isRunning(task) {
	return task.endtime === void 0 && (task.status === void 0 || task.status === "RUNNING");
}
const stopAttempts = 3;
async function endTask(proxmox, upid) {
	for (let attempt = 1; attempt <= stopAttempts; attempt += 1) try {
		await stopTask(proxmox, upid);
		break;
	} catch (error) {
		if (!(error instanceof ProxmoxError)) throw error;
		if (error.treatment !== "ambiguous") break;
	}
	await waitForTask(proxmox, upid, { doing: "stopping a task of this run" }).catch(ignoreTaskFailure);
}
function ignoreTaskFailure(error) {
	if (!(error instanceof TaskFailure) && !(error instanceof ProxmoxError && error.status === 400)) throw error;
}

// src/shell/remains.ts
function sayRemains(remnants, why) {
	return remnants.flatMap((remnant) => {
		const reason = why?.(remnant);
		return [`left: ${sayRemnant(remnant)}${reason ? ` (${reason})` : ""}`, ...removalCommands(remnant).map((command) => `  ${command}`)];
	});
}
function sayLeft(left) {
	return sayRemains(left.map(({ remnant }) => remnant), (remnant) => left.find((one) => one.remnant === remnant)?.why);
}

// src/distributions/open-sources.ts
function openSources({ upstreams, environment, signal, version, clock }) {
	let http;
	let github;
	const now = () => new Date(clock.now());
	const shared = once(async () => {
		const [{ createHttp }, { githubSource }] = await Promise.all([import("./load-http.mjs"), import("./load-github.mjs")]);
		http = createHttp({
			environment,
			signal,
			version,
			sleep: (ms, abort) => clock.sleep(ms, abort)
		});
		github = githubSource(http, defined({
			token: upstreams.githubToken,
			apiUrl: upstreams.githubApiUrl
		}));
		return {
			http,
			github
		};
	});
	return {
		ubuntu: once(async () => {
			const [{ http: client }, { ubuntuSource }] = await Promise.all([shared(), import("./load-ubuntu.mjs")]);
			return ubuntuSource(client, {
				...defined({
					url: upstreams.ubuntuUrl,
					keyring: upstreams.ubuntuKeyring
				}),
				now
			});
		}),
		talos: once(async () => {
			const [{ http: client, github: releases }, { talosSource }] = await Promise.all([shared(), import("./load-talos.mjs")]);
			return talosSource(client, releases, defined({ factoryUrl: upstreams.talosFactoryUrl }));
		}),
		kubernetes: once(async () => {
			const [{ http: client, github: releases }, { kubernetesSource }] = await Promise.all([shared(), import("./load-kubernetes.mjs")]);
			return kubernetesSource(client, releases, {
				...defined({
					packagesUrl: upstreams.kubernetesPackagesUrl,
					releasesUrl: upstreams.kubernetesReleasesUrl,
					keyFingerprint: upstreams.kubernetesKeyFingerprint
				}),
				now
			});
		}),
		githubTrouble: () => github?.trouble()?.message,
		get traffic() {
			return http?.traffic ?? {
				up: 0,
				down: 0
			};
		},
		close: async () => await http?.close()
	};
}
function once(load) {
	let loaded;
	return () => loaded ??= load();
}
function defined(values) {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== void 0));
}

// src/http/url.ts
function parseUrl(text, base) {
	return URL.canParse(text, base?.href) ? new URL(text, base) : void 0;
}
function shownUrl(url) {
	const parsed = typeof url === "string" ? parseUrl(url) : url;
	if (parsed === void 0) return "an unreadable address";
	return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
function splitCredentials(text) {
	const url = parseUrl(text);
	if (url === void 0 || url.protocol !== "http:" && url.protocol !== "https:") throw new Failure("usage", `${url === void 0 ? "An upstream address" : shownUrl(url)} is not an http or https address.`);
	if (url.username === "" && url.password === "") return { url };
	const userinfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
	url.username = "";
	url.password = "";
	return {
		url,
		authorization: `Basic ${Buffer.from(userinfo, "utf8").toString("base64")}`
	};
}

// src/http/proxy.ts
function variable(environment, name) {
	return environment[name.toLowerCase()] ?? environment[name];
}
function proxyFor(url, environment) {
	const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
	const value = variable(environment, name)?.trim();
	if (value === void 0 || value === "" || isExempt(url, variable(environment, "NO_PROXY") ?? "")) return void 0;
	const proxy = parseUrl(value.includes("://") ? value : `http://${value}`);
	if (proxy === void 0 || proxy.protocol !== "http:" && proxy.protocol !== "https:") throw new Failure("usage", `${name} does not hold an http or https address of a proxy.`, { remedy: [`Set ${name}=http://proxy.example.org:3128, or unset it.`] });
	return proxy.href;
}
function isExempt(url, list) {
	const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	return list.split(/[\s,]+/).filter((entry) => entry !== "").some((entry) => matches(entry.toLowerCase(), host, port));
}
function matches(entry, host, port) {
	if (entry === "*") return true;
	if (isIP(host) !== 0 && entry.includes("/")) return inRange(entry, host);
	const [, name = entry, wantedPort] = /^([^:]+|\[[^\]]+\]):(\d+)$/.exec(entry) ?? [];
	if (wantedPort !== void 0 && wantedPort !== port) return false;
	const wanted = name.replace(/^\*?\./, "").replace(/^\[(.*)\]$/, "$1");
	return host === wanted || isIP(host) === 0 && host.endsWith(`.${wanted}`);
}
function inRange(entry, host) {
	const [network = "", prefix = ""] = entry.split("/");
	const family = isIP(network);
	const bits = Number(prefix);
	if (family === 0 || family !== isIP(host) || !Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
	const type = family === 4 ? "ipv4" : "ipv6";
	const ranges = new BlockList();
	ranges.addSubnet(network, bits, type);
	return ranges.check(host, type);
}

// src/time/clock.ts
const systemClock = {
	now: () => Date.now(),
	sleep: (ms, signal) => new Promise((resolve, reject) => {
		if (signal?.aborted) {
			reject(signal.reason);
			return;
		}
		const onAbort = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		}, ms);
		signal?.addEventListener("abort", onAbort, { once: true });
	})
};

// src/shell/session.ts
async function withSession(input, work) {
	const { connection, environment, reporter, journal, signal } = input;
	if (connection.insecure) reporter.warn("The server's certificate is not checked", `Whoever sits between here and ${connection.origin} can read the token. Give its fingerprint or its authority's certificate instead.`);
	const clock = input.clock ?? systemClock;
	const proxy = proxyFor(new URL(connection.origin), environment);
	const transport = createTransport(connection, proxy === void 0 ? {} : { proxy: new URL(proxy) });
	const sources = openSources({
		upstreams: input.upstreams,
		environment,
		signal,
		version: version$1,
		clock
	});
	const proxmox = createProxmox({
		connection,
		transport,
		clock,
		signal
	});
	try {
		const result = await work({
			proxmox,
			sources,
			reporter,
			journal,
			run: {
				...input.run,
				program: `kubehenge/${version$1}`
			}
		});
		const trouble = sources.githubTrouble();
		if (trouble) reporter.warn("GitHub was of no use, other sources were asked", trouble);
		return result;
	} finally {
		proxmox.close();
		await sources.close();
	}
}

// src/shell/signals.ts
const codes = {
	SIGINT: 130,
	SIGTERM: 143
};
function onSignals(leave) {
	const controller = new AbortController();
	let code;
	const handler = (name) => {
		if (code !== void 0) return leave(codes.SIGINT);
		code = codes[name];
		controller.abort(new Failure("interrupted", `The run was ended by ${name}`));
	};
	process.on("SIGINT", handler);
	process.on("SIGTERM", handler);
	return {
		signal: controller.signal,
		exitCode: () => code,
		stop: () => {
			process.off("SIGINT", handler);
			process.off("SIGTERM", handler);
		}
	};
}
function withDeadline(signal, ms, option) {
	const controller = new AbortController();
	setTimeout(() => controller.abort(new Failure("deadline", `The run took longer than its bound of ${ms / 6e4} minutes`, { remedy: [`give it more with ${option}`] })), ms).unref();
	return AbortSignal.any([signal, controller.signal]);
}

// src/distributions/upstreams.ts
const address = url({
	protocol: /^https?$/,
	error: "is not an http or https address"
}).optional();
const schema = object({
	"ubuntu-url": address,
	"talos-factory-url": address,
	"kubernetes-packages-url": address,
	"kubernetes-releases-url": address,
	"kubernetes-key-fingerprint": string().transform((text) => text.replaceAll(/[\s:]/g, "").toUpperCase()).pipe(string().regex(/^[0-9A-F]{40}$/, "is not an OpenPGP fingerprint of 40 hex digits")).optional()
});
function parseUpstreams(raw, name) {
	const set = Object.fromEntries(Object.entries(raw).flatMap(([key, text]) => text?.trim() ? [[key, text.trim()]] : []));
	const checked = schema.safeParse(set);
	if (!checked.success) throw new Failure("usage", checked.error.issues.map((issue) => `${name(String(issue.path[0]))} ${issue.message}`).join("; "));
	return {
		ubuntuUrl: checked.data["ubuntu-url"],
		talosFactoryUrl: checked.data["talos-factory-url"],
		kubernetesPackagesUrl: checked.data["kubernetes-packages-url"],
		kubernetesReleasesUrl: checked.data["kubernetes-releases-url"],
		kubernetesKeyFingerprint: checked.data["kubernetes-key-fingerprint"]
	};
}

// src/shell/journal.ts
function journalInto(write) {
	const entries = /* @__PURE__ */ new Map();
	const save = () => write([...entries.values()]);
	return {
		about(remnant) {
			entries.set(remnantKey(remnant), remnant);
			save();
		},
		settled(remnant) {
			if (entries.delete(remnantKey(remnant))) save();
		},
		get open() {
			return [...entries.values()];
		}
	};
}

// src/distributions/distribution.ts
function uniqueTargets(targets) {
	return [...new Map(targets.map((target) => [target.name, target])).values()];
}

// src/sources/exact-version.ts
const version = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;
function isExact(selector) {
	return version.test(selector.trim());
}
function exactVersion(selector) {
	if (!isExact(selector)) throw nonsense(selector);
	return `v${selector.trim().replace(/^v/, "")}`;
}
function nonsense(selector, cause) {
	return new Failure("usage", `${JSON.stringify(selector.slice(0, 80))} is neither a version nor a range of versions.`, {
		remedy: ["Versions are given as v1.37.1, ~1.36, 1.37.x, \">=1.36 <1.38\" or latest."],
		cause
	});
}

// src/distributions/resolve-version.ts
async function resolveVersions(selectors, source) {
	if (selectors.length === 0) return [await (await source()).resolve(void 0)];
	return await Promise.all(selectors.map(async (selector) => isExact(selector) ? exactVersion(selector) : await (await source()).resolve(selector)));
}

// src/distributions/target.ts
const distributionNames = [
	"talos",
	"rke2",
	"k3s",
	"kubeadm"
];
const ownTag = "kubehenge";
function talosTarget(version) {
	return {
		distribution: "talos",
		version,
		tags: tagSet("talos", `talos-${version}`),
		name: `talos-${version}`,
		title: `Talos ${version}`
	};
}
function ubuntuTarget(distribution, release) {
	return {
		distribution,
		version: release,
		ubuntuRelease: release,
		tags: tagSet("ubuntu", `ubuntu-${release}`),
		name: `ubuntu-${release}`,
		title: `Ubuntu ${release} for RKE2 and k3s`
	};
}
function kubeadmTarget(version, release) {
	return {
		distribution: "kubeadm",
		version,
		ubuntuRelease: release,
		tags: tagSet("kubeadm", `kubernetes-${version}`, `ubuntu-${release}`),
		name: `kubeadm-${version}-ubuntu-${release}`,
		title: `kubeadm ${version} on Ubuntu ${release}`
	};
}
function onNode(target, node) {
	return {
		...target,
		node,
		tags: [...target.tags, `${nodePrefix}${node.toLowerCase()}`].sort(),
		name: `${target.name}-${node.toLowerCase()}`,
		title: `${target.title} for node ${node}`
	};
}
const nodePrefix = "node-";
function tagSet(...tags) {
	return [ownTag, ...tags].map((tag) => tag.toLowerCase()).sort();
}
function sameTags(one, other) {
	return one.length === other.length && one.every((tag) => other.includes(tag));
}
function targetOfTags(tags) {
	const value = (prefix) => tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
	const talos = value("talos-");
	const kubernetes = value("kubernetes-");
	const ubuntu = value("ubuntu-");
	const node = value(nodePrefix);
	const general = kubernetes && ubuntu ? kubeadmTarget(kubernetes, ubuntu) : ubuntu ? ubuntuTarget("rke2", ubuntu) : talos ? talosTarget(talos) : void 0;
	const candidate = general && node ? onNode(general, node) : general;
	return candidate && sameTags(candidate.tags, tags) ? candidate : void 0;
}

// src/distributions/ubuntu.ts
function ubuntu(distribution) {
	return {
		versionOf: "Ubuntu",
		async targets({ versions, ubuntuRelease }, sources) {
			if (versions.length > 0 && ubuntuRelease !== void 0 && versions.some((version) => version !== ubuntuRelease)) throw new Failure("usage", `Two Ubuntu releases were given for ${distribution}: versions ${versions.join(", ")} and ubuntu-release ${ubuntuRelease}`, { remedy: ["give one of them: for rke2 and k3s they mean the same"] });
			const selectors = versions.length > 0 ? versions : [ubuntuRelease];
			const releases = await Promise.all(selectors.map((selector) => resolveRelease(selector, sources)));
			return uniqueTargets(releases.map((release) => ubuntuTarget(distribution, release)));
		},
		async ingredients(target, arch, sources, options) {
			const { image, verified } = await ubuntuImage(target.version, arch, sources, options);
			return {
				image,
				hardware: ubuntuHardware(arch),
				guest: {},
				diskGiB: 6,
				verified: [verified]
			};
		}
	};
}
async function resolveRelease(selector, sources) {
	return selector !== void 0 && /^\d\d\.\d\d$/.test(selector) ? selector : await (await sources.ubuntu()).resolveRelease(selector);
}
async function ubuntuImage(release, arch, sources, options) {
	const image = await (await sources.ubuntu()).image(release, arch, options);
	return {
		image: {
			url: image.url,
			fileName: `kubehenge-ubuntu-${release}-${arch}-${image.sha256.slice(0, 16)}.qcow2`,
			sha256: image.sha256
		},
		verified: {
			what: `Ubuntu ${release} cloud image ${image.fileName}`,
			by: "signature",
			signer: image.signer,
			signedAt: image.signedAt.toISOString(),
			detail: `sha256:${image.sha256} from ${image.listUrl}`
		}
	};
}
function ubuntuHardware(arch) {
	return arch === "arm64" ? {
		bios: "ovmf",
		scsihw: "virtio-scsi-single",
		vga: "serial0"
	} : {
		bios: "seabios",
		cpu: "x86-64-v2-AES",
		scsihw: "virtio-scsi-single",
		vga: "serial0"
	};
}

// src/distributions/kubeadm.ts
const kubeadm = {
	versionOf: "Kubernetes",
	async targets({ versions, ubuntuRelease }, sources) {
		const [release, resolved] = await Promise.all([resolveRelease(ubuntuRelease, sources), resolveVersions(versions, sources.kubernetes)]);
		return uniqueTargets(resolved.map((version) => kubeadmTarget(version, release)));
	},
	async ingredients(target, arch, sources, options) {
		const source = await sources.kubernetes();
		const [{ image, verified }, packages] = await Promise.all([ubuntuImage(target.ubuntuRelease ?? "", arch, sources, options), source.packages(target.version, arch)]);
		const { kubeadm: kubeadmPackage, kubelet, kubectl, criTools, kubernetesCni } = packages;
		return {
			image,
			hardware: ubuntuHardware(arch),
			guest: { kubernetes: {
				version: target.version,
				repositoryUrl: packages.repositoryUrl,
				keyArmored: packages.key.armored,
				packages: {
					kubeadm: kubeadmPackage,
					kubelet,
					kubectl,
					criTools,
					kubernetesCni
				}
			} },
			diskGiB: 10,
			verified: [verified, {
				what: `Kubernetes ${target.version} packages`,
				by: "signature",
				signer: packages.verified.signer,
				signedAt: packages.verified.signedAt.toISOString(),
				detail: `${packages.repositoryUrl}: kubeadm ${kubeadmPackage}, kubelet ${kubelet}${packages.key.expires ? `; the key expires ${packages.key.expires.toISOString().slice(0, 10)}` : ""}`
			}]
		};
	}
};

// src/distributions/talos.ts
const talos = {
	versionOf: "Talos",
	async targets({ versions, ubuntuRelease }, sources) {
		if (ubuntuRelease !== void 0) throw new Failure("usage", `An Ubuntu release (${ubuntuRelease}) was given for Talos, which has none: leave ubuntu-release out`);
		return uniqueTargets((await resolveVersions(versions, sources.talos)).map(talosTarget));
	},
	async ingredients(target, arch, sources) {
		const image = await (await sources.talos()).image(target.version, arch);
		return {
			image: {
				url: image.url,
				fileName: `kubehenge-talos-${target.version}-${arch}-${image.schematicId.slice(0, 16)}.qcow2`
			},
			hardware: hardware(arch),
			verified: [{
				what: `Talos ${target.version} disk image`,
				by: "tls",
				detail: `${image.url}: the Image Factory signs no disk images; schematic ${image.schematicId} computed here and confirmed by the factory`
			}],
			warnings: image.url.startsWith("http:") ? [plainHttp(image.url)] : []
		};
	}
};
function plainHttp(url) {
	return {
		title: "A Talos image over plain http",
		text: `${url} is not encrypted, and the Image Factory signs no disk images: whoever sits in between can change it unseen`
	};
}
function hardware(arch) {
	return arch === "arm64" ? {
		bios: "ovmf",
		scsihw: "virtio-scsi-pci"
	} : {
		bios: "ovmf",
		machine: "q35",
		cpu: "x86-64-v2-AES",
		scsihw: "virtio-scsi-pci"
	};
}

// src/distributions/index.ts
const distributions = {
	talos,
	rke2: ubuntu("rke2"),
	k3s: ubuntu("k3s"),
	kubeadm
};

// src/templates/retired.ts
const retiredTag = "kubehenge-retired";
function retiredTags(manifest) {
	return [`kubehenge-build-${manifest.build}`, retiredTag];
}
function targetOfManifest(manifest) {
	const general = generalTarget(manifest);
	return general && manifest.node !== void 0 ? onNode(general, manifest.node) : general;
}
function generalTarget({ distribution, version, ubuntuRelease }) {
	if (!(distribution in distributions)) return void 0;
	if (distribution === "talos") return talosTarget(version);
	if (distribution === "kubeadm") return ubuntuRelease === void 0 ? void 0 : kubeadmTarget(version, ubuntuRelease);
	return ubuntuTarget(distribution, version);
}
async function readRetired(proxmox, guests, pool) {
	const rows = guests.filter((row) => row.tags.includes("kubehenge-retired") && (pool === void 0 || row.pool === pool));
	return (await Promise.all(rows.map((row) => readOne(proxmox, row)))).filter((one) => one !== void 0).sort((a, b) => b.manifest.created.localeCompare(a.manifest.created));
}
async function readOne(proxmox, row) {
	const config = await readConfigIfThere(proxmox, row.node, row.vmid);
	const manifest = config && readNotes(config.description)?.manifest;
	const target = manifest && targetOfManifest(manifest);
	return config && manifest && target && isWholeTemplate(config) ? {
		row,
		config,
		manifest,
		target
	} : void 0;
}

// src/templates/claim.ts
async function readUntagged(proxmox, guests, pool, apart) {
	const rows = guests.filter((row) => row.pool !== void 0 && (pool === void 0 || row.pool === pool) && row.tags.length === 0 && row.vmid !== apart);
	const read = await Promise.all(rows.map(async (row) => ({
		row,
		config: await readIfReachable(proxmox, row)
	})));
	const claims = [];
	const ready = [];
	for (const { row, config } of read) {
		if (!config) continue;
		const note = readNotes(config.description);
		if (note?.lease) claims.push({
			row,
			config,
			lease: note.lease
		});
		else if (note?.manifest && isWholeTemplate(config)) ready.push({
			row,
			config,
			manifest: note.manifest
		});
	}
	return {
		claims,
		ready
	};
}
async function readIfReachable(proxmox, { node, vmid }) {
	try {
		return await readConfigIfThere(proxmox, node, vmid);
	} catch (error) {
		if (error instanceof ProxmoxError && isNodeDown(error)) return void 0;
		throw error;
	}
}
async function readClaims(proxmox, guests, pool, apart) {
	return (await readUntagged(proxmox, guests, pool, apart)).claims;
}
function claimsOn(claims, target) {
	return claims.filter(({ lease }) => sameTags(lease.tags, target.tags));
}
function refuseKept(claims, target, replaces) {
	const all = claimsOn(claims, target).filter(({ lease }) => lease.state === "kept").sort((a, b) => Number(a.config.template) - Number(b.config.template));
	const [kept] = all;
	if (!kept) return;
	const byHand = all.map(({ row }) => `qm destroy ${row.vmid} --purge`).join("; ");
	throw new Failure("conflict", `VM ${kept.row.vmid} on node ${kept.row.node} was kept from a failed build of ${target.title}${kept.lease.reason ? `: ${kept.lease.reason}` : ""}. It has to be removed before another one is built`, { remedy: [...replaces ? [] : [deleteLine(target, kept.row.pool ?? requestDefaults.pool)], `${replaces ? "" : "or "}on node ${kept.row.node}: ${byHand}`] });
}
function deleteLine(target, pool) {
	const versions = target.distribution === "talos" ? ` --talos-version ${target.version}` : target.distribution === "kubeadm" ? ` --kubernetes-version ${target.version} --ubuntu-release ${target.ubuntuRelease}` : ` --ubuntu-release ${target.version}`;
	return `kubehenge template delete ${target.distribution}${versions}${pool === requestDefaults.pool ? "" : ` --pool ${pool}`}`;
}
function readyOnes(ready, target) {
	return ready.filter(({ manifest }) => targetOfManifest(manifest)?.name === target.name);
}
const settleMs = 1e3;
const settleAttempts = 30;
async function settleClaim(proxmox, mine, target) {
	for (let attempt = 1;; attempt += 1) {
		const guests = await listGuests(proxmox);
		if (await isPublished(proxmox, guests.filter(({ vmid }) => vmid !== mine.replaces), mine.pool, target)) return { wins: false };
		const { claims, ready } = await readUntagged(proxmox, guests, mine.pool, mine.vmid);
		const others = liveClaims(claims, target, proxmox.clock.now());
		const [other] = others;
		if (readyOnes(ready, target).length > 0) return { wins: false };
		if (!other) return { wins: true };
		const ahead = others.find((claim) => goesOn(claim) || precedes(claim.lease, mine.lease));
		if (ahead) return {
			wins: false,
			to: ahead
		};
		if (attempt >= settleAttempts) return {
			wins: false,
			to: other
		};
		await proxmox.clock.sleep(settleMs, proxmox.signal);
	}
}
function liveClaims(claims, target, nowMs) {
	return claimsOn(claims, target).filter(({ lease }) => lease.state === "building" && !hasEnded(lease, nowMs));
}
async function isPublished(proxmox, guests, pool, target) {
	const rows = guests.filter((row) => row.pool === pool && sameTags(row.tags, target.tags));
	return (await Promise.all(rows.map((row) => readConfigIfThere(proxmox, row.node, row.vmid)))).some((config) => config !== void 0 && isWholeTemplate(config));
}
function goesOn({ row, config }) {
	return row.status === "running" || config.template || config.lock !== void 0;
}
function precedes(one, other) {
	return one.since < other.since || one.since === other.since && one.build < other.build;
}
function sayClaim({ row, lease }) {
	return `VM ${row.vmid} on node ${row.node}, being built by ${sayLease(lease)}`;
}

// src/templates/outcome.ts
function templateOf(target, { row, config }) {
	const manifest = readNotes(config.description)?.manifest;
	return {
		vmid: row.vmid,
		node: row.node,
		storage: (config.scsi0 ?? "").split(":")[0] ?? "",
		name: config.name ?? row.name ?? "",
		tags: target.tags,
		manifest,
		digest: manifest ? manifestDigest(manifest) : ""
	};
}

// src/templates/plan.ts
async function planTarget(proxmox, target, guests, input) {
	const withTags = guests.filter((row) => sameTags(row.tags, target.tags));
	const candidates = withTags.filter((row) => row.pool === input.pool);
	const shown = candidates.filter((row) => row.template === 1);
	const found = shown.length > 0 ? await readWhole(proxmox, shown) : await readWhole(proxmox, candidates);
	if (found.whole.length > 1) throw severalTemplates(target, found.whole);
	const [one] = found.whole;
	if (one) {
		await checkNode(proxmox, target, one, input.node);
		return {
			target,
			found: one,
			action: "reuse",
			why: `VM ${one.row.vmid} in pool ${input.pool} carries its tags and is whole`
		};
	}
	const [broken] = found.broken;
	if (broken) throw brokenTemplate(target, broken);
	const elsewhere = withTags.filter((row) => row.pool !== input.pool && row.template === 1);
	return {
		target,
		action: "build",
		why: `no template in pool ${input.pool} carries its tags`,
		warnings: elsewhere.map((row) => `VM ${row.vmid} ${row.pool ? `in pool ${row.pool}` : "outside any pool"} carries the same tags and is not reused, since it is not in pool ${input.pool}. Cluster API's Proxmox provider wants exactly one match in the whole cluster: remove one of them, or its tags.`)
	};
}
async function readWhole(proxmox, rows) {
	const there = (await Promise.all(rows.map(async (row) => ({
		row,
		config: await readCandidate(proxmox, row)
	})))).flatMap(({ row, config }) => config ? [{
		row,
		config
	}] : []);
	return {
		whole: there.filter(({ config }) => isWholeTemplate(config)),
		broken: there.filter(({ config }) => config.template && !isWholeTemplate(config))
	};
}
async function readCandidate(proxmox, row) {
	try {
		return await readConfigIfThere(proxmox, row.node, row.vmid);
	} catch (error) {
		if (!(error instanceof ProxmoxError) || !(error.status === 595 || error.status === 596 || /no route|hostname lookup/i.test(error.reason))) throw error;
		throw new Failure("conflict", `VM ${row.vmid} carries the wanted tags, but its node ${row.node} does not answer, so whether it is a whole template cannot be told: ${error.reason}`, {
			remedy: [`bring node ${row.node} up again; a second template with the same tags would leave Cluster API with two matches`],
			cause: error
		});
	}
}
async function checkNode(proxmox, target, { row, config }, wanted) {
	if (wanted === void 0 || wanted === row.node) return;
	const storage = (config.scsi0 ?? "").split(":")[0];
	if ((await listStorages(proxmox, row.node)).find((one) => one.name === storage)?.shared) return;
	throw new Failure("conflict", `The template of ${target.title} is VM ${row.vmid} on node ${row.node}, on storage ${storage}, which is not shared: clones can start on ${row.node} only, not on ${wanted}. A second template with the same tags is not made, since Cluster API's Proxmox provider wants exactly one match in the whole cluster`, { remedy: [`move its disk to shared storage (qm disk move ${row.vmid} scsi0 STORAGE), or delete it and create it on ${wanted}`, `or leave the node out to reuse the one on ${row.node}`] });
}
function severalTemplates(target, found) {
	const list = found.map(({ row }) => `VM ${row.vmid} on ${row.node}`).join(", ");
	return new Failure("conflict", `Several templates carry the tags of ${target.title}: ${list}. Cluster API's Proxmox provider wants exactly one`, { remedy: found.slice(1).map(({ row }) => `qm destroy ${row.vmid} --purge   # on node ${row.node}, or take its tags away`) });
}
function brokenTemplate(target, { row, config }) {
	const why = config.lock ? `it is locked (${config.lock})` : `its disk ${config.scsi0?.split(",")[0] ?? "scsi0"} is no base volume: a conversion was interrupted`;
	return new Failure("conflict", `VM ${row.vmid} on node ${row.node} carries the tags of ${target.title} and calls itself a template, but is broken: ${why}`, { remedy: [`qm destroy ${row.vmid} --purge   # on node ${row.node}; or: kubehenge template delete`] });
}

// src/templates/sweep.ts
async function sweep(context, request) {
	const { proxmox } = context;
	const guests = await listGuests(proxmox);
	const vms = await sweepVms(context, await readClaims(proxmox, guests, request.pool), request.dryRun);
	const nodes = (await listNodes(proxmox)).filter(({ online }) => online);
	const seen = /* @__PURE__ */ new Set();
	const swept = [vms];
	for (const node of nodes) for (const storage of await listStorages(proxmox, node.name)) {
		const contents = ["iso", "import"].filter((content) => storage.content.includes(content));
		if (!storage.usable || contents.length === 0 || seen.has(storage.name)) continue;
		if (storage.shared) seen.add(storage.name);
		const volumes = (await Promise.all(contents.map((content) => listVolumes(proxmox, node.name, storage.name, content)))).flat();
		swept.push(await sweepVolumes(context, {
			node: node.name,
			volumes,
			guests,
			timeoutMs: request.timeoutMs,
			dryRun: request.dryRun
		}));
	}
	return {
		removed: swept.flatMap(({ removed }) => removed),
		left: [...swept.flatMap(({ left }) => left), ...await lockedRemains(proxmox, guests)]
	};
}
async function lockedRemains(proxmox, guests) {
	const locked = guests.filter((row) => row.lock === "create");
	return (await Promise.all(locked.map(async ({ node, vmid }) => {
		const task = await findTask(proxmox, node, {
			type: "qmcreate",
			id: String(vmid),
			vmid
		});
		if (task?.endtime === void 0 || taskOwner(task.upid) !== proxmox.tokenName) return void 0;
		return {
			remnant: {
				kind: "vm",
				node,
				vmid,
				build: ""
			},
			why: "a killed import has left it locked (create), which only root may undo"
		};
	}))).filter((one) => one !== void 0);
}
async function sweepVms(context, claims, dryRun = false) {
	const { proxmox } = context;
	const removed = [];
	const left = [];
	const clonesFirst = claims.toSorted((a, b) => Number(a.config.template) - Number(b.config.template));
	for (const { row, lease } of clonesFirst) {
		if (!hasEnded(lease, proxmox.clock.now())) continue;
		const what = `VM ${row.vmid} on node ${row.node}, a build of ${lease.title} by ${sayLease(lease)}`;
		const remnant = {
			kind: "vm",
			node: row.node,
			vmid: row.vmid,
			build: lease.build
		};
		try {
			if (!dryRun) {
				await destroyStopped(proxmox, row.node, row.vmid, (config) => isOurs(config, lease.build));
				if (lease.seed) await removeRemnant(proxmox, {
					kind: "volume",
					node: row.node,
					volume: lease.seed,
					whole: true
				});
			}
			removed.push({
				remnant,
				what
			});
		} catch (error) {
			left.push({
				remnant,
				why: error.message
			});
		}
	}
	return {
		removed,
		left
	};
}
const seedName = /:iso\/kubehenge-seed-([0-9a-f]{12})\.iso$/;
const imageName = /:import\/kubehenge-(?:ubuntu|talos)-[A-Za-z0-9.+-]+-(?:amd64|arm64)-[0-9a-f]{16}\.qcow2$/;
const leastTimeoutMs = 36e5;
async function sweepVolumes({ proxmox }, input) {
	const nowMs = proxmox.clock.now();
	const oldest = nowMs - Math.max(input.timeoutMs, leastTimeoutMs) - leaseGraceMs;
	const isOld = ({ id, created }) => (seedName.test(id) || imageName.test(id)) && created !== void 0 && created * 1e3 <= oldest;
	if (!input.volumes.some(isOld)) return {
		removed: [],
		left: []
	};
	const live = (await readClaims(proxmox, input.guests, void 0)).filter(({ lease }) => !hasEnded(lease, nowMs));
	const importing = input.guests.some((row) => row.lock === "create");
	const removed = [];
	const left = [];
	for (const volume of input.volumes) {
		if (!isOld(volume)) continue;
		const build = seedName.exec(volume.id)?.[1];
		if (importing || live.some(({ lease }) => build === void 0 ? lease.image === volume.id : lease.build === build)) continue;
		const remnant = {
			kind: "volume",
			node: input.node,
			volume: volume.id,
			whole: true
		};
		try {
			if (!input.dryRun) await removeRemnant(proxmox, remnant);
			removed.push({
				remnant,
				what: `volume ${volume.id} on node ${input.node}, left by a run that has ended`
			});
		} catch (error) {
			left.push({
				remnant,
				why: error.message
			});
		}
	}
	return {
		removed,
		left
	};
}

// src/templates/create.ts
async function createTemplates(context, request) {
	const deadlineMs = context.proxmox.clock.now() + request.timeoutMs;
	if (!request.perNode) return await createOnce(context, request, deadlineMs);
	const reports = [];
	for (const node of await onlineNodes(context, request)) reports.push(await createOnce(context, {
		...request,
		node
	}, deadlineMs));
	return {
		outcomes: reports.flatMap(({ outcomes }) => outcomes),
		left: reports.flatMap(({ left }) => left),
		warnings: reports.flatMap(({ warnings }) => warnings),
		pruned: reports.flatMap(({ pruned }) => pruned)
	};
}
async function createOnce(context, request, deadlineMs) {
	const { reporter } = context;
	const { targets, guests, claims, plans, swept } = await planAll(context, request);
	const warnings = plans.flatMap((plan) => plan.action === "build" ? plan.warnings : []);
	for (const warning of warnings) reporter.warn("The same tags elsewhere", warning);
	const reused = plans.flatMap((plan) => plan.action === "reuse" ? [reusedOutcome(context, plan)] : []);
	const toBuild = plans.filter((plan) => plan.action === "build");
	if (toBuild.length === 0) return {
		outcomes: reused,
		left: swept.left,
		warnings,
		pruned: []
	};
	const { buildAll } = await import("./load-build-all.mjs");
	const built = await buildAll(context, {
		request,
		distribution: distributions[request.distribution],
		plans: toBuild,
		guests,
		claims,
		deadlineMs
	});
	const order = new Map(targets.map((target, at) => [target.name, at]));
	return {
		outcomes: [...reused, ...built.outcomes].sort((a, b) => (order.get(a.target.name) ?? 0) - (order.get(b.target.name) ?? 0)),
		left: [...swept.left, ...built.left],
		warnings,
		pruned: built.pruned
	};
}
async function planAll(context, request) {
	const { proxmox, reporter } = context;
	const [resolved, listed] = await bothOf(distributions[request.distribution].targets({
		versions: request.versions,
		ubuntuRelease: request.ubuntuRelease
	}, context.sources), listGuests(proxmox));
	const targets = request.perNode && request.node !== void 0 ? resolved.map((target) => onNode(target, request.node ?? "")) : resolved;
	const { claims, ready } = await readUntagged(proxmox, listed, request.pool);
	const guests = ready.length === 0 || request.dryRun ? listed : await (await import("./load-recover.mjs")).recoverPublications(context, ready, request.pool);
	const found = await Promise.all(targets.map((target) => planTarget(proxmox, target, guests, request)));
	const swept = request.dryRun ? {
		removed: [],
		left: []
	} : await sweepVms(context, claims);
	for (const { what } of swept.removed) reporter.note(`Removed ${what}: it has outlived its lease`);
	return {
		targets,
		guests,
		claims,
		swept,
		plans: await withRefresh(context, request, found)
	};
}
async function withRefresh(context, request, found) {
	if (request.pin !== void 0 || request.pins) {
		(await import("./load-pinned.mjs")).checkPinned(found, request);
		return found;
	}
	if (request.refresh.when === "never") return found;
	return await (await import("./load-refresh.mjs")).planRefresh(context, request, distributions[request.distribution], found);
}
async function onlineNodes({ proxmox }, request) {
	const nodes = await listNodes(proxmox);
	if (request.node !== void 0) return [request.node];
	const offline = nodes.filter(({ online }) => !online);
	if (offline.length > 0) throw new Failure("failure", `One template per node was asked for, and ${offline.map(({ name }) => name).join(", ")} is offline`, { remedy: ["bring it up, or name the node to build on"] });
	return nodes.map(({ name }) => name);
}
async function bothOf(one, other) {
	const [first, second] = await Promise.allSettled([one, other]);
	if (first.status === "rejected") throw first.reason;
	if (second.status === "rejected") throw second.reason;
	return [first.value, second.value];
}
function reusedOutcome({ proxmox }, plan) {
	const now = proxmox.clock.now();
	return {
		target: plan.target,
		result: "reused",
		why: plan.why,
		template: templateOf(plan.target, plan.found),
		verified: [],
		warnings: [],
		left: [],
		phases: [],
		startedAt: now,
		endedAt: now
	};
}

// src/templates/find-targets.ts
async function targetMatcher(sources, named, there) {
	const kind = kindOf$1(named.distribution);
	const ofKind = there.filter((target) => target.distribution === kind);
	const release = named.ubuntuRelease === void 0 ? void 0 : await resolveRelease(named.ubuntuRelease, sources);
	const versions = kind === "rke2" ? await Promise.all(named.versions.map((version) => resolveRelease(version, sources))) : await chosenVersions(named.versions, ofKind);
	return (target) => target.distribution === kind && (release === void 0 || target.ubuntuRelease === release) && (versions.length === 0 || versions.includes(target.version));
}
function kindOf$1(distribution) {
	return distribution === "k3s" ? "rke2" : distribution;
}
async function chosenVersions(selectors, there) {
	if (selectors.length === 0) return [];
	const { selectVersion } = await import("./load-versions.mjs");
	return selectors.map((selector) => isExact(selector) ? exactVersion(selector) : selectVersion(selector, there.map(({ version }) => version)));
}

// src/templates/delete.ts
async function deleteTemplate(context, request) {
	const { proxmox, reporter } = context;
	const guests = (await listGuests(proxmox)).filter((row) => request.pool === void 0 || row.pool === request.pool);
	const isNamed = await targetMatcher(context.sources, request, guests.flatMap((row) => targetOfTags(row.tags) ?? []));
	const matches = (tags) => {
		const target = targetOfTags(tags);
		return target !== void 0 && isNamed(target);
	};
	const found = (await Promise.all(guests.map((row) => inspect(context, row, matches)))).filter((one) => one !== void 0);
	const templates = found.filter(({ deletion }) => deletion.what === "template");
	if (templates.length > 1) throw severalFit(templates.map(({ deletion }) => deletion));
	if (found.length === 0) throw nothingFits(request);
	if (request.distribution === "rke2" || request.distribution === "k3s") reporter.note(`RKE2 and k3s share this template: it is gone for both (${found.map(({ deletion }) => `VM ${deletion.vmid}`).join(", ")})`);
	const done = [];
	const clonesFirst = found.toSorted((a, b) => Number(a.isTemplate) - Number(b.isTemplate));
	for (const { deletion, seed } of clonesFirst) {
		if (request.dryRun) {
			done.push(deletion);
			continue;
		}
		reporter.note(`Deleting ${deletion.what} ${deletion.name} (VM ${deletion.vmid} on node ${deletion.node}): ${deletion.title}`);
		await destroy(context, deletion);
		if (seed) await removeRemnant(proxmox, {
			kind: "volume",
			node: deletion.node,
			volume: seed,
			whole: true
		});
		done.push({
			...deletion,
			deleted: true
		});
	}
	return done;
}
async function inspect({ proxmox }, row, matches) {
	const tagged = row.tags.length > 0;
	if (tagged && !matches(row.tags)) return void 0;
	const config = await readConfigIfThere(proxmox, row.node, row.vmid);
	if (!config) return void 0;
	const lease = readNotes(config.description)?.lease;
	if (!tagged && (!lease || !matches(lease.tags))) return void 0;
	const describe = (title, what) => ({
		deletion: {
			vmid: row.vmid,
			node: row.node,
			name: config.name ?? row.name ?? "",
			title,
			what,
			deleted: false
		},
		seed: lease?.seed,
		isTemplate: config.template
	});
	if (lease && !tagged) {
		if (lease.state === "kept") return describe(lease.title, "kept build VM");
		if (hasEnded(lease, proxmox.clock.now())) return describe(lease.title, "abandoned build VM");
		throw new Failure("conflict", `VM ${row.vmid} on node ${row.node} is being built by ${sayLease(lease)}`, { remedy: ["wait for that run, or cancel it"] });
	}
	if (!config.template) return void 0;
	return describe(titleOf(row.tags), isWholeTemplate(config) ? "template" : "broken template");
}
function titleOf(tags) {
	return targetOfTags(tags)?.title ?? tags.join(";");
}
async function destroy({ proxmox }, { vmid, node, title }) {
	const config = await readConfigIfThere(proxmox, node, vmid);
	if (config?.protection) throw new Failure("conflict", `VM ${vmid} on node ${node} (${title}) is protected and was not deleted`, { remedy: [`qm set ${vmid} --protection 0   # on node ${node}, if it is really to go`] });
	try {
		await destroyStopped(proxmox, node, vmid, (now) => now.description === config?.description && now.name === config?.name);
	} catch (error) {
		if (!(error instanceof TaskFailure) || !/still in use by linked clone/i.test(error.exitStatus)) throw error;
		throw new Failure("conflict", `${title} (VM ${vmid} on node ${node}) was not deleted: linked clones still use its disk. It is whole and can be cloned as before`, {
			remedy: ["delete or move the cluster's nodes that were cloned from it first"],
			evidence: error.evidence,
			cause: error
		});
	}
}
function severalFit(deletions) {
	return new Failure("conflict", `Several templates fit, and none was deleted: ${deletions.map(({ title, vmid, node }) => `${title} (VM ${vmid} on ${node})`).join("; ")}`, { remedy: ["name one by its exact version (and --ubuntu-release)"] });
}
function nothingFits(request) {
	const what = [
		request.distribution,
		...request.versions,
		...request.ubuntuRelease ? [`on Ubuntu ${request.ubuntuRelease}`] : []
	].join(" ");
	return new Failure("not-found", `There is no template of ${what} ${request.pool === void 0 ? "in any pool" : `in pool ${request.pool}`}`, { remedy: ["`kubehenge template list` shows what there is; `--pool ''` takes in every pool"] });
}

// src/templates/list.ts
async function listTemplates(proxmox, request) {
	const rows = (await listGuests(proxmox)).filter((row) => row.tags.includes("kubehenge") && (request.pool === void 0 || row.pool === request.pool) && targetOfTags(row.tags) !== void 0);
	return (await Promise.all(rows.map((row) => readRow(proxmox, row)))).filter((row) => row !== void 0).sort((a, b) => a.target.name.localeCompare(b.target.name, "en", { numeric: true }) || a.vmid - b.vmid);
}
async function readRow(proxmox, row) {
	const target = targetOfTags(row.tags);
	if (!target) return void 0;
	const base = {
		target,
		vmid: row.vmid,
		node: row.node,
		pool: row.pool,
		tags: row.tags
	};
	let config;
	try {
		config = await readConfigIfThere(proxmox, row.node, row.vmid);
	} catch {
		return {
			...base,
			name: row.name,
			storage: void 0,
			state: "unreachable",
			manifest: void 0,
			digest: void 0
		};
	}
	if (!config?.template) return void 0;
	const manifest = readNotes(config.description)?.manifest;
	return {
		...base,
		name: config.name,
		storage: config.scsi0?.split(":")[0],
		state: isWholeTemplate(config) ? "template" : "broken",
		manifest,
		digest: manifest && manifestDigest(manifest)
	};
}

// src/guest/network.ts
function parseGuestNetwork(given) {
	const dns = given.dns ?? [];
	if (given.address === void 0) {
		if (given.gateway !== void 0) throw usage(`A build gateway (${shown(given.gateway)}) was given without a build address.`);
		if (dns.length > 0) throw usage(`A build DNS server (${shown(dns[0] ?? "")}) was given without a build address.`);
		return { kind: "dhcp" };
	}
	if (given.gateway === void 0) throw usage(`The build address ${shown(given.address)} was given without a build gateway.`);
	const network = {
		kind: "static",
		address: given.address,
		gateway: given.gateway,
		dns: [...dns]
	};
	checkGuestNetwork(network);
	return network;
}
function checkGuestNetwork(network) {
	if (network.kind === "dhcp") return;
	const { address, prefix, family } = parseAddress(network.address);
	const block = new BlockList();
	block.addSubnet(address, prefix, family);
	checkHost(network.address, address, prefix, family);
	const gateway = network.gateway;
	if (isIP(gateway) === 0 || gateway.includes("%")) throw usage(`The build gateway ${shown(gateway)} is not an IP address.`);
	if (familyOf(gateway) !== family) throw usage(`The build gateway ${gateway} and the build address ${network.address} are of different IP versions.`);
	const linkLocal = new BlockList();
	linkLocal.addSubnet("fe80::", 10, "ipv6");
	if (!(block.check(gateway, family) || family === "ipv6" && linkLocal.check(gateway, "ipv6"))) throw usage(`The build gateway ${gateway} lies outside the network of the build address ${network.address}.`);
	if (sameAddress(gateway, address)) throw usage(`The build gateway ${gateway} is the build address itself.`);
	if (family === "ipv4") checkHost(`gateway ${gateway}`, gateway, prefix, family);
	for (const server of network.dns) if (isIP(server) === 0 || server.includes("%")) throw usage(`The build DNS server ${shown(server)} is not an IP address.`);
}
function parseAddress(text) {
	const match = /^([0-9A-Fa-f.:]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
	const address = match?.[1] ?? "";
	if (isIP(text) !== 0) throw usage(`The build address ${text} has no prefix length; write it as ${text}/${isIPv4(text) ? 24 : 64}.`);
	if (isIP(address) === 0) throw usage(`The build address ${shown(text)} is not an address with prefix length, such as 192.0.2.10/24.`);
	const family = familyOf(address);
	const prefix = Number(match?.[2]);
	const longest = family === "ipv4" ? 32 : 128;
	if (prefix < 1 || prefix > longest) throw usage(`The build address ${text} needs a prefix length of 1 to ${longest}.`);
	return {
		address,
		prefix,
		family
	};
}
function checkHost(text, address, prefix, family) {
	if (family === "ipv6" || prefix >= 31) return;
	const hostBits = 2 ** (32 - prefix);
	const host = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) % hostBits;
	if (host === 0) throw usage(`The build address ${text} names the network itself, not a host in it.`);
	if (host === hostBits - 1) throw usage(`The build address ${text} is the broadcast address of its network.`);
}
function familyOf(address) {
	return isIPv4(address) ? "ipv4" : "ipv6";
}
function sameAddress(a, b) {
	const only = new BlockList();
	only.addAddress(a, familyOf(a));
	return only.check(b, familyOf(b));
}
function shown(text) {
	return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
function usage(message) {
	return new Failure("usage", message);
}

// src/templates/pins.ts
const digest = string().regex(/^sha256:[0-9a-f]{64}$/, "is not a digest such as sha256:…");
const lockSchema = object({
	schema: literal(1),
	templates: array(object({
		distribution: string(),
		version: string(),
		ubuntuRelease: string().optional(),
		tags: array(string()).min(1),
		digest,
		vmid: int().optional(),
		node: string().optional()
	}))
});
function parseLock(text, file) {
	let json;
	try {
		json = JSON.parse(text);
	} catch (error) {
		throw new Failure("usage", `${file} is not JSON: ${error.message}`, { cause: error });
	}
	const lock = lockSchema.safeParse(json);
	if (!lock.success) {
		const issue = lock.error.issues[0];
		throw new Failure("usage", `${file} is not a lock file of templates: ${issue?.path.join(".")}: ${issue?.message}`, { remedy: ["write it anew with --lock write, or see docs/lock-file.md"] });
	}
	return lock.data.templates.map(({ tags, digest: wanted }) => ({
		tags: tags.map((tag) => tag.toLowerCase()).sort(),
		digest: wanted
	}));
}
function writeLock(templates, former, file) {
	const kept = former === void 0 ? [] : lockedEntries(former, file).filter(({ tags }) => !templates.some(({ target }) => sameTags(target.tags, tags)));
	const entries = templates.map(({ target, template }) => ({
		distribution: target.distribution,
		version: target.version,
		...target.ubuntuRelease ? { ubuntuRelease: target.ubuntuRelease } : {},
		tags: [...target.tags],
		digest: template.digest,
		vmid: template.vmid,
		node: template.node
	}));
	const all = [...kept, ...entries].sort((a, b) => a.tags.join(";").localeCompare(b.tags.join(";"), "en", { numeric: true }));
	return `${JSON.stringify({
		schema: 1,
		templates: all
	}, void 0, 2)}\n`;
}
function lockedEntries(text, file) {
	parseLock(text, file);
	return lockSchema.parse(JSON.parse(text)).templates;
}
function parsePin(text, option) {
	const checked = digest.safeParse(text.trim().toLowerCase());
	if (!checked.success) throw new Failure("usage", `${option} is not a digest of a template such as sha256:…, but ${JSON.stringify(text)}`);
	return checked.data;
}
function checkPin(target, template, wanted) {
	if (template.digest === wanted) return;
	const shown = template.digest || "no manifest, so no digest";
	throw new Failure("verification", `The template of ${target.title} is not the pinned one: VM ${template.vmid} on node ${template.node} has ${shown}, pinned is ${wanted}`, { remedy: [`kubehenge template rollback ${target.distribution}   # if it was replaced by a refresh and the pinned build was kept`, "or pin the new one, after it was tested: `kubehenge template list -o wide` shows the digests"] });
}

// src/templates/request-inputs.ts
const flag = string().regex(/^(true|false)$/i, "wants true or false").transform((text) => text.toLowerCase() === "true");
const wholeNumber = (low, high, unit) => string().regex(/^\d{1,6}$/, `wants a whole number${unit}`).transform(Number).refine((n) => n >= low && n <= high, `wants a number from ${low} to ${high}${unit}`);
const node = string().regex(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, "is not a node's name");
const storage = string().regex(/^[A-Za-z][A-Za-z0-9\-_.]*[A-Za-z0-9]$/, "is not a storage's name");
const pool = string().regex(/^[A-Za-z0-9\-_.]+(\/[A-Za-z0-9\-_.]+){0,2}$/, "is not a pool's name");
const bridge = string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,14}$/, "is not a bridge's name");
const lines = string().transform((text) => text.split(/[\n,]+/).map((line) => line.trim()).filter(Boolean));
const words = string().transform((text) => text.split(/[\s,]+/).filter(Boolean));
const units = {
	m: 6e4,
	h: 36e5,
	d: 864e5,
	w: 6048e5
};
const age = string().regex(/^[1-9]\d{0,3}[mhdw]$/, "wants a number and m, h, d or w, such as 7d").transform((text) => Number(text.slice(0, -1)) * units[text.at(-1)]);
const distribution = _enum(distributionNames, `is one of ${distributionNames.join(", ")}`);
function checkInputs(schema, raw, name) {
	const set = Object.fromEntries(Object.entries(raw).flatMap(([key, text]) => text?.trim() ? [[key, text.trim()]] : []));
	const checked = schema.safeParse(set);
	if (checked.success) return checked.data;
	const problems = checked.error.issues.map((issue) => {
		const input = String(issue.path[0]);
		return set[input] === void 0 ? `${name(input)} is missing: it ${issue.message}` : `${name(input)} ${issue.message}, not ${JSON.stringify(set[input])}`;
	});
	throw new Failure("usage", problems.join("; "));
}

// src/templates/request.ts
const createSchema = object({
	distribution,
	versions: lines.default([]),
	"ubuntu-release": string().optional(),
	node: node.optional(),
	storage: storage.optional(),
	pool: pool.prefault(requestDefaults.pool),
	"import-storage": storage.prefault(requestDefaults["import-storage"]),
	"iso-storage": storage.optional(),
	bridge: bridge.prefault(requestDefaults.bridge),
	vlan: wholeNumber(1, 4094, "").optional(),
	"build-address": string().optional(),
	"build-gateway": string().optional(),
	"build-dns": words.default([]),
	"disk-size": wholeNumber(1, 65536, " of GiB").optional(),
	timeout: wholeNumber(1, 1440, " of minutes").prefault(requestDefaults.timeout),
	parallel: wholeNumber(1, 16, "").prefault(requestDefaults.parallel),
	"keep-on-failure": flag.prefault(requestDefaults["keep-on-failure"]),
	"dry-run": flag.prefault(requestDefaults["dry-run"]),
	"per-node": flag.prefault(requestDefaults["per-node"]),
	pin: string().optional(),
	keep: wholeNumber(0, 100, "").prefault(requestDefaults.keep),
	"keep-versions": wholeNumber(1, 100, "").optional(),
	force: flag.prefault(requestDefaults.force),
	refresh: _enum([
		"never",
		"outdated",
		"always"
	], "is one of never, outdated, always").prefault(requestDefaults.refresh),
	"max-age": age.optional(),
	"smoke-test": flag.optional(),
	"image-repository": string().regex(/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/, "is not an image repository, such as registry.example.org/k8s").optional(),
	"apt-mirror": url({
		protocol: /^https?$/,
		error: "is not an http or https address"
	}).optional()
});
function parsePlanRequests(raw, name) {
	const names = (raw["distribution"] ?? "").split(/[\s,]+/).filter(Boolean);
	const chosen = names.length > 0 ? names : [...distributionNames].filter((one) => one !== "k3s");
	if (chosen.length > 1 && raw["versions"]) throw new Failure("usage", `${name("versions")} means something else for each distribution; plan them one by one: ${chosen.join(", ")}`);
	return chosen.map((one) => parseCreateRequest({
		...raw,
		distribution: one,
		"ubuntu-release": one === "talos" ? void 0 : raw["ubuntu-release"]
	}, name));
}
function parseCreateRequest(raw, name) {
	const input = checkInputs(createSchema, raw, name);
	return {
		distribution: input.distribution,
		versions: input.versions,
		ubuntuRelease: input["ubuntu-release"],
		node: input.node,
		storage: input.storage,
		pool: input.pool,
		importStorage: input["import-storage"],
		isoStorage: input["iso-storage"],
		bridge: input.bridge,
		vlan: input.vlan,
		network: parseGuestNetwork({
			address: input["build-address"],
			gateway: input["build-gateway"],
			dns: input["build-dns"]
		}),
		diskGiB: input["disk-size"],
		timeoutMs: input.timeout * 6e4,
		parallel: input.parallel,
		keepOnFailure: input["keep-on-failure"],
		dryRun: input["dry-run"],
		refresh: {
			when: input.refresh,
			maxAgeMs: input["max-age"]
		},
		smokeTest: input["smoke-test"] ?? input.refresh !== "never",
		perNode: input["per-node"],
		keep: input.keep,
		pins: void 0,
		pin: input.pin === void 0 ? void 0 : parsePin(input.pin, name("pin")),
		imageRepository: input["image-repository"],
		aptMirror: input["apt-mirror"]
	};
}

// src/templates/upkeep-requests.ts
function parseListRequest(raw, name) {
	const given = raw["pool"];
	if (given === "" || given === "*") return { pool: void 0 };
	return { pool: checkInputs(object({ pool: pool.prefault(requestDefaults.pool) }), { pool: given }, name).pool };
}
const deleteSchema = createSchema.pick({
	distribution: true,
	versions: true,
	"ubuntu-release": true,
	"dry-run": true,
	timeout: true
});
function parseDeleteRequest(raw, name) {
	const input = checkInputs(deleteSchema, {
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
	const input = checkInputs(createSchema.pick({
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
const pruneSchema = createSchema.pick({
	"dry-run": true,
	timeout: true,
	keep: true,
	"keep-versions": true,
	force: true
}).extend({ distribution: distribution.optional() });
function parsePruneRequest(raw, name) {
	const input = checkInputs(pruneSchema, {
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
	const input = checkInputs(object({ protect: flag.optional() }), { protect: raw["protect"] }, name);
	return {
		...parseDeleteRequest(raw, name),
		digest: parsePin(raw["pin"] ?? "", name("pin")),
		protect: input.protect
	};
}
function parseRollbackRequest(raw, name) {
	const build = checkInputs(object({ build: string().regex(/^[0-9a-f]{12}$/, "is the id of a build: 12 hex digits").optional() }), { build: raw["build"] }, name).build;
	return {
		...parseDeleteRequest(raw, name),
		build
	};
}

// src/templates/write.ts
const attempts = 4;
async function runTask(proxmox, write) {
	for (let attempt = 1;; attempt += 1) {
		const upid = await startOrFind(proxmox, write);
		if (upid === void 0) return {
			upid: "",
			warnings: []
		};
		write.onTask?.(upid);
		try {
			return await waitForTask(proxmox, upid, write);
		} catch (error) {
			if (!(error instanceof TaskFailure)) throw error;
			if (error.outcomeUnknown && await write.isDone()) return {
				upid,
				warnings: []
			};
			if (attempt >= attempts || !(error.lockTimeout || error.outcomeUnknown && !write.once)) throw error;
			await proxmox.clock.sleep(1e3 * 2 ** attempt, proxmox.signal);
			if (await write.isDone()) return {
				upid,
				warnings: []
			};
		}
	}
}
async function startOrFind(proxmox, write) {
	for (let attempt = 1;; attempt += 1) try {
		return await write.start();
	} catch (error) {
		if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
		await proxmox.clock.sleep(500 * 2 ** attempt, proxmox.signal);
		const task = await findTask(proxmox, write.task.node, {
			...write.task,
			id: String(write.task.vmid)
		});
		if (task && task.starttime >= write.task.notBefore) return task.upid;
		if (await write.isDone()) return void 0;
	}
}
async function confirmWrite(proxmox, write, isDone) {
	for (let attempt = 1;; attempt += 1) try {
		await write();
		return;
	} catch (error) {
		if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
		await proxmox.clock.sleep(500 * 2 ** attempt, proxmox.signal);
		if (await isDone()) return;
	}
}

// src/templates/publish.ts
async function publish(proxmox, candidate, replaced) {
	const { node, vmid, target, manifest } = candidate;
	const notes = {
		name: target.name,
		description: templateNotes(target, manifest)
	};
	if (!replaced) return await setTags(proxmox, candidate, target.tags, notes);
	await awaitShown(proxmox, candidate);
	await presentOf(proxmox, candidate, replaced);
	await confirmWrite(proxmox, () => updateConfig(proxmox, node, vmid, notes), async () => readNotes((await readConfig(proxmox, node, vmid)).description)?.manifest !== void 0);
	for (let attempt = 1;; attempt += 1) {
		const present = await presentOf(proxmox, candidate, replaced);
		if (present?.row.vmid === vmid) return;
		if (!present) return await setTags(proxmox, candidate, target.tags);
		try {
			return await exchange(proxmox, {
				node: present.row.node,
				vmid: present.row.vmid,
				tags: retiredTags(manifestOf(present))
			}, {
				node,
				vmid,
				tags: target.tags
			});
		} catch (error) {
			if (!(error instanceof TakenByOther) || attempt >= exchangeAttempts) throw error;
		}
	}
}
const exchangeAttempts = 3;
const showPauseMs = 1e3;
const showLimitMs = 12e4;
async function awaitShown(proxmox, { node, vmid }) {
	const until = proxmox.clock.now() + showLimitMs;
	for (;;) {
		if ((await listGuests(proxmox)).some((row) => row.vmid === vmid && row.node === node && row.template === 1)) return;
		if (proxmox.clock.now() >= until) throw new Failure("deadline", `VM ${vmid} on node ${node} is a template, but after ${showLimitMs / 1e3} s the cluster's list still does not show it as one, so clusters could not find it`, { remedy: [`look whether the statistics daemon runs: systemctl status pvestatd   # on node ${node}`] });
		await proxmox.clock.sleep(showPauseMs, proxmox.signal);
	}
}
async function presentOf(proxmox, { vmid, target }, planned) {
	const guests = await listGuests(proxmox);
	const plan = await planTarget(proxmox, target, guests, {
		pool: planned.row.pool ?? "",
		node: void 0
	});
	if (plan.action === "build") return void 0;
	const { row, config } = plan.found;
	if (!config.protection || row.vmid === vmid) return plan.found;
	throw new Failure("conflict", `VM ${row.vmid} on node ${row.node}, the present template of ${target.title}, was pinned while its successor was built`, { remedy: [`qm set ${row.vmid} --protection 0   # on node ${row.node}, if it is to be replaced`] });
}
var TakenByOther = class extends Failure {};
async function exchange(proxmox, from, to) {
	proxmox.signal?.throwIfAborted();
	const { tags: before, digest } = await readConfig(proxmox, from.node, from.vmid);
	if (!sameTags(before, to.tags)) throw takenByOther(from);
	const unstoppable = proxmox.under(void 0);
	try {
		await setTags(unstoppable, from, from.tags, { digest });
	} catch (error) {
		throw isChangedMeanwhile(error) ? takenByOther(from, error) : error;
	}
	try {
		await setTags(unstoppable, to, to.tags);
	} catch (error) {
		if (!isUnknown(error)) await setTags(unstoppable, from, before).catch(() => void 0);
		throw error;
	}
}
function isUnknown(error) {
	return error instanceof ProxmoxError && error.treatment === "ambiguous";
}
function isChangedMeanwhile(error) {
	return error instanceof ProxmoxError && /checksum mismatch|modified config/i.test(error.reason);
}
function takenByOther({ node, vmid }, cause) {
	return new TakenByOther("conflict", `VM ${vmid} on node ${node} was changed by somebody else at the moment when its tags were to be handed over`, {
		remedy: ["run again: it starts from what is there then"],
		cause
	});
}
async function setTags(proxmox, vm, tags, besides = {}) {
	await confirmWrite(proxmox, () => updateConfig(proxmox, vm.node, vm.vmid, {
		...besides,
		...tags.length > 0 ? { tags: tags.join(";") } : { delete: "tags" }
	}), async () => sameTags((await readConfig(proxmox, vm.node, vm.vmid)).tags, tags));
}
function manifestOf({ row, config }) {
	return readNotes(config.description)?.manifest ?? { build: `vm-${row.vmid}` };
}

// src/templates/rollback.ts
async function rollback(context, request) {
	const { proxmox, reporter } = context;
	const guests = await listGuests(proxmox);
	const begun = await readBegun(proxmox, guests, request.pool);
	const retired = [...await readRetired(proxmox, guests, request.pool), ...begun];
	const isNamed = await targetMatcher(context.sources, request, [...retired.map(({ target }) => target), ...tagged(guests)]);
	const fitting = retired.filter(({ target, manifest }) => isNamed(target) && (request.build === void 0 || manifest.build === request.build));
	const chosen = await firstMidway(proxmox, guests, fitting.filter((one) => begun.includes(one)), retired) ?? newestOfOneTarget(fitting.filter((one) => !begun.includes(one)), request);
	const plan = await planTarget(proxmox, chosen.target, guests, {
		pool: chosen.row.pool ?? request.pool ?? "",
		node: void 0
	});
	const present = plan.action === "reuse" ? plan.found : void 0;
	if (present?.config.protection) throw new Failure("conflict", `The present template of ${chosen.target.title}, VM ${present.row.vmid} on node ${present.row.node}, is pinned (its protection is on)`, { remedy: [`qm set ${present.row.vmid} --protection 0   # on node ${present.row.node}, if it is to be retired`] });
	const result = {
		target: chosen.target,
		to: {
			vmid: chosen.row.vmid,
			node: chosen.row.node,
			build: chosen.manifest.build,
			created: chosen.manifest.created
		},
		from: present && {
			vmid: present.row.vmid,
			node: present.row.node
		},
		done: !request.dryRun
	};
	if (request.dryRun) return result;
	const to = {
		node: chosen.row.node,
		vmid: chosen.row.vmid,
		tags: chosen.target.tags
	};
	if (present) {
		await awaitShown(proxmox, to);
		await setTags(proxmox, to, []);
		const manifest = readNotes(present.config.description)?.manifest ?? { build: `vm-${present.row.vmid}` };
		try {
			await exchange(proxmox, {
				node: present.row.node,
				vmid: present.row.vmid,
				tags: retiredTags(manifest)
			}, to);
		} catch (error) {
			if (!isUnknown(error)) await setTags(proxmox.under(void 0), to, retiredTags(chosen.manifest)).catch(() => void 0);
			throw error;
		}
	} else await setTags(proxmox, to, to.tags);
	reporter.note(`VM ${to.vmid} on node ${to.node} is the template again, made ${chosen.manifest.created}`, chosen.target.title);
	reporter.note("A run with refresh: outdated or always builds anew all the same; to hold this one, protect it (kubehenge template verify --protect true)", chosen.target.title);
	return result;
}
async function readBegun(proxmox, guests, pool) {
	const { ready } = await readUntagged(proxmox, guests, pool);
	return ready.flatMap(({ row, config, manifest }) => {
		const target = targetOfManifest(manifest);
		return target ? [{
			row,
			config,
			manifest,
			target
		}] : [];
	});
}
async function firstMidway(proxmox, guests, begun, retired) {
	for (const one of begun) {
		const plan = await planTarget(proxmox, one.target, guests, {
			pool: one.row.pool ?? "",
			node: void 0
		});
		if ([plan.action === "reuse" ? readNotes(plan.found.config.description)?.manifest : void 0, ...retired.flatMap(({ target, manifest }) => target.name === one.target.name ? [manifest] : [])].some((other) => other !== void 0 && other.created > one.manifest.created)) return one;
	}
}
function tagged(guests) {
	return guests.flatMap((row) => targetOfTags(row.tags) ?? []);
}
function newestOfOneTarget(fitting, request) {
	const titles = [...new Set(fitting.map(({ target }) => target.title))];
	const [newest] = fitting;
	if (!newest) throw new Failure("not-found", `There is no retired build of ${[request.distribution, ...request.versions].join(" ")} to bring back`, { remedy: ["builds are retired when a refresh takes their place, and pruned beyond `keep`"] });
	if (titles.length > 1) throw new Failure("conflict", `Retired builds of several templates fit: ${titles.join("; ")}`, { remedy: ["name one by its exact version (and --ubuntu-release)"] });
	return newest;
}

// src/templates/clones.ts
const tellingTypes = /* @__PURE__ */ new Set([
	"dir",
	"nfs",
	"cifs",
	"cephfs",
	"glusterfs",
	"btrfs",
	"zfspool",
	"rbd"
]);
const diskRow = object({
	volid: string(),
	parent: string().nullish(),
	vmid: number().optional()
});
async function findClones(proxmox, node, vmid, config) {
	const disk = (config.scsi0 ?? "").split(",")[0] ?? "";
	const name = disk.slice(0, disk.indexOf(":"));
	const base = disk.slice(disk.lastIndexOf("/") + 1).replace(/^.*:/, "");
	const storage = (await listStorages(proxmox, node)).find((one) => one.name === name);
	if (!storage) return {
		known: false,
		why: `storage ${name} is not shown to the token ${proxmox.tokenName}`
	};
	if (!tellingTypes.has(storage.type)) return {
		known: false,
		why: `a storage of type ${storage.type} does not tell which disks are linked clones`
	};
	const rows = await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/storage/${name}/content`,
		parameters: { content: "images" },
		schema: array(diskRow)
	});
	if (!rows.some(({ volid }) => volid === disk)) return {
		known: false,
		why: `storage ${name} does not list the template's own disk to the token ${proxmox.tokenName} (Datastore.Audit)`
	};
	const clones = rows.filter((row) => row.volid !== disk && row.vmid !== vmid && (row.parent?.includes(base) || row.volid.includes(`${base}/`)));
	return {
		known: true,
		vmids: [...new Set(clones.flatMap((row) => row.vmid ?? []))]
	};
}

// src/templates/prune.ts
async function pruneTemplates(context, request) {
	const { proxmox } = context;
	const guests = await listGuests(proxmox);
	const retired = (await readRetired(proxmox, guests, request.pool)).filter(({ target }) => request.concerns(target));
	const isOld = oldVersionsOf(guests, request);
	const surplus = [...oldBuilds(retired, request, isOld), ...await oldVersions(context, guests, request, isOld)];
	const done = [];
	for (const one of surplus) done.push(await pruneOne(context, request, one));
	return done;
}
function oldBuilds(retired, request, isOld) {
	const seen = /* @__PURE__ */ new Map();
	return retired.flatMap(({ row, config, manifest, target }) => {
		const count = (seen.get(target.name) ?? 0) + 1;
		seen.set(target.name, count);
		const build = `retired build ${manifest.build} of ${manifest.created.slice(0, 10)}`;
		if (isOld(target)) return [{
			row,
			config,
			title: target.title,
			why: `${build}; older than the ${request.keepVersions} newest versions`
		}];
		if (count <= request.keep) return [];
		return [{
			row,
			config,
			title: target.title,
			why: `${build}; ${request.keep} are kept`
		}];
	});
}
function oldVersionsOf(guests, request) {
	const limit = request.keepVersions;
	if (limit === void 0) return () => false;
	const versions = /* @__PURE__ */ new Map();
	for (const { target } of taggedTargets(guests, request)) versions.set(kindOf(target), (versions.get(kindOf(target)) ?? /* @__PURE__ */ new Set()).add(target.version));
	const oldest = new Map([...versions].map(([kind, all]) => [kind, [...all].sort((one, other) => compareVersions(other, one))[limit - 1]]));
	return (target) => {
		const bound = oldest.get(kindOf(target));
		return bound !== void 0 && compareVersions(target.version, bound) < 0;
	};
}
function taggedTargets(guests, request) {
	return guests.flatMap((row) => {
		const target = targetOfTags(row.tags);
		return target && (request.pool === void 0 || row.pool === request.pool) && request.concerns(target) ? [{
			row,
			target
		}] : [];
	});
}
function kindOf({ distribution, ubuntuRelease = "" }) {
	if (distribution === "kubeadm") return `${distribution} ${ubuntuRelease}`;
	return distribution === "k3s" ? "rke2" : distribution;
}
function compareVersions(one, other) {
	return one.localeCompare(other, "en", { numeric: true });
}
async function oldVersions({ proxmox }, guests, request, isOld) {
	const tooMany = taggedTargets(guests, request).filter(({ target }) => isOld(target));
	return (await Promise.all(tooMany.map(async ({ row, target }) => {
		const config = await readConfigIfThere(proxmox, row.node, row.vmid);
		return config && isWholeTemplate(config) ? {
			row,
			config,
			title: target.title,
			why: `older than the ${request.keepVersions} newest versions`
		} : void 0;
	}))).filter((one) => one !== void 0);
}
async function pruneOne({ proxmox, reporter }, request, { row, config, title, why }) {
	const pruned = {
		vmid: row.vmid,
		node: row.node,
		title,
		why
	};
	const stays = (because) => {
		reporter.note(`VM ${row.vmid} on node ${row.node} stays: ${because}`, title);
		return {
			...pruned,
			result: "stays",
			because
		};
	};
	if (config.protection) return stays("it is pinned (its protection is on)");
	const clones = await findClones(proxmox, row.node, row.vmid, config);
	if (clones.known && clones.vmids.length > 0) return stays(`linked clones hang on it: VM ${clones.vmids.join(", ")}`);
	if (!clones.known && !request.force) return stays(`whether linked clones hang on it cannot be told: ${clones.why}; --force deletes it all the same`);
	if (request.dryRun) return {
		...pruned,
		result: "would be deleted"
	};
	try {
		await destroyStopped(proxmox, row.node, row.vmid, (now) => now.template && !now.protection && sameTags(now.tags, row.tags));
		return {
			...pruned,
			result: "deleted"
		};
	} catch (error) {
		return stays(error.message);
	}
}

export { sayLeft as $, deleteLine as A, nextVmid as At, targetOfTags as B, waitForTask as Bt, planAll as C, shutdownVm as Ct, planTarget as D, listBridges as Dt, sweepVolumes as E, updateConfig as Et, sayClaim as F, uploadIso as Ft, parseUpstreams as G, grantLines as Gt, isExact as H, apiPath as Ht, settleClaim as I, TaskFailure as It, withSession as J, onSignals as K, Failure as Kt, retiredTags as L, findTask as Lt, readUntagged as M, listStorages as Mt, readyOnes as N, listVolumes as Nt, templateOf as O, listGuests as Ot, refuseKept as P, takesFormat as Pt, splitCredentials as Q, targetOfManifest as R, taskStart as Rt, createTemplates as S, resizeDisk as St, sweepVms as T, stopVm as Tt, nonsense as U, parseConnection as Ut, exactVersion as V, sayDuration as Vt, journalInto as W, ProxmoxError as Wt, parseUrl as X, proxyFor as Y, shownUrl as Z, writeLock as _, isWholeTemplate as _t, confirmWrite as a, remnantSchema as at, deleteTemplate as b, readGuestHostName as bt, parseListRequest as c, sayRemnant as ct, parseSweepRequest as d, readNotes as dt, sayRemains as et, parseVerifyRequest as f, manifestDigest as ft, parseLock as g, createVm as gt, checkPin as h, convertToTemplate as ht, setTags as i, remnantKey as it, liveClaims as j, downloadImage as jt, claimsOn as k, listNodes as kt, parsePruneRequest as l, escapeMarkdown as lt, parsePlanRequests as m, seedFileName as mt, rollback as n, readConfigIfThere as nt, runTask as o, removalCommands as ot, parseCreateRequest as p, newLease as pt, withDeadline as q, publish as r, readOwnConfig as rt, parseDeleteRequest as s, removeRemnant as st, pruneTemplates as t, isOurs as tt, parseRollbackRequest as u, leaseNotes as ut, checkGuestNetwork as v, readConfig as vt, sweep as w, startVm as wt, targetMatcher as x, readStatus as xt, listTemplates as y, readGuestFile as yt, sameTags as z, upidSchema as zt };