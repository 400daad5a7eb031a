import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { letsIn, type TerminalProxy } from "../vms/console.ts";
import type { World } from "../world.ts";

const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** Answers an upgrade with a refusal, as pveproxy does for any other request. */
export function refuseUpgrade(socket: Duplex, status: number, reason: string): void {
  socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Speaks a WebSocket's server side (RFC 6455): the client's first line says who it is, `OK` lets it in, and from then on
 * it is sent what the machine prints.
 */
export function serveConsole(world: World, proxy: TerminalProxy, request: IncomingMessage, socket: Duplex): void {
  const key = request.headers["sec-websocket-key"] ?? "";
  const protocol = request.headers["sec-websocket-protocol"] ?? "";
  if (key === "" || protocol !== "binary") return refuseUpgrade(socket, 400, "unable to select a websocket protocol");
  const accept = createHash("sha1").update(`${key}${ACCEPT_SUFFIX}`).digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: binary\r\n\r\n`,
  );
  // Connected: the worker's wait for a client is over.
  world.terminals.delete(proxy.port);
  const print = (text: string) => void socket.write(frame(2, Buffer.from(text)));
  const end = () => {
    proxy.vm.offConsole(print);
    socket.end();
    proxy.end();
  };
  let pending = Buffer.alloc(0);
  let said = "";
  let isIn = false;
  socket.on("data", (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    for (let next = readFrame(pending); next; next = readFrame(pending)) {
      pending = pending.subarray(next.size);
      if (next.opcode === 8) return end();
      if (isIn || next.opcode > 2) continue;
      said += next.payload.toString("utf8");
      if (!said.includes("\n")) continue;
      if (!letsIn(world, proxy, said.slice(0, said.indexOf("\n")))) return end();
      isIn = true;
      print("OK");
      print("starting serial terminal on interface serial0\r\n");
      proxy.vm.onConsole(print);
      void proxy.vm.whenStopped().then(end);
    }
  });
  socket.on("close", end);
  socket.on("error", end);
}

/** A frame of a client, which has to be masked. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
  if (bytes.length < 6) return undefined;
  const [first = 0, second = 0] = bytes;
  if ((second & 0x80) === 0) return { opcode: 8, payload: Buffer.alloc(0), size: bytes.length };
  const short = second & 0x7f;
  const header = short === 126 ? 4 : 2;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < header + 4 + length) return undefined;
  const mask = bytes.subarray(header, header + 4);
  const masked = bytes.subarray(header + 4, header + 4 + length);
  return {
    opcode: first & 0x0f,
    payload: Buffer.from(masked.map((byte, at) => byte ^ (mask[at % 4] ?? 0))),
    size: header + 4 + length,
  };
}

function frame(opcode: number, payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, payload.length])
      : Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, payload]);
}
