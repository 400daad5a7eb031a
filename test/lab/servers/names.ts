import { createSocket } from "node:dgram";
import { network } from "../network.ts";

/**
 * A name server (RFC 1035) on 127.0.0.1:53 that gives every name of the lab the same address, and no other name any.
 * QEMU's user network passes its guests' questions to the name server in /etc/resolv.conf.
 */
export async function startNameServer(names: readonly string[]): Promise<{ close(): Promise<void> }> {
  const known = new Set(names);
  const socket = createSocket("udp4");
  socket.on("message", (question, { port, address }) => socket.send(answerTo(question, known), port, address));
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject).bind(53, "127.0.0.1", resolve);
  });
  return { close: () => new Promise((resolve) => socket.close(() => resolve())) };
}

const typeA = 1;
const noSuchName = 3;

function answerTo(question: Buffer, known: ReadonlySet<string>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  const end = at + 5;
  const type = question.readUInt16BE(at + 1);
  const isKnown = known.has(labels.join(".").toLowerCase());
  const head = Buffer.alloc(12);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (isKnown ? 0 : noSuchName), 2);
  head.writeUInt16BE(1, 4);
  const parts = [head, question.subarray(12, end)];
  if (isKnown && type === typeA) {
    head.writeUInt16BE(1, 6);
    const record = Buffer.from([
      0xc0,
      0x0c,
      0,
      typeA,
      0,
      1,
      0,
      0,
      0,
      60,
      0,
      4,
      ...network.gateway.split(".").map(Number),
    ]);
    parts.push(record);
  }
  return Buffer.concat(parts);
}
