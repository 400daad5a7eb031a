import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createPlainServer, type Server } from "node:net";
import type { Archive } from "./archive.ts";
import type { registry } from "./registry.ts";

/** The names that lead to the lab. */
export const labNames = [
  "archive.ubuntu.com",
  "security.ubuntu.com",
  "pkgs.k8s.io",
  "registry.k8s.io",
  "get.rke2.io",
] as const;

export interface WebOptions {
  archive: Archive;
  registry: ReturnType<typeof registry>;
  /** Where the stand-in for pkgs.k8s.io listens; asked through this server, so that guest and builder use one address. */
  packagesUrl: string;
  installScript: string;
}

/** A request that a guest or the product made. */
/** What a guest asks for. */
interface Asked {
  host: string;
  path: string;
  userAgent: string;
}

export interface Web {
  close(): Promise<void>;
}

/** All that a guest reaches: port 80, and a port 443 that takes connections and says nothing. */
export async function startWeb(options: WebOptions): Promise<Web> {
  const web: Web = { close: async () => {} };
  const server = createServer((incoming, outgoing) => {
    const asked: Asked = {
      host: (incoming.headers.host ?? "").replace(/:\d+$/, ""),
      path: decodeURIComponent(new URL(incoming.url ?? "/", "http://lab").pathname),
      userAgent: incoming.headers["user-agent"] ?? "",
    };
    answer(options, asked, incoming, outgoing).catch(
      (error: unknown) => void outgoing.writeHead(500).end(String(error)),
    );
  });
  const quiet = createPlainServer((socket) => socket.on("error", () => socket.destroy()).end());
  await Promise.all([listen(server, 80), listen(quiet, 443)]);
  web.close = async () => {
    server.closeAllConnections();
    await Promise.all([server, quiet].map((one) => new Promise((resolve) => one.close(resolve))));
  };
  return web;
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "0.0.0.0", resolve);
  });
}

async function answer(
  options: WebOptions,
  { host, path, userAgent }: Asked,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (path.startsWith("/ubuntu/")) {
    const file = await options.archive(path);
    outgoing.writeHead(file === undefined ? 404 : 200, { "content-length": file?.length ?? 0 }).end(file);
  } else if (host === "pkgs.k8s.io") {
    const url = `${options.packagesUrl}${incoming.url}`;
    forward(url, { method: incoming.method, headers: { "user-agent": userAgent } }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    })
      .on("error", () => outgoing.writeHead(502).end())
      .end();
  } else if (path === "/v2/") {
    outgoing.writeHead(200, { "docker-distribution-api-version": "registry/2.0" }).end("{}");
  } else if (path.startsWith("/v2/")) {
    const found = options.registry(path);
    if (found === undefined) outgoing.writeHead(404).end();
    else {
      const { type, digest, bytes } = found;
      outgoing.writeHead(200, {
        "content-type": type,
        "content-length": bytes.length,
        "docker-content-digest": digest,
      });
      outgoing.end(incoming.method === "HEAD" ? undefined : bytes);
    }
  } else if (host === "get.rke2.io") {
    outgoing.writeHead(200, { "content-type": "text/plain" }).end(options.installScript);
  } else outgoing.writeHead(404).end();
}
