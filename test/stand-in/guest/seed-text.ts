import { gunzipSync } from "node:zlib";
import { readIso } from "./iso-reader.ts";

/** User-data as cloud-init takes it up: unpacked; what only looks compressed stays as it is (cloudinit.util.decomp_gzip). */
export function unpacked(userData: Uint8Array): string {
  try {
    return new TextDecoder().decode(gunzipSync(userData));
  } catch {
    return new TextDecoder().decode(userData);
  }
}

/** All that a seed's image says: its bytes as they are, and the files in it unpacked. */
export function seedText(image: Uint8Array): string {
  const files = readIso(image)?.files.values() ?? [];
  return [Buffer.from(image).toString("latin1"), ...Array.from(files, unpacked)].join("\n");
}
