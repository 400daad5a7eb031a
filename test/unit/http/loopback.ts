import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { createHttp, type Http, type HttpOptions } from "../../../src/http/index.ts";

export interface Loopback extends AsyncDisposable {
  url: string;
  server: Server;
  requests: { method: string; url: string; headers: IncomingMessage["headers"] }[];
}

const file = (name: string): string =>
  readFileSync(new URL(`../../fixtures/upstreams/${name}`, import.meta.url), "utf8");

/** A throwaway certificate for 127.0.0.1 and its key, made for tests only. */
export const testTls = { key: file("loopback-TEST-key.pem"), cert: file("loopback-TEST-certificate.pem") };

/** A server on loopback that answers with the listener and remembers what it was asked. */
export async function loopback(
  answer: (incoming: IncomingMessage, outgoing: ServerResponse, number: number) => void,
  tls = false,
): Promise<Loopback> {
  const requests: Loopback["requests"] = [];
  const listener: RequestListener = (incoming, outgoing) => {
    requests.push({ method: incoming.method ?? "", url: incoming.url ?? "", headers: incoming.headers });
    answer(incoming, outgoing, requests.length);
  };
  const server: Server = tls ? createTlsServer(testTls, listener) : createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** Our client with pauses that do not wait; `pauses` are the ms that it would have waited. */
export function client(options: Partial<HttpOptions> = {}): { http: Http; pauses: number[] } & AsyncDisposable {
  const pauses: number[] = [];
  const http = createHttp({
    environment: {},
    version: "1.2.3",
    sleep: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    ...options,
  });
  return { http, pauses, [Symbol.asyncDispose]: () => http.close() };
}
