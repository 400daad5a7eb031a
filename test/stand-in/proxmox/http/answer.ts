import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { Refusal } from "../refusal.ts";

export interface PlainAnswer {
  status: number;
  reason: string;
  body: string;
  json: boolean;
}

/** The answer of a call that succeeded, in the format that the path asked for. */
export function okAnswer(result: Record<string, unknown>, format: string): PlainAnswer {
  const body = format === "extjs" ? { success: 1, ...result } : result;
  return { status: 200, reason: "OK", body: JSON.stringify(body), json: true };
}

/** The answer of a call that failed. The `extjs` format says so in a body under status 200. */
export function errorAnswer(error: unknown, format = "json"): PlainAnswer {
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, error instanceof Error ? error.message : String(error));
  if (!(error instanceof Refusal)) console.error(error);
  const { status, message, errors, bare } = refusal;
  if (bare !== undefined) return { status, reason: message, body: bare === "text" ? message : "", json: false };
  // 501 comes from the HTTP layer, whose texts end without a newline.
  const text = status === 501 ? message : `${message}\n`;
  const body = { data: null, message: text, ...(errors ? { errors } : {}) };
  if (format === "extjs") {
    return { status: 200, reason: "OK", body: JSON.stringify({ ...body, success: 0, status }), json: true };
  }
  return { status, reason: message, body: JSON.stringify(body), json: true };
}

/** Reads a request's body; over the limit it is read on and dropped, so that the client sees the answer. */
export async function readBody(request: IncomingMessage, limit: number): Promise<{ body: Buffer; tooLarge: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
  }
  return length > limit ? { body: Buffer.alloc(0), tooLarge: true } : { body: Buffer.concat(chunks), tooLarge: false };
}

/** Characters that an HTTP reason phrase cannot hold (RFC 9112, section 4) are spaces. */
const reasonPhrase = (text: string) => text.replace(/[^\x20-\x7e\xa0-\xff]/g, " ").trim();

/** The body as it goes over the wire: compressed for who accepts that, from 1 KiB on (pve-http-server, `response`). */
export function wireBody(request: IncomingMessage, { body }: PlainAnswer): { bytes: Buffer; encoding?: "gzip" } {
  const bytes = Buffer.from(body);
  const accepts = /gzip/.test(request.headers["accept-encoding"]?.toString() ?? "");
  return accepts && bytes.length > 1024 ? { bytes: gzipSync(bytes), encoding: "gzip" } : { bytes };
}

/**
 * Sends an answer with the headers of pve-api-daemon. A connection is kept only after a successful GET: to other methods
 * it answers `close` (recordings http.*), and a client that believes it opens a new one.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: PlainAnswer,
  { bytes, encoding }: ReturnType<typeof wireBody>,
): Promise<void> {
  const date = new Date().toUTCString();
  const headers: Record<string, string | string[]> = {
    "Cache-Control": "max-age=0",
    Connection: answer.status >= 400 || request.method !== "GET" ? "close" : "Keep-Alive",
    Date: date,
    Pragma: "no-cache",
    Server: "pve-api-daemon/3.0",
    Expires: date,
  };
  if (answer.json) headers["Content-Type"] = "application/json;charset=UTF-8";
  if (encoding) headers["Content-Encoding"] = encoding;
  headers["Content-Length"] = String(bytes.length);
  if (!request.complete) await drain(request);
  if (response.destroyed) return;
  response.writeHead(answer.status, reasonPhrase(answer.reason), headers);
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(request.method === "HEAD" ? undefined : bytes, () => resolve());
  });
}

/** Reads what the client still sends: cutting it off could take the answer from it. */
async function drain(request: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    request.once("end", resolve).once("close", resolve).once("error", resolve);
    request.resume();
  });
}
