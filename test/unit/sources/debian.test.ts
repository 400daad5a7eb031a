import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { paragraphs } from "../../../src/sources/kubernetes/deb822.ts";
import { compareDebianVersions } from "../../../src/sources/kubernetes/debian-version.ts";
import { packageEntry, releaseFile } from "../../../src/sources/kubernetes/schema.ts";

describe("Debian versions are ordered as dpkg orders them", () => {
  // Each with its neighbours, the lowest first; checked against `dpkg --compare-versions`.
  const ascending = [
    "1.0~~",
    "1.0~~a",
    "1.0~",
    "1.0~rc1-1",
    "1.0",
    "1.0-1",
    "1.0-1.1",
    "1.0-2",
    "1.0-10",
    "1.0a",
    "1.0+b",
    "1.0.1",
    "1.2",
    "1.10",
    "1.37.1-1.1",
    "1.37.1-2.1",
    "1.37.1-10.1",
    "1.37.10-1.1",
    "1:0.1",
  ];
  test("from the lowest to the highest, and backwards", () => {
    for (const [index, lower] of ascending.entries()) {
      assert.equal(compareDebianVersions(lower, lower), 0);
      for (const higher of ascending.slice(index + 1)) {
        assert.ok(compareDebianVersions(lower, higher) < 0, `${lower} < ${higher}`);
        assert.ok(compareDebianVersions(higher, lower) > 0, `${higher} > ${lower}`);
      }
    }
  });

  test("leading zeros make no difference", () => assert.equal(compareDebianVersions("1.01-1", "1.1-01"), 0));

  test("the order has no circles", () => {
    const text = fc.stringMatching(/^[0-9][0-9a-z.~+]{0,8}(-[0-9.]{1,4})?$/);
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        assert.ok(Math.sign(compareDebianVersions(a, b)) + Math.sign(compareDebianVersions(b, a)) === 0);
        if (compareDebianVersions(a, b) <= 0 && compareDebianVersions(b, c) <= 0)
          assert.ok(compareDebianVersions(a, c) <= 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe("control data", () => {
  test("is read paragraph by paragraph, with continuation lines and names in any case", () => {
    const [first, second, ...rest] = [...paragraphs("Package: a\nDESCRIPTION: one\n two\n .\n\n\nPackage: b\n")];
    assert.equal(first?.get("description"), "one\ntwo\n.");
    assert.equal(second?.get("package"), "b");
    assert.deepEqual(rest, []);
  });

  test("with a line that is no field, a field twice or a continuation of nothing is refused", () => {
    for (const text of [
      "Package a\n",
      " two\n",
      "Package: a\nPackage: b\n",
      "Package: a\npackage: b\n",
      "-----BEGIN: x\n",
      "#: x\n",
    ]) {
      assert.throws(() => [...paragraphs(text)], SyntaxError, text);
    }
  });

  test("of a package must have a name, a version and an architecture that apt could be told", () => {
    const good = { package: "kubeadm", version: "1.37.1-1.1", architecture: "amd64" };
    assert.deepEqual(packageEntry.parse(good), { name: "kubeadm", version: "1.37.1-1.1", arch: "amd64" });
    for (const bad of [
      { version: "1.37.1-1.1; reboot" },
      { version: "latest" },
      { package: "a b" },
      { architecture: "amd64\nx" },
      { version: "1.0\n" },
    ]) {
      assert.ok(!packageEntry.safeParse({ ...good, ...bad }).success, JSON.stringify(bad));
    }
  });

  test("of a Release file must list digests, sizes and names", () => {
    const digest = "a".repeat(64);
    const parsed = releaseFile.parse({
      sha256: `\n${digest}  12 Packages\n${digest} 7 ./Packages.gz`,
      "valid-until": "Sat, 01 Jan 2028 00:00:00 UTC",
    });
    assert.deepEqual(parsed.files, [
      { name: "Packages", size: 12, sha256: digest },
      { name: "Packages.gz", size: 7, sha256: digest },
    ]);
    assert.deepEqual(parsed.validUntil, new Date("2028-01-01T00:00:00Z"));
    for (const bad of [
      {},
      { sha256: "x 1 Packages" },
      { sha256: `${digest} -1 Packages` },
      { sha256: `${digest} 12 Packages`, "valid-until": "soon" },
    ]) {
      assert.ok(!releaseFile.safeParse(bad).success, JSON.stringify(bad));
    }
  });
});
