import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface ConnectProxy extends AsyncDisposable {
  url: string;
  /** `HOST:PORT` of each CONNECT, in order. */
  readonly asked: string[];
}

/** An HTTP proxy on loopback that opens tunnels (CONNECT, RFC 9110 section 9.3.6), or refuses them all. */
export async function startConnectProxy(options: { refuse?: boolean } = {}): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_request, response) => {
    response.writeHead(405).end();
  });
  server.on("connect", (request, client: Socket) => {
    asked.push(request.url ?? "");
    sockets.add(client);
    client.on("error", () => client.destroy());
    if (options.refuse) return client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
