import { Agent, request } from "node:https";
import { connect, createSecureContext } from "node:tls";
import type { ProxmoxStandIn } from "../../../stand-in/proxmox/index.ts";

export interface RawAnswer {
  status: number;
  reason: string;
  contentType: string | undefined;
  contentEncoding?: string | undefined;
  /** Bytes of the body as they came. */
  length?: number;
  body: string;
}

export interface Sent {
  method: string;
  /** Below /api2/json, or from /api2 on. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

const urlPath = (path: string) => (path.startsWith("/api2") ? path : `/api2/json${path}`);

/** Connections by certificate; they are taken up again, as a TLS session at least. */
const agents = new Map<string, Agent>();

function agentFor(certificate: string): Agent {
  const known = agents.get(certificate);
  if (known) return known;
  const agent = new Agent({ keepAlive: true, secureContext: createSecureContext({ ca: certificate }) });
  agents.set(certificate, agent);
  return agent;
}

/** Sends one request. */
export function send(pve: ProxmoxStandIn, { method, path, headers = {}, body }: Sent): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const sent = request(
      `${pve.url}${urlPath(path)}`,
      {
        method,
        agent: agentFor(pve.certificate),
        headers: { ...headers, ...(bytes === undefined ? {} : { "content-length": String(bytes.length) }) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? "",
            contentType: response.headers["content-type"],
            contentEncoding: response.headers["content-encoding"],
            length: Buffer.concat(chunks).length,
            body: Buffer.concat(chunks).toString("utf8"),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** Sends bytes as they are, and reads the answer that comes, up to its length or the end of the connection. */
export function sendRaw(pve: ProxmoxStandIn, head: string, body: Buffer): Promise<RawAnswer> {
  const port = Number(new URL(pve.url).port);
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", ca: pve.certificate });
    let text = "";
    const done = () => {
      const [headPart = "", ...rest] = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, "").split("\r\n\r\n");
      const [, status = "0", reason = ""] = /^HTTP\/1\.[01] (\d+) (.*)/.exec(headPart) ?? [];
      const contentType = /^content-type: (.*)$/im.exec(headPart)?.[1];
      socket.destroy();
      resolve({ status: Number(status), reason: reason.trim(), contentType, body: rest.join("\r\n\r\n") });
    };
    socket.on("error", reject);
    socket.on("end", done);
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const length = /^content-length: (\d+)/im.exec(text)?.[1];
      const bodyStart = text.lastIndexOf("\r\n\r\n");
      if (length !== undefined && bodyStart >= 0 && Buffer.byteLength(text.slice(bodyStart + 4)) >= Number(length))
        done();
    });
    socket.on("secureConnect", () => {
      socket.write(`${head.trimEnd().replace(/\r?\n/g, "\r\n")}\r\n\r\n`);
      socket.write(body);
    });
  });
}

export const tokenHeader = (token: string) => ({ authorization: `PVEAPIToken=${token}` });

/** Encodes a form as a browser does. */
export function form(params: Record<string, unknown>): string {
  return Object.entries(params)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join("&");
}

/** A multipart upload whose fields come in the order given. */
export function multipart(
  parts: readonly (readonly [name: string, value: string | { name: string; bytes: Buffer }])[],
  boundary = "XBOUNDX",
): Buffer {
  const chunks: (string | Buffer)[] = [];
  for (const [name, value] of parts) {
    chunks.push(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"`);
    if (typeof value === "string") chunks.push(`\r\n\r\n${value}\r\n`);
    else
      chunks.push(`; filename="${value.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`, value.bytes, "\r\n");
  }
  return Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
}
