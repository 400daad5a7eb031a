import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

const digestOf = (bytes: Buffer): string => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** An answer of the registry. */
export interface RegistryAnswer {
  type: string;
  digest: string;
  bytes: Buffer;
}

/**
 * A registry that has every image that is asked for, with one small layer: pull of the OCI distribution specification 1.1.
 * @param pathname such as `/v2/coredns/coredns/manifests/v1.14.6`
 */
export function registry(): (pathname: string) => RegistryAnswer | undefined {
  const blobs = new Map<string, RegistryAnswer>();
  const keep = (bytes: Buffer, type: string): RegistryAnswer => {
    const answer = { type, digest: digestOf(bytes), bytes };
    blobs.set(answer.digest, answer);
    return answer;
  };
  return (pathname) => {
    const [, name = "", kind, reference = ""] = /^\/v2\/(.+)\/(manifests|blobs)\/([^/]+)$/.exec(pathname) ?? [];
    if (kind === undefined) return undefined;
    if (reference.startsWith("sha256:")) return blobs.get(reference);
    if (kind === "blobs") return undefined;
    const tar = oneFileTar("image", `${name}:${reference}\n`);
    const layer = keep(gzipSync(tar), "application/vnd.oci.image.layer.v1.tar+gzip");
    const config = keep(
      Buffer.from(
        JSON.stringify({
          architecture: "amd64",
          os: "linux",
          config: {},
          rootfs: { type: "layers", diff_ids: [digestOf(tar)] },
        }),
      ),
      "application/vnd.oci.image.config.v1+json",
    );
    const descriptor = ({ type, digest, bytes }: RegistryAnswer) => ({ mediaType: type, digest, size: bytes.length });
    const mediaType = "application/vnd.oci.image.manifest.v1+json";
    return keep(
      Buffer.from(
        JSON.stringify({ schemaVersion: 2, mediaType, config: descriptor(config), layers: [descriptor(layer)] }),
      ),
      mediaType,
    );
  };
}

/** A tar archive (POSIX.1-1988 ustar) with one file in it. */
function oneFileTar(name: string, text: string): Buffer {
  const body = Buffer.from(text);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0ustar\u000000", 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
  return Buffer.concat([header, body, padding, Buffer.alloc(1024)]);
}
