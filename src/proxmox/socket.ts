import * as net from "node:net";
import * as tls from "node:tls";
import { Failure } from "../failure/failure.ts";
import { colonHex, type Connection } from "./connection.ts";

/**
 * Opens one TLS connection to Proxmox VE and proves the other end before anybody can write to it, so that the token is
 * never sent to a stranger. Goes through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6) when one is given.
 * @throws Failure `verification` when the certificate is not the expected one, else the socket's own error.
 */
export async function openSocket(
  connection: Connection,
  proxy: URL | undefined,
  timeoutMs: number,
): Promise<tls.TLSSocket> {
  const target = new URL(connection.origin);
  const host = bareHost(target);
  const port = Number(target.port || 443);
  const tunnel = proxy ? await openTunnel(proxy, `${target.hostname}:${port}`, timeoutMs) : undefined;
  const socket = tls.connect({
    ...(tunnel ? { socket: tunnel } : { host, port }),
    ...(net.isIP(host) ? {} : { servername: host }),
    ...(connection.ca ? { ca: connection.ca } : {}),
    // A pinned fingerprint stands in for the authorities; Node skips checkServerIdentity then, so it is compared below.
    rejectUnauthorized: !connection.insecure && !connection.fingerprint,
    ALPNProtocols: ["http/1.1"],
  });
  socket.setNoDelay(true);
  await secured(socket, timeoutMs, `no answer from ${connection.origin}`);
  if (connection.fingerprint) checkFingerprint(socket, connection.fingerprint, connection.origin);
  return socket;
}

/** A URL's host as sockets want it: IPv6 addresses without their brackets. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function checkFingerprint(socket: tls.TLSSocket, expected: string, origin: string): void {
  const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(":", "").toLowerCase();
  if (shown === expected) return;
  socket.destroy();
  throw new Failure(
    "verification",
    `${origin} shows the certificate ${shown ? colonHex(shown) : "(none)"}, not the expected ${colonHex(expected)}; the token was not sent`,
    {
      remedy: [
        "compare with `pvenode cert info` on the node itself; if the certificate was renewed, set the fingerprint anew",
      ],
    },
  );
}

async function openTunnel(proxy: URL, authority: string, timeoutMs: number): Promise<net.Socket> {
  // Importing node:http evaluates its WebSocket too, and with it Node's own undici: 40 ms that only a proxy is worth.
  const http = await import("node:http");
  const where = `the proxy ${proxy.protocol}//${proxy.host}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return await new Promise((resolve, reject) => {
    const request = http.request({
      host: bareHost(proxy),
      port: proxy.port || 80,
      method: "CONNECT",
      path: authority,
      timeout: timeoutMs,
      headers: {
        host: authority,
        ...(proxy.username ? { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` } : {}),
      },
    });
    request.on("connect", (answer, socket) => {
      if (answer.statusCode === 200) return resolve(socket);
      socket.destroy();
      const refusal = `${where} refused a connection to ${authority}: ${answer.statusCode} ${answer.statusMessage}`;
      reject(
        new Failure("failure", refusal, {
          remedy: ["name the Proxmox VE host in NO_PROXY if it is to be reached directly"],
        }),
      );
    });
    request.on("timeout", () =>
      request.destroy(Object.assign(new Error(`no answer from ${where}`), { code: "ETIMEDOUT" })),
    );
    request.on("error", reject);
    request.end();
  });
}

function secured(socket: tls.TLSSocket, timeoutMs: number, late: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(Object.assign(new Error(late), { code: "ETIMEDOUT" })), timeoutMs);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once("error", fail);
    socket.once("close", () => fail(Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" })));
    socket.once("secureConnect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      resolve();
    });
  });
}
