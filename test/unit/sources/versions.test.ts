import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { Failure } from "../../../src/failure/failure.ts";
import { exactVersion, isExact } from "../../../src/sources/exact-version.ts";
import {
  checkSelector,
  matchingVersions,
  mayFitMinor,
  nearestVersions,
  selectVersion,
} from "../../../src/sources/versions.ts";

const tags = [
  "v1.38.0-alpha.1",
  "v1.37.1",
  "v1.37.0",
  "v1.37.0-rc.1",
  "1.36.10",
  "v1.36.4",
  "v1.36.9",
  "v1.35.8",
  "pkg/machinery/v1.99.0",
  "pkg/machinery/v1.37.9",
  "release-1.40.0",
  "v1.39",
  "v01.50.0",
  "v1.41.0+build",
  "nightly",
];

describe("a selector takes", () => {
  const rows: [string, string][] = [
    ["latest", "v1.37.1"],
    ["LATEST", "v1.37.1"],
    ["*", "v1.37.1"],
    ["v1.37.0", "v1.37.0"],
    ["1.37.0", "v1.37.0"],
    [" v1.36.4 ", "v1.36.4"],
    ["1.36.10", "v1.36.10"],
    ["~1.36", "v1.36.10"],
    ["~v1.36", "v1.36.10"],
    ["~1.36.4", "v1.36.10"],
    ["1.36.x", "v1.36.10"],
    ["1.36", "v1.36.10"],
    ["v1.36", "v1.36.10"],
    ["^1.35", "v1.37.1"],
    [">=1.35 <1.37", "v1.36.10"],
    [">= v1.35 < v1.36", "v1.35.8"],
    ["1.35.0 - 1.36.5", "v1.36.4"],
    ["1.35.x || 1.36.x", "v1.36.10"],
    ["<1.37.1", "v1.37.0"],
    ["1.38.0-alpha.1", "v1.38.0-alpha.1"],
    [">=1.38.0-alpha.0", "v1.38.0-alpha.1"],
    ["~1.38.0-0", "v1.38.0-alpha.1"],
    ["v1.37.0-rc.1", "v1.37.0-rc.1"],
  ];
  for (const [selector, expected] of rows)
    test(`${selector}: ${expected}`, () => assert.equal(selectVersion(selector, tags), expected));

  test("no prerelease unless it names one", () => {
    for (const selector of [">=1.38", "~1.38", "1.38.x", ">1.37.1"])
      assert.deepEqual(matchingVersions(selector, tags), []);
  });

  test("the newest first, each once", () => {
    assert.deepEqual(matchingVersions("~1.36", [...tags, "v1.36.10"]), ["v1.36.10", "v1.36.9", "v1.36.4"]);
  });
});

describe("a selector that is none", () => {
  for (const text of [
    "",
    " ",
    "newest",
    "1.36.x.y.z",
    "||",
    "v",
    "~",
    "stable",
    "1.37.1; rm -rf /",
    "v1.37.1+k3s1 or so",
    "1".repeat(300),
    "<>1",
    "talos",
  ]) {
    test(`is a usage failure that names it: ${JSON.stringify(text.slice(0, 20))}`, () => {
      for (const use of [() => selectVersion(text, tags), () => checkSelector(text), () => exactVersion(text)]) {
        assert.throws(
          use,
          (error) =>
            error instanceof Failure &&
            error.kind === "usage" &&
            error.message.includes(JSON.stringify(text.slice(0, 80))),
        );
      }
    });
  }
});

describe("when nothing fits", () => {
  const near = (selector: string): Failure => {
    try {
      selectVersion(selector, tags, "Kubernetes");
    } catch (error) {
      assert.ok(error instanceof Failure);
      return error;
    }
    throw new assert.AssertionError({ message: `${selector} fits` });
  };

  test("it is told what is near: the same minor, the ones below and above, the newest", () => {
    const failure = near("v1.36.5");
    assert.equal(failure.kind, "not-found");
    assert.equal(failure.message, 'No Kubernetes version fits "v1.36.5".');
    assert.deepEqual(failure.remedy, ["The nearest that there are: v1.37.1, v1.36.10, v1.36.9, v1.36.4."]);
  });

  test("of a range above everything, the newest", () => assert.match(near("~1.40").remedy.join(), /: v1\.37\.1\.$/));
  test("of a range below everything, the newest and the oldest", () =>
    assert.match(near("~1.20").remedy.join(), /: v1\.37\.1, v1\.35\.8\.$/));
  test("of nothing at all, that", () =>
    assert.throws(
      () => selectVersion("latest", ["nightly"]),
      (error) => error instanceof Failure && /no version to choose/.test(error.remedy.join()),
    ));
  test("prereleases are named only when there is nothing else", () =>
    assert.deepEqual(nearestVersions("v2.0.0", ["v1.0.0-rc.1"]), ["v1.0.0-rc.1"]));
});

test("exact versions are known as such", () => {
  for (const text of ["v1.37.1", "1.37.1", "v1.38.0-rc.0", " 1.2.3 "]) assert.ok(isExact(text), text);
  for (const text of ["~1.37.1", "1.37", "latest", "=1.37.1", "v1.37.1+k3s1", "01.2.3", ""])
    assert.ok(!isExact(text), text);
  assert.equal(exactVersion("1.37.1"), "v1.37.1");
});

test("a range is known to reach into a minor or not", () => {
  assert.ok(mayFitMinor("latest", "1.37"));
  assert.ok(mayFitMinor(">=1.35 <1.37", "1.36"));
  assert.ok(!mayFitMinor(">=1.35 <1.37", "1.37"));
  assert.ok(!mayFitMinor("~1.36", "1.35"));
});

test("whatever is given, what comes out is one of the candidates, or a failure of ours", () => {
  const part = fc.integer({ min: 0, max: 40 });
  const versionText = fc.tuple(part, part, part).map((parts) => `v${parts.join(".")}`);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 30 }),
        versionText,
        versionText.map((text) => `~${text}`),
      ),
      fc.array(fc.oneof(versionText, fc.string())),
      (selector, candidates) => {
        try {
          const chosen = selectVersion(selector, candidates);
          assert.ok(candidates.includes(chosen) || candidates.includes(chosen.slice(1)));
        } catch (error) {
          assert.ok(error instanceof Failure, String(error));
        }
      },
    ),
    { numRuns: 300 },
  );
});
