import * as z from "zod";

/** What one line of InRelease's SHA256 field says of an index file. */
export interface IndexFile {
  name: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

const line = z
  .string()
  .regex(/^\s*[0-9a-f]{64}\s+\d{1,12}\s+[!-~]+$/)
  .transform((text): IndexFile => {
    const [sha256 = "", size = "0", name = ""] = text.trim().split(/\s+/);
    return { sha256, size: Number(size), name: name.replace(/^\.\//, "") };
  });

/** The Release file of a flat repository (wiki.debian.org/DebianRepository/Format): its index files and how long it holds. */
export const releaseFile = z
  .object({
    sha256: z.string().transform((text) => text.split("\n").filter((part) => part.trim() !== "")),
    "valid-until": z.string().optional(),
  })
  .transform((fields, context) => {
    const files = z.array(line).safeParse(fields.sha256);
    const until = fields["valid-until"] === undefined ? undefined : Date.parse(fields["valid-until"]);
    if (files.success && !Number.isNaN(until)) {
      return { files: files.data, validUntil: until === undefined ? undefined : new Date(until) };
    }
    context.addIssue({
      code: "custom",
      message: files.success ? "Valid-Until is no date" : "a line of SHA256 is no digest, size and name",
    });
    return z.NEVER;
  });

/** A package of the index, as much of it as is needed here. */
export interface DebianPackage {
  name: string;
  version: string;
  arch: string;
}

/** A paragraph of Packages. The version is what apt is told later, so its alphabet is held to deb-version(7). */
export const packageEntry = z
  .object({
    package: z.string().regex(/^[a-z0-9][a-z0-9+.-]+$/),
    version: z.string().regex(/^(\d+:)?\d[A-Za-z0-9.+~-]*$/),
    architecture: z.string().regex(/^[a-z0-9-]+$/),
  })
  .transform((fields): DebianPackage => ({ name: fields.package, version: fields.version, arch: fields.architecture }));

/** A file such as stable.txt of dl.k8s.io: one version. */
export const versionFile = z
  .string()
  .transform((text) => text.trim())
  .pipe(z.string().regex(/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/));
