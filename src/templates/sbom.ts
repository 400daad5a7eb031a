import * as z from "zod/mini";
import type { Target } from "../distributions/target.ts";
import type { GuestReport } from "../guest/index.ts";
import type { Manifest } from "./manifest.ts";

/** A package of an SPDX document, with the fields that are used here (SPDX 2.3, clause 7). */
export interface SpdxPackage {
  SPDXID: string;
  name: string;
  versionInfo?: string;
  packageFileName?: string;
  downloadLocation: string;
  filesAnalyzed: false;
  checksums?: { algorithm: "SHA256"; checksumValue: string }[];
  licenseConcluded: "NOASSERTION";
  licenseDeclared: "NOASSERTION";
  copyrightText: "NOASSERTION";
  primaryPackagePurpose?: "OPERATING-SYSTEM" | "CONTAINER" | "LIBRARY";
  externalRefs?: { referenceCategory: "PACKAGE-MANAGER"; referenceType: "purl"; referenceLocator: string }[];
  comment?: string;
}

/** An SPDX 2.3 document in its JSON form (https://spdx.github.io/spdx-spec/v2.3/). */
export interface SpdxDocument {
  spdxVersion: "SPDX-2.3";
  dataLicense: "CC0-1.0";
  SPDXID: "SPDXRef-DOCUMENT";
  name: string;
  documentNamespace: string;
  creationInfo: { created: string; creators: string[] };
  packages: SpdxPackage[];
  relationships: { spdxElementId: string; relationshipType: "DESCRIBES" | "CONTAINS"; relatedSpdxElement: string }[];
}

const rootId = "SPDXRef-Template";

/**
 * What is in a template as an SPDX 2.3 document: the image it was made of as the root, and below it the guest's packages
 * and container images where the guest was asked for them; a Talos template is its image alone.
 */
export function sbomOf(target: Target, manifest: Manifest, digest: string, contents?: GuestReport): SpdxDocument {
  const packages = Object.entries(contents?.packages ?? {})
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, version], at) => debPackage(name, version, at + 1, manifest));
  const images = [...(contents?.images ?? [])].sort().map((image, at) => containerImage(image, at + 1));
  const parts = [...packages, ...images];
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: "SPDXRef-DOCUMENT",
    name: sbomName(target, manifest),
    // The build's id is in it, so that no two documents share one (clause 6.5).
    documentNamespace: `https://spdx.org/spdxdocs/kubehenge-${sbomName(target, manifest)}`,
    creationInfo: {
      // Without fractions of a second (clause 6.9).
      created: manifest.created.replace(/\.\d+Z$/, "Z"),
      creators: [`Tool: ${manifest.program.replace("/", "-")}`],
    },
    packages: [rootPackage(target, manifest, digest), ...parts],
    relationships: [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: rootId },
      ...parts.map(({ SPDXID }) => ({
        spdxElementId: rootId,
        relationshipType: "CONTAINS" as const,
        relatedSpdxElement: SPDXID,
      })),
    ],
  };
}

/** Name of a template's document and, with its ending, of its file: the target's name and the build's id. */
export function sbomName(target: Pick<Target, "name">, { build }: Pick<Manifest, "build">): string {
  return `${target.name}-${build}`;
}

export const sbomEnding = ".spdx.json";

const unasserted = {
  filesAnalyzed: false,
  licenseConcluded: "NOASSERTION",
  licenseDeclared: "NOASSERTION",
  copyrightText: "NOASSERTION",
} as const;

function rootPackage(target: Target, manifest: Manifest, digest: string): SpdxPackage {
  const { image, verified, kernel, runUrl, run } = manifest;
  const facts = [
    target.title,
    `manifest ${digest}`,
    ...(kernel ? [`kernel ${kernel}`] : []),
    ...verified.map((one) => `${one.what}: ${one.by === "signature" ? `signed by ${one.signer ?? ""}` : "TLS only"}`),
    `run ${runUrl ?? run}`,
  ];
  return {
    SPDXID: rootId,
    name: target.name,
    versionInfo: target.version,
    packageFileName: image.file,
    downloadLocation: image.url,
    ...unasserted,
    ...(image.sha256 ? { checksums: [{ algorithm: "SHA256", checksumValue: image.sha256 }] } : {}),
    primaryPackagePurpose: "OPERATING-SYSTEM",
    comment: facts.join("; "),
  };
}

/** The packages that the builder installs from the repository of Kubernetes; the others are Ubuntu's. */
const kubernetesPackages = new Set(["kubeadm", "kubelet", "kubectl", "cri-tools", "kubernetes-cni"]);

/** `given` is what dpkg calls it: with its architecture where several can be installed, such as `libc6:amd64`. */
function debPackage(
  given: string,
  version: string,
  number: number,
  { ubuntuRelease, packages }: Manifest,
): SpdxPackage {
  const [name = given, arch] = given.split(":");
  const isKubernetes = packages !== undefined && kubernetesPackages.has(name);
  const qualifiers = [
    ...(arch ? [`arch=${arch}`] : []),
    ...(ubuntuRelease && !isKubernetes ? [`distro=ubuntu-${ubuntuRelease}`] : []),
  ];
  const purl = `pkg:deb/${isKubernetes ? "kubernetes" : "ubuntu"}/${purlPart(name)}@${purlPart(version)}${qualifiers.length > 0 ? `?${qualifiers.join("&")}` : ""}`;
  return {
    SPDXID: `SPDXRef-deb-${number}-${idPart(name)}`,
    name,
    versionInfo: version,
    downloadLocation: "NOASSERTION",
    ...unasserted,
    primaryPackagePurpose: "LIBRARY",
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
  };
}

/** `REPOSITORY:TAG`, or `REPOSITORY:TAG@sha256:…` where the guest knows the digest. */
function containerImage(given: string, number: number): SpdxPackage {
  const [reference = given, digest] = given.split("@");
  const [, repository = reference, tag = ""] = /^(.+?)(?::([^:/]+))?$/.exec(reference) ?? [];
  const name = repository.slice(repository.lastIndexOf("/") + 1);
  const qualifiers = [`repository_url=${purlPart(repository, "/")}`, ...(tag ? [`tag=${purlPart(tag)}`] : [])];
  const purl = `pkg:oci/${purlPart(name)}${digest ? `@${purlPart(digest)}` : ""}?${qualifiers.join("&")}`;
  return {
    SPDXID: `SPDXRef-image-${number}-${idPart(name)}`,
    name: repository,
    versionInfo: digest ? `${tag}@${digest}` : tag,
    downloadLocation: "NOASSERTION",
    ...unasserted,
    ...(digest?.startsWith("sha256:")
      ? { checksums: [{ algorithm: "SHA256", checksumValue: digest.slice("sha256:".length) }] }
      : {}),
    primaryPackagePurpose: "CONTAINER",
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
  };
}

/** Percent-encoded as a package URL wants it (https://github.com/package-url/purl-spec). */
function purlPart(text: string, besides = ""): string {
  return encodeURIComponent(text).replace(/%2F/g, besides === "/" ? "/" : "%2F");
}

/** Letters, digits, dots and dashes are all that an SPDX identifier may hold (clause 7.2). */
function idPart(text: string): string {
  return text.replace(/[^A-Za-z0-9.-]/g, "-");
}

/** What became of the parts of a template from one build to the next. */
export interface Changes {
  added: readonly { name: string; version: string }[];
  removed: readonly { name: string; version: string }[];
  changed: readonly { name: string; from: string; to: string }[];
}

const readable = z.object({
  spdxVersion: z.literal("SPDX-2.3"),
  packages: z.array(z.object({ SPDXID: z.string(), name: z.string(), versionInfo: z.prefault(z.string(), "") })),
});

/**
 * Compares a document with an older one, which is foreign text: a file that anybody may have put there.
 * @returns nothing when the older one is no SPDX 2.3 document
 */
export function changesSince(older: string, document: SpdxDocument): Changes | undefined {
  let before: Map<string, string>;
  try {
    before = partsOf(readable.parse(JSON.parse(older)).packages);
  } catch {
    return undefined;
  }
  const after = partsOf(document.packages);
  const of = (names: Iterable<string>) => [...names].sort();
  return {
    added: of(after.keys()).flatMap((name) => (before.has(name) ? [] : [{ name, version: after.get(name) ?? "" }])),
    removed: of(before.keys()).flatMap((name) => (after.has(name) ? [] : [{ name, version: before.get(name) ?? "" }])),
    changed: of(after.keys()).flatMap((name) => {
      const from = before.get(name);
      const to = after.get(name) ?? "";
      return from === undefined || from === to ? [] : [{ name, from, to }];
    }),
  };
}

/** Versions by name. The root is the template itself, whose version is its target's. */
function partsOf(packages: readonly { SPDXID: string; name: string; versionInfo?: string }[]): Map<string, string> {
  return new Map(
    packages.filter(({ SPDXID }) => SPDXID !== rootId).map(({ name, versionInfo }) => [name, versionInfo ?? ""]),
  );
}
