import * as z from "zod/mini";
import { Failure } from "../../failure/failure.ts";

/** A line of SHA256SUMS as coreutils writes it: the digest, " *" or two blanks, the name. */
const line = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64} [ *][A-Za-z0-9][A-Za-z0-9._+-]*$/)),
  z.transform((text) => ({ sha256: text.slice(0, 64), name: text.slice(66) })),
);

/**
 * Reads a verified SHA256SUMS into digests by exact file name.
 * @throws Failure "verification" when a line is anything else, or one name has two digests: a signed list is never like that,
 * and guessing at it would undo the signature
 */
export function parseSums(text: string, subject: string): Map<string, string> {
  const sums = new Map<string, string>();
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.length === 0) throw broken(subject, "its last line is cut off, or it is empty");
  for (const [index, source] of lines.entries()) {
    const parsed = line.safeParse(source);
    if (!parsed.success) throw broken(subject, `line ${index + 1} is not a digest and a file name`);
    const { name, sha256 } = parsed.data;
    const known = sums.get(name);
    if (known !== undefined && known !== sha256) throw broken(subject, `it has two digests for ${name}`);
    sums.set(name, sha256);
  }
  return sums;
}

function broken(subject: string, why: string): Failure {
  return new Failure("verification", `${subject} is not accepted: ${why}.`, {
    remedy: ["Nothing was taken from it. If it comes from a mirror, compare it with https://cloud-images.ubuntu.com."],
  });
}
