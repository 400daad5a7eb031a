import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { emptyQcow2 } from "../../../stand-in/proxmox/index.ts";

const MIB = 1024 ** 2;
const padded = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);

/** The files that the recorded downloads fetched, of the same length and kind. */
export const TINY = padded(emptyQcow2(64 * MIB), 3_473_408);
export const TINY2 = padded(emptyQcow2(1 * MIB), 196_616);
export const TINY_SHA256 = createHash("sha256").update(TINY).digest("hex");
export const TINY2_SHA256 = createHash("sha256").update(TINY2).digest("hex");
export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

export interface Upstream {
  port: number;
  /** Lets the downloads of the slow file go on. */
  release(): void;
  close(): Promise<void>;
}

/** A web server on loopback with what the recordings' one had. */
export async function startUpstream(): Promise<Upstream> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const type = "application/octet-stream";
    if (path.startsWith("/redirect/"))
      return response.writeHead(302, "Found", { location: path.slice("/redirect".length) }).end();
    if (path === "/not-an-image.txt")
      return response.writeHead(200, { "content-type": "text/plain" }).end("this is no image\n");
    if (path === "/tiny2.qcow2")
      return response.writeHead(200, { "content-type": type, "content-length": TINY2.length }).end(TINY2);
    if (path !== "/tiny.qcow2" && path !== "/slow.qcow2") return response.writeHead(404, "File not found").end();
    response.writeHead(200, { "content-type": type, "content-length": TINY.length });
    if (path === "/slow.qcow2") {
      response.write(TINY.subarray(0, 1024));
      void released.then(() => response.end(TINY.subarray(1024)));
      return undefined;
    }
    return response.end(TINY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    release,
    close: async () => {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
