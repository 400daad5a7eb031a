import * as https from "node:https";
import type { Duplex } from "node:stream";
import { Failure } from "../failure/failure.ts";
import type { Connection } from "./connection.ts";
import { bareHost, openSocket } from "./socket.ts";

export interface Exchange {
  method: string;
  /** Path and query below the origin, already encoded. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer | undefined;
}

export interface Answer {
  status: number;
  reason: string;
  text: string;
}

/** Thrown when no answer came; `sent` tells whether the server may have carried the request out all the same. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
  readonly sent: boolean;
  constructor(cause: Error, sent: boolean) {
    super(cause.message || (cause as NodeJS.ErrnoException).code || "the connection failed", { cause });
    this.sent = sent;
  }
}

export interface Transport {
  /** @throws NoAnswer, Failure `verification` for a wrong certificate, or the signal's reason when it is aborted. */
  send(exchange: Exchange, signal: AbortSignal | undefined): Promise<Answer>;
  /** A connection of its own for what is not an exchange, proven like all others. @throws as `send` */
  open(): Promise<Duplex>;
  /** Bytes of requests' and answers' bodies so far. */
  readonly traffic: { up: number; down: number };
  close(): void;
}

export interface TransportOptions {
  proxy?: URL | undefined;
  /** Bound of one exchange in milliseconds; above the 30 s after which pveproxy answers 596 for another node. */
  timeoutMs?: number;
}

const connectMs = 10_000;
// pveproxy closes idle connections after 5 s; a socket reused in that moment is reset (cases.md B20).
const idleMs = 4_000;
const answerLimitMiB = 32;
const tooLarge = `an answer of more than ${answerLimitMiB} MiB`;

/** HTTP/1.1 over kept-alive TLS connections, with no retries of its own. */
export function createTransport(connection: Connection, options: TransportOptions = {}): Transport {
  const timeoutMs = options.timeoutMs ?? 60_000;
  const agent = new https.Agent({ keepAlive: true, maxSockets: 8, timeout: idleMs });
  const refusedBeforeSending = new WeakSet<Error>();
  // Node's hook for sockets that need work first: the callback hands over a connection that has proven itself.
  agent.createConnection = (_options, callback) => {
    openSocket(connection, options.proxy, connectMs).then(
      (socket) => callback?.(null, socket),
      (error: Error) => {
        refusedBeforeSending.add(error);
        callback?.(error, undefined as unknown as Duplex);
      },
    );
    return undefined;
  };
  const traffic = { up: 0, down: 0 };
  const origin = new URL(connection.origin);

  const send = (exchange: Exchange, signal: AbortSignal | undefined) =>
    new Promise<Answer>((resolve, reject) => {
      const request = https.request({
        host: bareHost(origin),
        port: origin.port || 443,
        method: exchange.method,
        path: exchange.path,
        // pveproxy compresses what is longer than 1 KiB: a list of thousands of VMs, and each look at a guest's statistics.
        headers: {
          "accept-encoding": "gzip",
          ...exchange.headers,
          ...(exchange.body ? { "content-length": String(exchange.body.length) } : {}),
        },
        agent,
        ...(signal ? { signal } : {}),
      });
      const late = () =>
        request.destroy(Object.assign(new Error(`no answer within ${timeoutMs / 1000} s`), { code: "ETIMEDOUT" }));
      const timer = setTimeout(late, timeoutMs);
      const fail = (error: Error) => {
        clearTimeout(timer);
        if (signal?.aborted) reject(signal.reason as Error);
        else if (error instanceof Failure) reject(error);
        else reject(new NoAnswer(error, !refusedBeforeSending.has(error)));
      };
      request.on("error", fail);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > answerLimitMiB * 1024 * 1024) request.destroy(new Error(tooLarge));
          chunks.push(chunk);
        });
        response.on("error", fail);
        response.on("end", () => {
          clearTimeout(timer);
          traffic.down += size;
          bodyText(Buffer.concat(chunks), response.headers["content-encoding"]).then(
            (text) => resolve({ status: response.statusCode ?? 0, reason: response.statusMessage ?? "", text }),
            fail,
          );
        });
      });
      traffic.up += exchange.body?.length ?? 0;
      request.end(exchange.body);
    });

  const open = async () => {
    try {
      return await openSocket(connection, options.proxy, connectMs);
    } catch (error) {
      throw error instanceof Failure ? error : new NoAnswer(error as Error, false);
    }
  };

  return { send, open, traffic, close: () => agent.destroy() };
}

/** @throws Error when what is compressed is broken, or larger than an answer may be */
async function bodyText(body: Buffer, encoding: string | undefined): Promise<string> {
  if (encoding !== "gzip") return body.toString("utf8");
  const { gunzip } = await import("node:zlib");
  return await new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength: answerLimitMiB * 1024 * 1024 }, (error, text) => {
      if (error) reject((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? new Error(tooLarge) : error);
      else resolve(text.toString("utf8"));
    });
  });
}
