import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";

/** A WebSocket as its client holds it (RFC 6455): enough for a stream of bytes, without extensions. */
export interface WebSocket {
  /** Sends one text message. */
  send(text: string): void;
  /** Ends the connection; `onClose` is called for it too. */
  close(): void;
}

export interface WebSocketRequest {
  /** Host and port as the server is called. */
  host: string;
  /** Path and query, already encoded. */
  path: string;
  headers: Record<string, string>;
  protocol: string;
  /** Milliseconds for the server's answer. */
  timeoutMs: number;
  /** Payload of data frames in the order of arrival. */
  onData(payload: Buffer): void;
  /** Called once when the connection has ended, however. */
  onClose(): void;
}

/** The server answered something else than that it switches protocols. */
export class UpgradeRefused extends Error {
  override readonly name = "UpgradeRefused";
  readonly status: number;
  readonly reason: string;
  constructor(status: number, reason: string) {
    super(`${status} ${reason}`);
    this.status = status;
    this.reason = reason;
  }
}

// RFC 6455 section 1.3.
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const headLimit = 16 * 1024;
/** Bytes of one frame; a serial console sends far smaller ones. */
const frameLimit = 1024 * 1024;

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/**
 * Opens a WebSocket over a connection that is there (RFC 6455 section 4.1).
 * @throws UpgradeRefused, or an Error when the other end does not speak the protocol
 */
export async function startWebSocket(socket: Duplex, request: WebSocketRequest): Promise<WebSocket> {
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
  socket.on("data", (bytes: Buffer) => {
    if (!closed && !reader(bytes)) end();
  });
  if (rest.length > 0 && !reader(rest)) end();
  if (socket.destroyed) end();
  return {
    send: (text) => {
      if (!closed) socket.write(frame(opcodes.text, Buffer.from(text)));
    },
    close: () => {
      // 1000: normal closure (section 7.4.1). The server's own is not waited for.
      if (!closed) socket.write(frame(opcodes.close, Buffer.from([0x03, 0xe8])));
      end();
    },
  };
}

/** Sends the request and reads the answer's head; gives what came after it. */
function handshake(socket: Duplex, request: WebSocketRequest, key: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const settle = (error: Error | undefined, rest = Buffer.alloc(0)) => {
      clearTimeout(timer);
      socket.off("data", onData);
      socket.off("error", settle);
      socket.off("end", onClose);
      socket.off("close", onClose);
      if (!error) return resolve(rest);
      socket.destroy();
      reject(error);
    };
    const onClose = () => settle(new Error("the connection was closed before a WebSocket was open"));
    const onData = (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) {
        if (received.length > headLimit) settle(new Error("an answer without an end of its head"));
        return;
      }
      const head = received.subarray(0, end).toString("latin1").split("\r\n");
      const refused = refusal(head, key, request.protocol);
      settle(refused, received.subarray(end + 4));
    };
    const timer = setTimeout(
      () => settle(new Error(`no answer within ${request.timeoutMs / 1000} s`)),
      request.timeoutMs,
    );
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
      ...request.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${request.path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  });
}

/** What is wrong with the answer's head; nothing when a WebSocket is open. */
function refusal(head: readonly string[], key: string, protocol: string): Error | undefined {
  const status = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(head[0] ?? "");
  if (!status) return new Error("the answer is not HTTP");
  if (status[1] !== "101") return new UpgradeRefused(Number(status[1]), status[2] ?? "");
  const headers = new Map(
    head.slice(1).map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const accept = createHash("sha1").update(`${key}${acceptSuffix}`).digest("base64");
  if (headers.get("sec-websocket-accept") !== accept) return new Error("the answer to the WebSocket's key is wrong");
  if ((headers.get("sec-websocket-protocol") ?? protocol) !== protocol)
    return new Error(`the server chose another protocol: ${headers.get("sec-websocket-protocol")}`);
  return undefined;
}

/** Takes bytes as they come and hands payloads on; false when the connection is to end (section 5). */
function frameReader(socket: Duplex, { onData }: Pick<WebSocketRequest, "onData">): (bytes: Buffer) => boolean {
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
        case opcodes.pong:
          break;
        default:
          return false;
      }
    }
  };
}

type Frame = { opcode: number; payload: Buffer; size: number };

/** One frame from the server, which never masks (section 5.1). */
function readFrame(bytes: Buffer): Frame | "incomplete" | "broken" {
  if (bytes.length < 2) return "incomplete";
  const [first = 0, second = 0] = bytes;
  // No extension was asked for, so the reserved bits are zero.
  if ((first & 0x70) !== 0 || (second & 0x80) !== 0) return "broken";
  const short = second & 0x7f;
  const header = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < header) return "incomplete";
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (length > frameLimit) return "broken";
  if (bytes.length < header + length) return "incomplete";
  return { opcode: first & 0x0f, payload: bytes.subarray(header, header + length), size: header + length };
}

/** One whole frame as a client sends it: masked (section 5.3). */
function frame(opcode: number, payload: Buffer): Buffer {
  const length = payload.length;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | length])
      : Buffer.from([0x80 | opcode, 0x80 | 126, length >> 8, length & 0xff]);
  if (length > 0xffff) throw new RangeError("a message of more than 64 KiB");
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}
