import { createHash } from "node:crypto";
import * as z from "zod/mini";

const optionalText = z.optional(z.string());

const makeSchema = () =>
  z.object({
    schema: z.literal(1),
    /** The build's own id: two builds of the same parts differ in it. */
    build: z.string(),
    distribution: z.string(),
    version: z.string(),
    ubuntuRelease: optionalText,
    /** Where there is one template per node. */
    node: optionalText,
    architecture: z.string(),
    image: z.object({ url: z.string(), sha256: optionalText, file: z.string() }),
    verified: z.array(
      z.object({
        what: z.string(),
        by: z.enum(["signature", "tls"]),
        signer: optionalText,
        signedAt: optionalText,
      }),
    ),
    /** Exact versions of Kubernetes' packages that were asked for, and of containerd as it came. */
    packages: z.optional(z.record(z.string(), z.string())),
    /** SHA-256 over the list of all packages as the guest reported it, where it could be read. */
    packageListSha256: optionalText,
    packageCount: z.optional(z.number()),
    kernel: optionalText,
    /** ISO 8601. */
    created: z.string(),
    run: z.string(),
    runUrl: optionalText,
    program: z.string(),
  });
let made: ReturnType<typeof makeSchema> | undefined;

/** What a template is made of; stands as JSON in its notes. The schema is made when the first notes are read. */
export const manifestSchema = () => (made ??= makeSchema());
export type Manifest = z.infer<ReturnType<typeof manifestSchema>>;

/** `sha256:…` over the manifest as canonical JSON (RFC 8785 for the values used here): what release pipelines pin. */
export function manifestDigest(manifest: Manifest): string {
  return `sha256:${createHash("sha256").update(canonicalJson(manifest)).digest("hex")}`;
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return `{${entries
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
      .join(",")}}`;
  }
  return JSON.stringify(value);
}
