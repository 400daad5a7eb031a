import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { duplexPair, type Duplex } from "node:stream";
import { describe, it } from "node:test";
import { startWebSocket, UpgradeRefused, type WebSocket } from "../../../src/proxmox/websocket.ts";

/** The server's end of a pair, with what it has received so far and a wait for what comes. */
class Server {
  readonly socket: Duplex;
  received = Buffer.alloc(0);
  constructor(socket: Duplex) {
    this.socket = socket;
    socket.on("data", (bytes: Buffer) => (this.received = Buffer.concat([this.received, bytes])));
    socket.on("error", () => {});
  }
  async until(isThere: (received: Buffer) => boolean): Promise<void> {
    for (let turn = 0; !isThere(this.received); turn++) {
      assert.ok(turn < 1000, `the client never sent it: ${this.received.toString("hex")}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  /** Reads the request's head, and gives the key that the answer has to be made of. */
  async request(): Promise<{ head: string; accept: string }> {
    await this.until((received) => received.includes("\r\n\r\n"));
    const head = this.received.toString("latin1");
    this.received = Buffer.alloc(0);
    const key = /^sec-websocket-key: (\S+)\r$/m.exec(head)?.[1] ?? assert.fail(head);
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    return { head, accept };
  }
}

interface Opened {
  server: Server;
  client: WebSocket;
  data: Buffer[];
  closed: () => number;
}

function begin(): { server: Server; opening: Promise<WebSocket>; data: Buffer[]; closed: () => number } {
  const [near, far] = duplexPair();
  const data: Buffer[] = [];
  let closed = 0;
  const opening = startWebSocket(near, {
    host: "pve.example.org:8006",
    path: "/api2/json/x?port=5900",
    headers: { authorization: "PVEAPIToken=a@b!c=d" },
    protocol: "binary",
    timeoutMs: 5000,
    onData: (payload) => data.push(Buffer.from(payload)),
    onClose: () => (closed += 1),
  });
  return { server: new Server(far), opening, data, closed: () => closed };
}

async function open(with_: Buffer = Buffer.alloc(0)): Promise<Opened> {
  const { server, opening, data, closed } = begin();
  const { accept } = await server.request();
  const head = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: binary\r\n\r\n`;
  server.socket.write(Buffer.concat([Buffer.from(head), with_]));
  return { server, client: await opening, data, closed };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};
const serverFrame = (opcode: number, payload: string | Buffer, fin = true) => {
  const bytes = Buffer.from(payload);
  const head =
    bytes.length < 126
      ? [bytes.length]
      : bytes.length < 0x10000
        ? [126, bytes.length >> 8, bytes.length & 0xff]
        : [127, 0, 0, 0, 0, 0, bytes.length >> 16, (bytes.length >> 8) & 0xff, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([(fin ? 0x80 : 0) | opcode, ...head]), bytes]);
};
/** Opcode and payload of a client's frame; it has to be masked. */
function clientFrame(bytes: Buffer): { opcode: number; payload: string } {
  assert.ok((bytes[1] ?? 0) & 0x80, "a client masks its frames (RFC 6455, section 5.1)");
  const short = (bytes[1] ?? 0) & 0x7f;
  const at = short === 126 ? 4 : 2;
  const mask = bytes.subarray(at, at + 4);
  const payload = bytes.subarray(at + 4).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { opcode: (bytes[0] ?? 0) & 0x0f, payload: Buffer.from(payload).toString() };
}

describe("a WebSocket", () => {
  it("asks for the upgrade with its protocol and credentials", async () => {
    const { server, opening } = begin();
    const { head, accept } = await server.request();
    assert.match(head, /^GET \/api2\/json\/x\?port=5900 HTTP\/1\.1\r\n/);
    for (const line of ["host: pve.example.org:8006", "upgrade: websocket", "sec-websocket-version: 13"])
      assert.ok(head.includes(`${line}\r\n`), line);
    assert.match(head, /sec-websocket-protocol: binary\r\n/);
    assert.match(head, /authorization: PVEAPIToken=a@b!c=d\r\n/);
    server.socket.write(`HTTP/1.1 101 x\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    (await opening).close();
  });

  it("takes a refusal with its status and reason, and a wrong key's answer for none", async () => {
    const refused = begin();
    await refused.server.request();
    refused.server.socket.write("HTTP/1.1 403 Permission check failed (/vms/100, VM.Console)\r\n\r\n");
    await assert.rejects(
      refused.opening,
      (error: UpgradeRefused) =>
        error instanceof UpgradeRefused && error.status === 403 && error.reason.endsWith("VM.Console)"),
    );
    const wrong = begin();
    await wrong.server.request();
    wrong.server.socket.write("HTTP/1.1 101 x\r\nSec-WebSocket-Accept: AAAA\r\n\r\n");
    await assert.rejects(wrong.opening, /key is wrong/);
  });

  it("fails when the other end closes before it is open", async () => {
    const { server, opening } = begin();
    await server.request();
    server.socket.end();
    await assert.rejects(opening, /closed before a WebSocket was open/);
  });

  it("sends masked text, short and long", async () => {
    const { server, client } = await open();
    client.send("root@pam!t:PVEVNC:1\n");
    await server.until((received) => received.length > 6);
    assert.deepEqual(clientFrame(server.received), { opcode: 1, payload: "root@pam!t:PVEVNC:1\n" });
    server.received = Buffer.alloc(0);
    client.send("x".repeat(300));
    await server.until((received) => received.length >= 308);
    assert.equal(clientFrame(server.received).payload, "x".repeat(300));
  });

  it("hands payloads on however the bytes are cut, those behind the head of the answer too", async () => {
    const { server, data } = await open(serverFrame(2, "OK"));
    const stream = Buffer.concat([
      serverFrame(2, "one ", false),
      serverFrame(0, "two "),
      serverFrame(1, "y".repeat(200)),
      serverFrame(2, Buffer.alloc(70_000, "z")),
    ]);
    for (let at = 0; at < 300; at++) server.socket.write(stream.subarray(at, at + 1));
    server.socket.write(stream.subarray(300));
    await turns(400);
    assert.equal(Buffer.concat(data).toString(), `OKone two ${"y".repeat(200)}${"z".repeat(70_000)}`);
  });

  it("answers a ping with its payload", async () => {
    const { server } = await open();
    server.socket.write(serverFrame(9, "still there?"));
    await server.until((received) => received.length > 6);
    assert.deepEqual(clientFrame(server.received), { opcode: 10, payload: "still there?" });
  });

  for (const [title, bytes] of [
    ["a close", serverFrame(8, "")],
    ["a masked frame", Buffer.from([0x82, 0x81, 1, 2, 3, 4, 5])],
    ["reserved bits", Buffer.from([0xc2, 0x00])],
    ["a frame of gigabytes", Buffer.from([0x82, 127, 0, 0, 0, 2, 0, 0, 0, 0])],
  ] as const) {
    it(`ends once, and for good, at ${title}`, async () => {
      const { server, client, data, closed } = await open();
      server.socket.write(Buffer.concat([bytes, serverFrame(2, "late")]));
      await turns(20);
      assert.equal(closed(), 1);
      assert.deepEqual(data, []);
      client.close();
      assert.equal(closed(), 1);
    });
  }
});
