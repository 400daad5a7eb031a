import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

export type UpstreamName = "ubuntu" | "factory" | "packages" | "releases" | "github";

export interface UpstreamRequest {
  upstream: UpstreamName;
  method: string;
  /** Below the upstream's own address, decoded, starting with a slash. */
  path: string;
  query: URLSearchParams;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
  /** The upstream's own address, for links in answers. */
  base: string;
}

export interface UpstreamAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** What may go wrong on the way. */
export type UpstreamFault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Content-Length tells the whole, the connection ends after that many bytes. */
  | { truncateTo: number }
  | { reset: true }
  | { delayMs: number }
  | { redirect: string; status?: number };

export interface FaultRule {
  upstream?: UpstreamName;
  method?: string;
  /** Of the path below the upstream's address; a string is a part of it. */
  path?: string | RegExp;
  /** How many times; default always. */
  times?: number;
  fault: UpstreamFault;
}

export interface UpstreamEntry {
  upstream: UpstreamName;
  method: string;
  path: string;
  query: string;
  status: number;
  userAgent: string;
  /** Whether credentials came with it. */
  authorized: boolean;
  /** Bodies, in bytes. */
  bytesIn: number;
  bytesOut: number;
  ms: number;
}

export type Upstream = (request: UpstreamRequest) => UpstreamAnswer | Promise<UpstreamAnswer>;

export interface ServerOptions {
  upstreams: Record<UpstreamName, Upstream>;
  tls?: { key: string; cert: string };
  port?: number;
  latencyMs?: number;
}

export interface UpstreamServer {
  /** The address of each upstream, without a slash at its end. */
  urls: Record<UpstreamName, string>;
  transcript: UpstreamEntry[];
  /** Adds a fault; the function takes it away. */
  fault(rule: FaultRule): () => void;
  setLatency(ms: number): void;
  close(): Promise<void>;
}

const names: readonly UpstreamName[] = ["ubuntu", "factory", "packages", "releases", "github"];

/** Serves all upstreams on one loopback port, each below a path of its own. */
export async function serveUpstreams(options: ServerOptions): Promise<UpstreamServer> {
  const transcript: UpstreamEntry[] = [];
  const rules: (FaultRule & { left: number })[] = [];
  let latencyMs = options.latencyMs ?? 0;
  const urls = {} as Record<UpstreamName, string>;

  const listener: RequestListener = (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(500, { "content-type": "text/plain" }).end(`the stand-in itself failed: ${String(error)}`);
    });
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const started = performance.now();
    const body = await readBody(incoming);
    const url = new URL(incoming.url ?? "/", "http://loopback");
    const [, first = "", rest = "/"] = /^\/([a-z]+)(\/.*)?$/.exec(url.pathname) ?? [];
    const upstream = names.find((name) => name === first);
    if (upstream === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const request: UpstreamRequest = {
      upstream,
      method: incoming.method ?? "GET",
      path: decodeURIComponent(rest),
      query: url.searchParams,
      headers: incoming.headers,
      body,
      base: urls[upstream],
    };
    const entry: UpstreamEntry = {
      upstream,
      method: request.method,
      path: request.path,
      query: url.search,
      status: 0,
      userAgent: incoming.headers["user-agent"] ?? "",
      authorized: incoming.headers.authorization !== undefined,
      bytesIn: Buffer.byteLength(body),
      bytesOut: 0,
      ms: 0,
    };
    transcript.push(entry);
    if (latencyMs > 0) await pause(latencyMs);
    await send(request, entry, outgoing);
    entry.ms = performance.now() - started;
  };

  const send = async (request: UpstreamRequest, entry: UpstreamEntry, outgoing: ServerResponse): Promise<void> => {
    const fault = takeFault(rules, request);
    if (fault !== undefined && "reset" in fault) {
      outgoing.socket?.resetAndDestroy();
      return;
    }
    if (fault !== undefined && "delayMs" in fault) await pause(fault.delayMs);
    let result: UpstreamAnswer;
    if (fault !== undefined && "redirect" in fault)
      result = { status: fault.status ?? 302, headers: { location: fault.redirect } };
    else if (fault !== undefined && "status" in fault) result = fault;
    else result = await options.upstreams[request.upstream](request);
    const bytes = Buffer.from(result.body ?? "");
    entry.status = result.status;
    outgoing.writeHead(result.status, { "content-length": String(bytes.length), ...result.headers });
    if (request.method === "HEAD") {
      outgoing.end();
      return;
    }
    if (fault !== undefined && "truncateTo" in fault) {
      entry.bytesOut = fault.truncateTo;
      outgoing.write(bytes.subarray(0, fault.truncateTo), () => outgoing.socket?.destroy());
      return;
    }
    entry.bytesOut = bytes.length;
    outgoing.end(bytes);
  };

  const server: Server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const origin = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of names) urls[name] = `${origin}/${name}`;

  return {
    urls,
    transcript,
    fault: (rule) => {
      const counted = { ...rule, left: rule.times ?? Infinity };
      rules.push(counted);
      return () => {
        const index = rules.indexOf(counted);
        if (index >= 0) rules.splice(index, 1);
      };
    },
    setLatency: (ms) => {
      latencyMs = ms;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function takeFault(rules: (FaultRule & { left: number })[], request: UpstreamRequest): UpstreamFault | undefined {
  const rule = rules.find(
    (candidate) =>
      candidate.left > 0 &&
      (candidate.upstream === undefined || candidate.upstream === request.upstream) &&
      (candidate.method === undefined || candidate.method === request.method) &&
      (candidate.path === undefined ||
        (typeof candidate.path === "string"
          ? request.path.includes(candidate.path)
          : candidate.path.test(request.path))),
  );
  if (rule === undefined) return undefined;
  rule.left -= 1;
  return rule.fault;
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** The answer for what is not there, in that server's own way. */
export function notFound(text = "404 page not found\n"): UpstreamAnswer {
  return { status: 404, headers: { "content-type": "text/plain; charset=utf-8" }, body: text };
}
