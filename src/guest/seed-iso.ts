import { gzipSync } from "node:zlib";
import { writeIso } from "./iso9660/write-iso.ts";

/** The three files of a NoCloud seed (cloud-init's DataSourceNoCloud). */
export interface SeedFiles {
  "user-data": string;
  "meta-data": string;
  "network-config": string;
}

/**
 * A seed as an ISO image for a CD-ROM drive. Its user-data is compressed, which cloud-init takes from every data source
 * ("User data can be compressed", its page on user-data formats): a quarter of what goes through the runner.
 * @param created time of the files in it
 * @returns at most 1 MiB, label `cidata`, with Rock Ridge and Joliet names
 */
export function writeSeed(files: SeedFiles, created: Date): Uint8Array {
  const encoder = new TextEncoder();
  return writeIso(
    Object.entries(files).map(([name, text]) => ({
      name,
      bytes: name === "user-data" ? gzipSync(text, { level: 9 }) : encoder.encode(text),
    })),
    { label: "cidata", created },
  );
}
