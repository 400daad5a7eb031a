import { createHash, randomBytes } from "node:crypto";

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

export { UpgradeRefused, startWebSocket };