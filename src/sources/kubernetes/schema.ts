import * as z from "zod/mini";

/** What one line of InRelease's SHA256 field says of an index file. */
export interface IndexFile {
  name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

const line = z.pipe(
  z.string().check(z.regex(/^\s*[0-9a-f]{64}\s+\d{1,12}\s+[!-~]+$/)),
  z.transform((text): IndexFile => {
    const [sha256 = "", size = "0", name = ""] = text.trim().split(/\s+/);
    return { sha256, size: Number(size), name: name.replace(/^\.\//, "") };
  }),
);

/** The Release file of a flat repository (wiki.debian.org/DebianRepository/Format): its index files and how long it holds. */
export const releaseFile = z.pipe(
  z.object({
    sha256: z.pipe(
      z.string(),
      z.transform((text) => text.split("\n").filter((part) => part.trim() !== "")),
    ),
    "valid-until": z.optional(z.string()),
  }),
  z.transform((fields, context) => {
    const files = z.array(line).safeParse(fields.sha256);
    const until = fields["valid-until"] === undefined ? undefined : Date.parse(fields["valid-until"]);
    if (files.success && !Number.isNaN(until)) {
      return { files: files.data, validUntil: until === undefined ? undefined : new Date(until) };
    }
    context.issues.push({
      code: "custom",
      message: files.success ? "Valid-Until is no date" : "a line of SHA256 is no digest, size and name",
      input: fields,
    });
    return z.NEVER;
  }),
);

/** A package of the index, as much of it as is needed here. */
export interface DebianPackage {
  name: string;
  version: string;
  arch: string;
}

/** A paragraph of Packages. The version is what apt is told later, so its alphabet is held to deb-version(7). */
export const packageEntry = z.pipe(
  z.object({
    package: z.string().check(z.regex(/^[a-z0-9][a-z0-9+.-]+$/)),
    version: z.string().check(z.regex(/^(\d+:)?\d[A-Za-z0-9.+~-]*$/)),
    architecture: z.string().check(z.regex(/^[a-z0-9-]+$/)),
  }),
  z.transform((fields): DebianPackage => ({
    name: fields.package,
    version: fields.version,
    arch: fields.architecture,
  })),
);

/** A file such as stable.txt of dl.k8s.io: one version. */
export const versionFile = z.string().check(z.trim(), z.regex(/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/));
