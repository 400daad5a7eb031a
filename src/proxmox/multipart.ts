import { randomBytes } from "node:crypto";
import type { Parameters } from "./client.ts";

export interface Upload {
  /** Letters, digits, `.`, `_` and `-` only: Proxmox VE rewrites the rest. */
  fileName: string;
  bytes: Uint8Array;
}

/**
 * A multipart body (RFC 7578) as Proxmox VE wants it: the fields before the file, the file's part named `filename`,
 * an unquoted boundary, and a known length (cases.md B36).
 */
export function multipart(fields: Parameters, upload: Upload): { type: string; bytes: Buffer } {
  const boundary = `kubehenge${randomBytes(12).toString("hex")}`;
  const parts: Uint8Array[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
  }
  const head = `Content-Disposition: form-data; name="filename"; filename="${upload.fileName}"\r\nContent-Type: application/octet-stream`;
  parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), upload.bytes, Buffer.from(`\r\n--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(parts) };
}
