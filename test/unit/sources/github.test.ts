import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import { githubSource } from "../../../src/sources/github/index.ts";
import { releasedTags } from "../../../src/sources/newest.ts";
import { fails } from "../fails.ts";
import { today, world, type World } from "./world.ts";

const daysAgo = (days: number): Date => new Date(today.getTime() - days * 86_400_000);
const never = (): boolean => false;

/** A project with a release every third day, the newest first. */
function fill(w: World, count: number): void {
  const releases = Array.from({ length: count }, (_, index) => ({
    tag: `v1.${count - index}.0`,
    publishedAt: daysAgo(index * 3),
  }));
  w.upstreams.world.github.releases.set("a/b", releases);
}

describe("releases", () => {
  test("are read page by page by the Link header, whole when that is wanted", async () => {
    await using w = await world();
    fill(w, 120);
    const releases = await w.github.releases("a/b", never);
    assert.equal(releases.length, 120);
    assert.deepEqual(releases[0], { tag: "v1.120.0", prerelease: false, publishedAt: today });
    assert.equal(w.asked().length, 3);
  });

  test("are asked for once in a run, also by several at the same time", async () => {
    await using w = await world();
    fill(w, 120);
    const enough = (releases: readonly unknown[]): boolean => releases.length > 0;
    await Promise.all([
      w.github.releases("a/b", enough),
      w.github.releases("a/b", enough),
      w.github.releases("a/b", never),
    ]);
    await w.github.releases("a/b", never);
    assert.equal(w.asked().length, 3);
  });

  test("are read no further than ten pages", async () => {
    await using w = await world();
    fill(w, 700);
    assert.equal((await w.github.releases("a/b", never)).length, 500);
    assert.equal(w.asked().length, 10);
  });

  test("are without drafts, and keep GitHub's flag", async () => {
    await using w = await world();
    w.upstreams.world.github.releases.set("a/b", [
      { tag: "v3.0.0", draft: true },
      { tag: "v2.0.0", prerelease: true },
      { tag: "v1.0.0" },
    ]);
    const releases = await w.github.releases("a/b", never);
    assert.deepEqual(
      releases.map(({ tag, prerelease }) => [tag, prerelease]),
      [
        ["v2.0.0", true],
        ["v1.0.0", false],
      ],
    );
  });

  test("are asked for with the token, and without one when there is none", async () => {
    await using w = await world({ token: "ghs_test" });
    fill(w, 1);
    await w.github.releases("a/b", never);
    await githubSource(w.http, { apiUrl: w.upstreams.githubApiUrl, token: "" }).releases("a/b", never);
    assert.deepEqual(
      w.upstreams.transcript.map((entry) => entry.authorized),
      [true, false],
    );
  });
});

describe("a selector needs", () => {
  test("only the first page when a month lies behind what fits", async () => {
    await using w = await world();
    fill(w, 120);
    const tags = await releasedTags(w.github, "a/b", "latest");
    assert.equal(tags?.length, 50);
    assert.equal(w.asked().length, 1);
  });

  test("as many pages as it takes to find what fits", async () => {
    await using w = await world();
    fill(w, 120);
    assert.ok((await releasedTags(w.github, "a/b", "~1.30"))?.includes("v1.30.0"));
    assert.equal(w.asked().length, 3);
  });

  test("no release that is flagged as a prerelease under a plain version", async () => {
    await using w = await world();
    w.upstreams.world.github.releases.set("a/b", [
      { tag: "v2.0.0", prerelease: true },
      { tag: "v2.0.0-rc.1" },
      { tag: "v1.0.0" },
    ]);
    assert.deepEqual(await releasedTags(w.github, "a/b", "latest"), ["v2.0.0-rc.1", "v1.0.0"]);
  });
});

describe("when GitHub is of no use", () => {
  test("because its limit is used up, that is said with the time, and it is not asked again", async () => {
    await using w = await world();
    w.upstreams.setRateLimited(true);
    const failure = await fails(
      w.github.releases("a/b", never),
      "failure",
      /limit of requests is used up until 2026-11-30 12:30 UTC/,
    );
    assert.match(failure.remedy.join(), /token/);
    assert.equal(await releasedTags(w.github, "c/d", "latest"), undefined);
    assert.equal(w.github.trouble(), failure);
    assert.equal(w.asked().length, 1);
  });

  test("because it refuses the token, that is said without the token", async () => {
    await using w = await world({ token: "ghs_secret" });
    w.upstreams.setBadToken("ghs_secret");
    const failure = await fails(w.github.releases("a/b", never), "access", /token is not accepted \(401\)/);
    assert.doesNotMatch(JSON.stringify([failure.message, failure.remedy, failure.evidence]), /ghs_secret/);
  });

  test("because it is down, cut or answers nonsense, the fallback is taken", async () => {
    for (const fault of [
      { status: 503 },
      { reset: true as const },
      { truncateTo: 10 },
      { status: 200, body: "<html>" },
      { status: 200, headers: { "content-type": "application/json" }, body: '{"a":1}' },
      { status: 404 },
    ]) {
      await using w = await world();
      fill(w, 3);
      w.upstreams.fault({ upstream: "github", fault });
      assert.equal(await releasedTags(w.github, "a/b", "latest"), undefined, JSON.stringify(fault));
      assert.ok(w.github.trouble(), JSON.stringify(fault));
    }
  });

  test("because its Link leads to another origin, the token does not go there", async () => {
    await using w = await world({ token: "ghs_secret" });
    await using elsewhere = await world();
    fill(elsewhere, 1);
    const next = `${elsewhere.upstreams.githubApiUrl}/repos/a/b/releases?page=2`;
    w.upstreams.fault({
      upstream: "github",
      fault: {
        status: 200,
        headers: { "content-type": "application/json", link: `<${next}>; rel="next"` },
        body: "[]",
      },
    });
    await fails(w.github.releases("a/b", never), "failure", /away from http:\/\/127\.0\.0\.1/);
    assert.deepEqual(elsewhere.asked(), []);
  });
});
