import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type * as z from "zod/mini";
import { Failure } from "../../failure/failure.ts";
import { inEnglish } from "../../failure/in-english.ts";
import { type Http, type HttpResponse, shownUrl } from "../../http/index.ts";
import { KeyExpired, type Proof, readKey, type TrustedKey, verifyClearsigned } from "../../trust/index.ts";
import { paragraphs } from "./deb822.ts";
import { type DebianPackage, type IndexFile, packageEntry, releaseFile } from "./schema.ts";

/** A minor's package repository, proven. */
export interface Repository {
  /** Of the form …/core:/stable:/v1.37/deb/ */
  url: string;
  key: TrustedKey;
  verified: Proof;
  packages: readonly DebianPackage[];
}

export interface RepositoryOptions {
  packagesUrl: string;
  keyFingerprint: string;
  now: () => Date;
  /** The newest stable minor (as 1.37), whose key file is the one that is surely kept up. */
  newestMinor: () => Promise<string>;
}

const mirrorOption = "--kubernetes-packages-url";
// A minor's index is 100 to 200 KB; four times what the largest ever was.
const indexBytes = 4 * 1024 * 1024;
const remedy = [
  "Nothing was taken from it. If it is a mirror, compare it with https://pkgs.k8s.io; otherwise try again later.",
];

/** The address of a minor's repository. The colons are part of its name (kubernetes/release pkg/obs). */
export function repositoryUrl(packagesUrl: string, minor: string): string {
  return `${packagesUrl}/core:/stable:/v${minor}/deb/`;
}

/**
 * Reads and proves the repository of a minor: Release.key has the fingerprint and is not over, InRelease is signed by it, and
 * the package index has the digest and size that InRelease says.
 * @throws Failure "not-found" when the minor is not published; "verification" when something does not hold
 */
export async function openRepository(http: Http, minor: string, options: RepositoryOptions): Promise<Repository> {
  try {
    return await readRepository(http, minor, options);
  } catch (error) {
    // Index and InRelease are two files: a publication may have come between them. Asked again as a set, once.
    if (!(error instanceof Failure) || error.kind !== "verification" || error instanceof KeyExpired) throw error;
    return await readRepository(http, minor, options);
  }
}

async function readRepository(http: Http, minor: string, options: RepositoryOptions): Promise<Repository> {
  const url = repositoryUrl(options.packagesUrl, minor);
  // An unpublished minor is answered 403 (facts of pkgs.k8s.io; cases.md B69).
  const get = (name: string): Promise<HttpResponse> =>
    http(`${url}${name}`, { expect: [403, 404], maxBytes: indexBytes, mirrorOption });
  const [keyFile, release, compressed] = await Promise.all([get("Release.key"), get("InRelease"), get("Packages.gz")]);
  if (!isThere(release)) throw unpublished(minor, url, release.status);
  const key = await currentKey(http, minor, keyFile, options);
  const subject = `${shownUrl(url)}InRelease`;
  const { data, ...verified } = await verifyClearsigned({
    message: release.body,
    keyring: Buffer.from(key.armored),
    fingerprints: [key.fingerprint],
    now: options.now(),
    subject,
  });
  const files = indexFiles(data, options.now(), subject);
  const index = await provenIndex(files, compressed, () => get("Packages"), subject);
  return { url, key, verified, packages: [...packagesOf(index, `${shownUrl(url)}Packages`)] };
}

function isThere(answer: HttpResponse): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/**
 * The minor's key; where it is over, the newest minor's, which must be the same key with a longer life. In November 2024 the
 * repositories of older minors went on serving the expired copy (kubernetes/release#3818; cases.md B68).
 */
async function currentKey(
  http: Http,
  minor: string,
  own: HttpResponse,
  options: RepositoryOptions,
): Promise<TrustedKey> {
  const read = async (answer: HttpResponse, at: string): Promise<TrustedKey> => {
    const subject = `${shownUrl(repositoryUrl(options.packagesUrl, at))}Release.key`;
    if (!isThere(answer))
      throw new Failure(
        "verification",
        `${subject} is answered ${answer.status}: without its key nothing of the repository can be proven.`,
        { remedy },
      );
    return await readKey({ bytes: answer.body, fingerprint: options.keyFingerprint, now: options.now(), subject });
  };
  try {
    return await read(own, minor);
  } catch (error) {
    if (!(error instanceof KeyExpired)) throw error;
    const newest = await options.newestMinor();
    if (newest === minor) throw error;
    const url = `${repositoryUrl(options.packagesUrl, newest)}Release.key`;
    return await read(await http(url, { expect: [403, 404], maxBytes: indexBytes, mirrorOption }), newest);
  }
}

function indexFiles(data: string, now: Date, subject: string): IndexFile[] {
  const { files, validUntil } = releaseOf(data, subject);
  if (validUntil !== undefined && validUntil.getTime() <= now.getTime()) {
    throw new Failure(
      "verification",
      `${subject} is not accepted: it was valid until ${validUntil.toISOString().slice(0, 16)}Z only.`,
      { remedy },
    );
  }
  return files;
}

function releaseOf(data: string, subject: string): z.output<typeof releaseFile> {
  try {
    const [first = new Map<string, string>(), second] = [...paragraphs(data)];
    if (second !== undefined) throw new SyntaxError("it has several paragraphs");
    return releaseFile.parse(Object.fromEntries(first), inEnglish);
  } catch (error) {
    throw new Failure("verification", `${subject} is not accepted: it is signed, and is no Release file.`, {
      remedy,
      cause: error,
    });
  }
}

/** The text of the package index, in the form that InRelease names and that is smallest. */
async function provenIndex(
  files: readonly IndexFile[],
  compressed: HttpResponse,
  plain: () => Promise<HttpResponse>,
  subject: string,
): Promise<string> {
  const named = (name: string): IndexFile | undefined => files.find((file) => file.name === name);
  const small = named("Packages.gz");
  if (small !== undefined && isThere(compressed)) {
    const bytes = proven(small, compressed, subject);
    try {
      return (await promisify(gunzip)(bytes, { maxOutputLength: indexBytes * 4 })).toString("utf8");
    } catch (error) {
      const why = `its Packages.gz has the right digest, and cannot be unpacked into ${indexBytes * 4} bytes`;
      throw new Failure("verification", `${subject} is not accepted: ${why}.`, { remedy, cause: error });
    }
  }
  const large = named("Packages");
  if (large === undefined)
    throw new Failure("verification", `${subject} is not accepted: it names no package index.`, { remedy });
  return Buffer.from(proven(large, await plain(), subject)).toString("utf8");
}

function proven(file: IndexFile, answer: HttpResponse, subject: string): Uint8Array {
  const sha256 = createHash("sha256").update(answer.body).digest("hex");
  if (isThere(answer) && answer.body.length === file.size && sha256 === file.sha256) return answer.body;
  throw new Failure(
    "verification",
    `${file.name} of ${shownUrl(answer.url)} is not what ${subject} says: ${answer.body.length} bytes with SHA-256 ${sha256}.`,
    {
      remedy,
    },
  );
}

function* packagesOf(index: string, subject: string): Generator<DebianPackage> {
  try {
    for (const paragraph of paragraphs(index)) yield packageEntry.parse(Object.fromEntries(paragraph), inEnglish);
  } catch (error) {
    throw new Failure("verification", `${subject} is not accepted: its digest is right, and it is no package index.`, {
      remedy,
      cause: error,
    });
  }
}

function unpublished(minor: string, url: string, status: number): Failure {
  return new Failure("not-found", `Kubernetes ${minor} has no packages yet: ${shownUrl(url)} is answered ${status}.`, {
    remedy: [
      "Packages come some time after a release; take a version of the minor before, or a mirror that has it (--kubernetes-packages-url).",
    ],
  });
}
