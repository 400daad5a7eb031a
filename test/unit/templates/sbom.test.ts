import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { kubeadmTarget, talosTarget } from "../../../src/distributions/target.ts";
import type { GuestReport } from "../../../src/guest/index.ts";
import type { Manifest } from "../../../src/templates/manifest.ts";
import { changesSince, sbomName, sbomOf, type SpdxDocument } from "../../../src/templates/sbom.ts";

const identifier = z.string().regex(/^SPDXRef-[A-Za-z0-9.-]+$/);

/** The fields that SPDX 2.3 requires (clauses 6, 7 and 11), in the forms that it gives them. */
const spdx = z.object({
  spdxVersion: z.literal("SPDX-2.3"),
  dataLicense: z.literal("CC0-1.0"),
  SPDXID: z.literal("SPDXRef-DOCUMENT"),
  name: z.string().min(1),
  documentNamespace: z.url().regex(/^[^#]+$/),
  creationInfo: z.object({
    created: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    creators: z.array(z.string().regex(/^(Tool|Organization|Person): .+/)).min(1),
  }),
  packages: z.array(
    z.object({
      SPDXID: identifier,
      name: z.string().min(1),
      downloadLocation: z.string().regex(/^(NOASSERTION|NONE|[a-z+]+:\/\/\S+)$/),
      filesAnalyzed: z.boolean(),
      checksums: z
        .array(z.object({ algorithm: z.literal("SHA256"), checksumValue: z.string().regex(/^[0-9a-f]{64}$/) }))
        .optional(),
      externalRefs: z
        .array(
          z.object({
            referenceCategory: z.literal("PACKAGE-MANAGER"),
            referenceType: z.literal("purl"),
            referenceLocator: z.string().regex(/^pkg:(deb\/(ubuntu|kubernetes)|oci)\/[^@\s]+@?\S*$/),
          }),
        )
        .optional(),
    }),
  ),
  relationships: z.array(
    z.object({
      spdxElementId: identifier,
      relationshipType: z.enum(["DESCRIBES", "CONTAINS"]),
      relatedSpdxElement: identifier,
    }),
  ),
});

const target = kubeadmTarget("v1.37.1", "26.04");
const imageDigest = "a".repeat(64);

const manifest = (changes: Partial<Manifest> = {}): Manifest => ({
  schema: 1,
  build: "0123456789ab",
  distribution: "kubeadm",
  version: "v1.37.1",
  ubuntuRelease: "26.04",
  architecture: "amd64",
  image: { url: "https://cloud-images.ubuntu.com/x/u.img", sha256: imageDigest, file: "u.img" },
  verified: [{ what: "Ubuntu image", by: "signature", signer: "ABCD" }],
  packages: { kubeadm: "1.37.1-1.1" },
  kernel: "6.17.0-1-generic",
  created: "2026-08-01T02:03:04.567Z",
  run: "1-1",
  program: "kubehenge/0.1.0",
  ...changes,
});

const report = (changes: Partial<GuestReport> = {}): GuestReport => ({
  kernel: "6.17.0-1-generic",
  cloudInit: "done",
  packages: { "libc6:amd64": "2.41-1ubuntu1", "libstdc++6": "15.1.0-1", kubeadm: "1.37.1-1.1", tar: "1:1.35+dfsg-3" },
  images: [`registry.example.org:5000/k8s/pause:3.10.2@sha256:${"b".repeat(64)}`, "registry.k8s.io/etcd:3.6.4-0"],
  warnings: [],
  ...changes,
});

const digest = `sha256:${"c".repeat(64)}`;
const byName = ({ packages }: SpdxDocument, name: string) =>
  packages.find((one) => one.name === name) ?? assert.fail(`no package ${name}`);
const purl = (document: SpdxDocument, name: string) => byName(document, name).externalRefs?.[0]?.referenceLocator;

describe("an SBOM", () => {
  test("has every field that SPDX 2.3 requires, with and without a guest's report", () => {
    spdx.parse(sbomOf(target, manifest(), digest, report()));
    spdx.parse(sbomOf(talosTarget("v1.14.4"), manifest({ distribution: "talos" }), digest));
  });

  test("relates each of its packages to the root, and the root to the document, by identifiers of their own", () => {
    const { packages, relationships } = sbomOf(target, manifest(), digest, report());
    const ids = packages.map(({ SPDXID }) => SPDXID);
    assert.equal(new Set(ids).size, ids.length);
    const [root, ...parts] = ids;
    assert.deepEqual(relationships[0], {
      spdxElementId: "SPDXRef-DOCUMENT",
      relationshipType: "DESCRIBES",
      relatedSpdxElement: root,
    });
    assert.deepEqual(
      relationships.slice(1).map((one) => one.relatedSpdxElement),
      parts,
    );
    assert.equal(parts.length, 6);
  });

  test("has the image as its root, with address and digest, and who vouched for it", () => {
    const root = byName(sbomOf(target, manifest(), digest, report()), target.name);
    assert.equal(root.downloadLocation, "https://cloud-images.ubuntu.com/x/u.img");
    assert.deepEqual(root.checksums, [{ algorithm: "SHA256", checksumValue: imageDigest }]);
    assert.match(
      root.comment ?? "",
      /manifest sha256:c+; kernel 6\.17\.0-1-generic; Ubuntu image: signed by ABCD; run 1-1$/,
    );
  });

  test("names packages by package URLs: Ubuntu's by its release, Kubernetes' own apart, in percent-encoding", () => {
    const document = sbomOf(target, manifest(), digest, report());
    assert.equal(purl(document, "libc6"), "pkg:deb/ubuntu/libc6@2.41-1ubuntu1?arch=amd64&distro=ubuntu-26.04");
    assert.equal(purl(document, "tar"), "pkg:deb/ubuntu/tar@1%3A1.35%2Bdfsg-3?distro=ubuntu-26.04");
    assert.equal(purl(document, "libstdc++6"), "pkg:deb/ubuntu/libstdc%2B%2B6@15.1.0-1?distro=ubuntu-26.04");
    assert.equal(purl(document, "kubeadm"), "pkg:deb/kubernetes/kubeadm@1.37.1-1.1");
  });

  test("names container images by digest where the guest knows it, and takes no port for a tag", () => {
    const document = sbomOf(target, manifest(), digest, report());
    const pause = byName(document, "registry.example.org:5000/k8s/pause");
    assert.deepEqual(pause.checksums, [{ algorithm: "SHA256", checksumValue: "b".repeat(64) }]);
    assert.equal(
      purl(document, pause.name),
      `pkg:oci/pause@sha256%3A${"b".repeat(64)}?repository_url=registry.example.org%3A5000/k8s/pause&tag=3.10.2`,
    );
    assert.equal(
      purl(document, "registry.k8s.io/etcd"),
      "pkg:oci/etcd?repository_url=registry.k8s.io/etcd&tag=3.6.4-0",
    );
  });

  test("of two builds of the same parts has another name and namespace", () => {
    const [one, other] = ["0123456789ab", "ba9876543210"].map((build) =>
      sbomOf(target, manifest({ build }), digest, report()),
    );
    assert.notEqual(one?.documentNamespace, other?.documentNamespace);
    assert.equal(one?.name, sbomName(target, manifest()));
  });

  test("of Talos holds the image alone", () => {
    const { packages } = sbomOf(talosTarget("v1.14.4"), manifest(), digest);
    assert.deepEqual(
      packages.map(({ SPDXID }) => SPDXID),
      ["SPDXRef-Template"],
    );
  });
});

describe("what changed between two SBOMs", () => {
  const older = (changes: Partial<GuestReport>) =>
    JSON.stringify(sbomOf(target, manifest({ build: "ba9876543210" }), digest, report(changes)));

  test("is what was added, removed, and went from one version to another, by name", () => {
    const before = older({
      packages: { "libc6:amd64": "2.40-1", tar: "1:1.35+dfsg-3", nano: "8.4-1", kubeadm: "1.37.1-1.1" },
    });
    assert.deepEqual(changesSince(before, sbomOf(target, manifest(), digest, report())), {
      added: [{ name: "libstdc++6", version: "15.1.0-1" }],
      removed: [{ name: "nano", version: "8.4-1" }],
      changed: [{ name: "libc6", from: "2.40-1", to: "2.41-1ubuntu1" }],
    });
  });

  test("is nothing between builds of the same parts", () => {
    assert.deepEqual(changesSince(older({}), sbomOf(target, manifest(), digest, report())), {
      added: [],
      removed: [],
      changed: [],
    });
  });

  test("is not told where the older file is something else", () => {
    for (const text of [
      "",
      "{",
      "[]",
      '{"spdxVersion":"SPDX-2.2","packages":[]}',
      '{"spdxVersion":"SPDX-2.3","packages":[{"name":1}]}',
    ])
      assert.equal(changesSince(text, sbomOf(target, manifest(), digest, report())), undefined, text);
  });
});
