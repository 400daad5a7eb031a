import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Dispatcher } from "undici";
import undiciRequest from "undici/lib/api/api-request.js";
import { TooLarge } from "./too-large.ts";

/** One request on the wire; what `headers` holds is sent as it is. */
export interface WireRequest {
  method: "GET" | "HEAD" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string;
  maxBytes: number;
  /** Ends the attempt: the bound of time, or the run's own end. */
  signal: AbortSignal;
}

export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface Traffic {
  up: number;
  down: number;
}

/**
 * Sends one request and reads its answer whole, at most `maxBytes` bytes of it. Adds what went over the wire to `traffic`
 * (heads are counted as text). Content-Encoding gzip is undone; it comes only when the request accepts it.
 * @throws TooLarge; whatever undici throws for a fault of the connection; the signal's reason.
 */
export async function attempt(dispatcher: Dispatcher, request: WireRequest, traffic: Traffic): Promise<WireResponse> {
  const path = `${request.url.pathname}${request.url.search}`;
  traffic.up +=
    request.method.length + path.length + 12 + headBytes(request.headers) + Buffer.byteLength(request.body ?? "");
  const answer = await undiciRequest.call(dispatcher, {
    origin: request.url.origin,
    path,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal: request.signal,
    // The signal bounds the whole answer; undici's own bounds (5 minutes each) would end a factory's first build early.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const headers = flat(answer.headers);
  traffic.down += 17 + headBytes(headers);
  const declared = Number(headers["content-length"] ?? 0);
  if (request.method !== "HEAD" && declared > request.maxBytes) {
    answer.body.on("error", () => {}).destroy();
    throw new TooLarge(request.maxBytes);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    traffic.down += chunk.length;
    if (size > request.maxBytes) throw new TooLarge(request.maxBytes);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return { status: answer.statusCode, headers, body: await decoded(body, headers, request) };
}

async function decoded(body: Buffer, headers: Record<string, string>, request: WireRequest): Promise<Uint8Array> {
  const asked = request.headers["accept-encoding"] === "gzip";
  if (!asked || body.length === 0 || !/^(x-)?gzip$/i.test(headers["content-encoding"] ?? "")) return body;
  try {
    return await promisify(gunzip)(body, { maxOutputLength: request.maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge(request.maxBytes);
    throw error;
  }
}

function flat(headers: Dispatcher.ResponseData["headers"]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return result;
}

function headBytes(headers: Record<string, string>): number {
  return Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
}
