import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { signClear, type TestKey } from "./keys.ts";
import type { Upstream, UpstreamAnswer } from "./server.ts";

/** Ways in which a package repository can be wrong. */
export type PackagesTampering =
  | "byte-changed"
  | "signature-by-another-key"
  | "not-signed"
  | "text-appended"
  | "text-before"
  | "index-changed"
  | "index-truncated"
  | "inrelease-truncated"
  | "key-of-another"
  | "key-missing";

/** The bytes of a package; undefined: the stand-in makes some that hold nothing. */
export type DebOf = (name: string, version: string, arch: string, depends: string) => Uint8Array | undefined;

export interface PackageRepository {
  serve: Upstream;
  /** Versions of Kubernetes by minor ("1.37" → ["1.37.0", "1.37.1"]). A minor that is not there is answered 403, as pkgs.k8s.io does. */
  minors: Map<string, string[]>;
  /** Revisions of a version other than 1.1: "1.37.1" → ["1.1", "2.1"]. */
  revisions: Map<string, string[]>;
  tampering: PackagesTampering | undefined;
  /** The key that a minor serves; the shared one without an entry. */
  keyOf: Map<string, TestKey>;
  key: TestKey;
}

const archs = ["amd64", "arm64", "ppc64el", "s390x"];
const kubeletDepends = "kubernetes-cni (>= 1.2.0)";

/**
 * pkgs.k8s.io: a flat repository of Debian packages per minor, core:/stable:/v1.NN/deb/. `key` is what Release.key gives;
 * `signingKey` is the same key without an end, since the library signs nothing with a key that is over.
 */
export function packageRepository(options: {
  key: TestKey;
  signingKey: TestKey;
  otherKey: TestKey;
  signedAt: () => Date;
  debOf?: DebOf;
}): PackageRepository {
  const debOf = options.debOf ?? (() => undefined);
  const repository: PackageRepository = {
    minors: new Map(),
    revisions: new Map(),
    tampering: undefined,
    keyOf: new Map(),
    key: options.key,
    serve: async ({ path }) => {
      const [, minor = "", name = ""] = /^\/core:\/stable:\/v(\d+\.\d+)\/deb\/(.+)$/.exec(path) ?? [];
      const versions = repository.minors.get(minor);
      if (versions === undefined)
        return {
          status: 403,
          headers: { "content-type": "application/xml" },
          body: "<Error><Code>AccessDenied</Code></Error>",
        };
      const { packages, compressed } = built(minor, versions, repository.revisions, debOf);
      switch (name) {
        case "Release.key":
          return keyFile(repository, minor, options.otherKey);
        case "InRelease":
          return text(await inRelease(repository, minor, packages, compressed, options));
        case "Packages":
          return text(repository.tampering === "index-changed" ? packages.replace("1.1", "1.2") : packages);
        case "Packages.gz":
          return binary(changedIndex(repository, packages, compressed));
        default:
          return deb(packages, name, debOf);
      }
    },
  };
  return repository;
}

function keyFile(repository: PackageRepository, minor: string, otherKey: TestKey): UpstreamAnswer {
  if (repository.tampering === "key-missing") return { status: 403, body: "" };
  return text(
    (repository.tampering === "key-of-another" ? otherKey : (repository.keyOf.get(minor) ?? repository.key)).publicKey,
  );
}

async function inRelease(
  repository: PackageRepository,
  minor: string,
  packages: string,
  compressed: Buffer,
  options: { signingKey: TestKey; otherKey: TestKey; signedAt: () => Date },
): Promise<string> {
  const line = (algorithm: string, bytes: string | Buffer, name: string): string =>
    ` ${createHash(algorithm).update(bytes).digest("hex")} ${String(Buffer.byteLength(bytes)).padStart(8)} ${name}`;
  const lists = ["md5:MD5Sum", "sha1:SHA1", "sha256:SHA256"].flatMap((pair) => {
    const [algorithm = "", title = ""] = pair.split(":");
    return [`${title}:`, line(algorithm, packages, "Packages"), line(algorithm, compressed, "Packages.gz")];
  });
  const release = [
    "Archive: deb",
    "Codename: deb",
    `Origin: obs://build.opensuse.org/isv:kubernetes:core:stable:v${minor}/deb`,
    `Label: isv:kubernetes:core:stable:v${minor}`,
    `Architectures: ${archs.join(" ")}`,
    `Date: ${options.signedAt().toUTCString()}`,
    "Description: a stand-in for pkgs.k8s.io",
    ...lists,
    "",
  ].join("\n");
  if (repository.tampering === "not-signed") return release;
  const key = repository.tampering === "signature-by-another-key" ? options.otherKey : options.signingKey;
  const signed = await signClear(key, release, options.signedAt());
  switch (repository.tampering) {
    case "byte-changed":
      return signed.replace("Codename: deb", "Codename: dev");
    case "text-appended":
      return `${signed}\nSHA256:\n ${"0".repeat(64)} 1 Packages\n`;
    case "text-before":
      return `Suite: stable\n${signed}`;
    case "inrelease-truncated":
      return signed.slice(0, signed.length - 120);
    default:
      return signed;
  }
}

function changedIndex(repository: PackageRepository, packages: string, compressed: Buffer): Buffer {
  if (repository.tampering === "index-changed") return gzipSync(packages.replace("1.1", "1.2"));
  return repository.tampering === "index-truncated" ? compressed.subarray(0, compressed.length - 40) : compressed;
}

const indexesOf = new WeakMap<DebOf, Map<string, { packages: string; compressed: Buffer }>>();

/** The index of a minor, made once for each state of it. */
function built(
  minor: string,
  versions: readonly string[],
  revisions: ReadonlyMap<string, readonly string[]>,
  debOf: DebOf,
): { packages: string; compressed: Buffer } {
  const state = JSON.stringify([minor, versions.map((version) => [version, revisions.get(version)])]);
  const indexes = indexesOf.get(debOf) ?? new Map<string, { packages: string; compressed: Buffer }>();
  indexesOf.set(debOf, indexes);
  const known = indexes.get(state);
  if (known !== undefined) return known;
  const packages = [...index(minor, versions, revisions, debOf)].join("\n");
  const made = { packages, compressed: gzipSync(packages) };
  indexes.set(state, made);
  return made;
}

function* index(
  minor: string,
  versions: readonly string[],
  revisions: ReadonlyMap<string, readonly string[]>,
  debOf: DebOf,
): Generator<string> {
  const stanza = (name: string, version: string, arch: string, depends: string): string =>
    stanzaOf(name, version, arch, depends, debOf);
  for (const arch of archs) {
    for (const version of versions) {
      for (const revision of revisions.get(version) ?? ["1.1"]) {
        yield stanza("kubeadm", `${version}-${revision}`, arch, "");
        yield stanza("kubectl", `${version}-${revision}`, arch, "");
        yield stanza("kubelet", `${version}-${revision}`, arch, kubeletDepends);
      }
    }
    yield stanza("cri-tools", `${minor}.0-1.1`, arch, "");
    yield stanza("kubernetes-cni", "1.8.0-1.1", arch, "");
    yield stanza("kubernetes-cni", "1.7.1-1.1", arch, "");
  }
}

function stanzaOf(name: string, version: string, arch: string, depends: string, debOf: DebOf): string {
  const bytes = debBytes(name, version, arch, depends, debOf);
  return [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${arch}`,
    ...(depends === "" ? [] : [`Depends: ${depends}`]),
    "Maintainer: Kubernetes Authors <dev@kubernetes.io>",
    `Filename: ${arch}/${name}_${version}_${arch}.deb`,
    `Size: ${bytes.length}`,
    `SHA256: ${createHash("sha256").update(bytes).digest("hex")}`,
    `Description: ${name} of a stand-in`,
    " It holds nothing.",
    "",
  ].join("\n");
}

function deb(packages: string, name: string, debOf: DebOf): UpstreamAnswer {
  const [, program = "", version = "", arch = ""] = /^[a-z0-9]+\/([a-z-]+)_([^_]+)_([a-z0-9]+)\.deb$/.exec(name) ?? [];
  const depends = program === "kubelet" ? kubeletDepends : "";
  return packages.includes(`Filename: ${name}\n`)
    ? binary(debBytes(program, version, arch, depends, debOf))
    : { status: 404, body: "" };
}

function debBytes(name: string, version: string, arch: string, depends: string, debOf: DebOf): Buffer {
  const given = debOf(name, version, arch, depends);
  return Buffer.from(given ?? `!<arch>\nstand-in for ${name} ${version} ${arch}\n`);
}

function text(body: string): UpstreamAnswer {
  return { status: 200, headers: { "content-type": "text/plain" }, body };
}

function binary(body: Buffer): UpstreamAnswer {
  return { status: 200, headers: { "content-type": "application/octet-stream" }, body };
}
