import * as assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, test } from "node:test";
import { parseSelector, possibleLts } from "../../../src/sources/ubuntu/release.ts";
import { parseSums } from "../../../src/sources/ubuntu/schema.ts";
import { ubuntuSource } from "../../../src/sources/ubuntu/index.ts";
import type { UbuntuTampering } from "../../stand-in/upstreams/index.ts";
import type { Http } from "../../../src/http/index.ts";
import { ubuntuFingerprint } from "../../../src/trust/index.ts";
import { fixture, now, realLists } from "../trust/fixtures.ts";
import { fails } from "../fails.ts";
import { today, world } from "./world.ts";

/** Serves the real lists as cloud-images.ubuntu.com does, through the product's own path with its embedded key. */
function realMirror(change: (name: string, bytes: Uint8Array) => Uint8Array = (_, bytes) => bytes): Http {
  const directories: Record<string, string> = {
    "22.04": "jammy-20260722",
    "24.04": "noble-20260725",
    "26.04": "resolute-20260731",
    resolute: "resolute-20260731",
  };
  const serve = async (url: string) => {
    const [, directory = "", file = ""] =
      /^https:\/\/cloud-images\.ubuntu\.com\/releases\/([^/]+)\/release\/(SHA256SUMS(?:\.gpg)?)$/.exec(url) ?? [];
    const name = directories[directory];
    if (name === undefined)
      return { status: 404, url, headers: {}, body: new Uint8Array(), text: () => "", json: () => undefined };
    const body = change(file, fixture(`${name}.${file}`));
    return { status: 200, url, headers: {}, body, text: () => Buffer.from(body).toString(), json: () => undefined };
  };
  return Object.assign(serve, { traffic: { up: 0, down: 0 }, close: () => Promise.resolve() });
}

describe("the real signed lists", () => {
  const digests: Record<string, [string, string, string]> = {
    "22.04": [
      "757908b2fd6d5b1431bb45070fc1f56cbf017d4025568d292ece37d9cc75e812",
      "8f61e558498ba262da5b5d13f75b2921136b737a1492415150f33b3d0e46a281",
      "20260722",
    ],
    "24.04": [
      "d1940f7d69d343355e183dff1e08a59852d32e7309baa7a4bad8365b11b005ac",
      "2eaec7286c49fdea713dddabcf5012cafa7097a658e916acb48f4bc5fdc8e419",
      "20260725",
    ],
    "26.04": [
      "9dc7c5363c0146a08ba0c9aa834d82c2c6dfbb1c471ad9a2f0aba1189e21be05",
      "3e113fdd41f39e13729375173bb2ae793f87dc6db4294e5251ff2476971788ba",
      "20260731",
    ],
  };
  for (const [release, [amd64, arm64, serial]] of Object.entries(digests)) {
    test(`give the image of ${release} for both architectures, never amd64v3's or another's`, async () => {
      const source = ubuntuSource(realMirror(), { now: () => now });
      const image = await source.image(release, "amd64");
      assert.equal(image.sha256, amd64);
      assert.equal(image.fileName, `ubuntu-${release}-server-cloudimg-amd64.img`);
      assert.equal(image.url, `https://cloud-images.ubuntu.com/releases/${release}/release/${image.fileName}`);
      assert.equal(image.signer, ubuntuFingerprint);
      assert.equal(image.serial, serial);
      assert.equal((await source.image(release, "arm64")).sha256, arm64);
    });
  }

  const tampered: Record<string, (name: string, bytes: Uint8Array) => Uint8Array> = {
    "the amd64 image's digest replaced by amd64v3's": (name, bytes) =>
      name === "SHA256SUMS"
        ? Buffer.from(
            Buffer.from(bytes)
              .toString()
              .replace(digests["26.04"]![0], "d7827c31447310fc422926f0f498b6ba8d4fcdf8604c52547945aee51edcf03a"),
          )
        : bytes,
    "cut off": (name, bytes) => (name === "SHA256SUMS" ? bytes.subarray(0, -200) : bytes),
    "sorted by name": (name, bytes) =>
      name === "SHA256SUMS" ? Buffer.from(Buffer.from(bytes).toString().split("\n").toSorted().join("\n")) : bytes,
    "the signature of another release": (name, bytes) =>
      name === "SHA256SUMS" ? bytes : fixture("noble-20260725.SHA256SUMS.gpg"),
  };
  for (const [how, change] of Object.entries(tampered)) {
    test(`are refused when they come ${how}`, async () => {
      await fails(
        ubuntuSource(realMirror(change), { now: () => now }).image("26.04", "amd64"),
        "verification",
        /releases\/26\.04\/release\/SHA256SUMS is not accepted/,
      );
    });
  }

  for (const { name } of realLists) {
    test(`every line of ${name} is read`, () => {
      const text = Buffer.from(fixture(`${name}.SHA256SUMS`)).toString();
      assert.equal(parseSums(text, "list").size, text.split("\n").length - 1);
    });
  }
});

describe("a release is resolved", () => {
  test("from numbers and known codenames without asking anybody", async () => {
    await using w = await world();
    const rows = {
      "26.04": "26.04",
      jammy: "22.04",
      noble: "24.04",
      Resolute: "26.04",
      "25.10": "25.10",
      questing: "25.10",
    };
    for (const [selector, release] of Object.entries(rows))
      assert.equal(await w.ubuntu.resolveRelease(selector), release);
    assert.deepEqual(w.asked(), []);
  });

  test("to the newest LTS whose list is there, with one request that the image then does not repeat", async () => {
    await using w = await world();
    assert.equal(await w.ubuntu.resolveRelease(undefined), "26.04");
    assert.equal(await w.ubuntu.resolveRelease("latest"), "26.04");
    await w.ubuntu.image("26.04", "amd64");
    await w.ubuntu.image("26.04", "arm64");
    assert.deepEqual(w.asked(), [
      "GET ubuntu /releases/26.04/release/SHA256SUMS 200",
      "GET ubuntu /releases/26.04/release/SHA256SUMS.gpg 200",
    ]);
  });

  test("to the LTS before where the newest possible one is not published", async () => {
    await using w = await world({ now: () => new Date("2028-04-10T00:00:00Z") });
    assert.equal(await w.ubuntu.resolveRelease("latest"), "26.04");
    assert.deepEqual(w.asked(), [
      "GET ubuntu /releases/28.04/release/SHA256SUMS 404",
      "GET ubuntu /releases/26.04/release/SHA256SUMS 200",
    ]);
  });

  test("from comparisons, among LTS releases", async () => {
    await using w = await world();
    assert.equal(await w.ubuntu.resolveRelease(">=24.04"), "26.04");
    assert.equal(await w.ubuntu.resolveRelease(">=22.04 <26.04"), "24.04");
    const failure = await fails(
      w.ubuntu.resolveRelease(">=30.04"),
      "not-found",
      /No Ubuntu LTS release fits ">=30\.04"/,
    );
    assert.match(failure.remedy.join(), /26\.04, 24\.04, 22\.04/);
  });

  test("from an unknown codename by the signed names in its list", async () => {
    await using w = await world();
    w.upstreams.addUbuntu("27.10", "zany", "20271101");
    assert.equal(await w.ubuntu.resolveRelease("zany"), "27.10");
    await fails(w.ubuntu.resolveRelease("nonesuch"), "not-found", /Ubuntu nonesuch has no cloud image/);
    w.upstreams.addUbuntu("27.04", "yonder", "20270501");
    w.upstreams.tamperUbuntu("27.04", "byte-changed");
    await fails(w.ubuntu.resolveRelease("yonder"), "verification", /not accepted/);
  });

  test("not from nonsense, and nobody is asked about it", async () => {
    await using w = await world();
    for (const text of ["", "24.04.3", "26.4", "../../etc", "noble/../x", "~24.04", "a", ">=24.04 or so"]) {
      await fails(w.ubuntu.resolveRelease(text), "usage", /is not an Ubuntu release/);
    }
    assert.deepEqual(w.asked(), []);
    assert.equal(parseSelector("constructor").kind, "codename");
  });
});

test("LTS releases are those of April in even years, from April on", () => {
  const newest = (day: string): string | undefined => possibleLts(new Date(`${day}T00:00:00Z`))[0];
  assert.equal(newest("2026-03-31"), "24.04");
  assert.equal(newest("2026-04-01"), "26.04");
  assert.equal(newest("2027-12-31"), "26.04");
  assert.equal(newest("2028-01-01"), "26.04");
  assert.equal(newest("2028-04-01"), "28.04");
  assert.deepEqual(possibleLts(today), ["26.04", "24.04", "22.04", "20.04"]);
});

test("B13: images come from the releases tree, which keeps old builds", () => {
  const asked: string[] = [];
  const mirror = realMirror();
  const watched: Http = Object.assign((url: string) => (asked.push(url), mirror(url)), {
    traffic: mirror.traffic,
    close: mirror.close,
  });
  return ubuntuSource(watched, { now: () => now })
    .image("26.04", "amd64")
    .then((image) => {
      for (const url of [...asked, image.url])
        assert.match(url, /^https:\/\/cloud-images\.ubuntu\.com\/releases\/26\.04\/release\//);
    });
});

describe("the image of a mirror", () => {
  test("has the digest of the bytes that the mirror serves", async () => {
    await using w = await world();
    const image = await w.ubuntu.image("24.04", "arm64");
    const { body } = await w.http(image.url);
    assert.equal(image.sha256, createHash("sha256").update(body).digest("hex"));
    assert.equal(image.signer, w.upstreams.ubuntuFingerprint);
  });

  test("that has been replaced is seen when it is asked for afresh", async () => {
    await using w = await world();
    const before = await w.ubuntu.image("26.04", "amd64");
    w.upstreams.replaceUbuntuImage("26.04");
    assert.deepEqual(await w.ubuntu.image("26.04", "amd64"), before);
    const after = await w.ubuntu.image("26.04", "amd64", { fresh: true });
    assert.notEqual(after.sha256, before.sha256);
    assert.equal(after.serial, "20260732");
  });

  test("B04: of the same size and with another digest is another image", async () => {
    await using w = await world();
    const before = await w.ubuntu.image("26.04", "amd64");
    const { body: old } = await w.http(before.url);
    w.upstreams.replaceUbuntuImage("26.04");
    const after = await w.ubuntu.image("26.04", "amd64", { fresh: true });
    assert.equal((await w.http(after.url)).body.length, old.length);
    assert.notEqual(after.sha256, before.sha256);
  });

  test("that is replaced between the list and its signature is read again, once", async () => {
    await using w = await world();
    await w.ubuntu.resolveRelease("latest");
    w.upstreams.replaceUbuntuImage("26.04");
    assert.equal((await w.ubuntu.image("26.04", "amd64")).serial, "20260732");
    assert.equal(w.asked().length, 4);
  });

  test("B14: that the list does not name fails with the list's date and what it names", async () => {
    await using w = await world();
    w.upstreams.tamperUbuntu("26.04", "image-missing");
    const failure = await fails(
      w.ubuntu.image("26.04", "amd64"),
      "not-found",
      /signed on 2026-11-29 does not name ubuntu-26\.04-server-cloudimg-amd64\.img/,
    );
    assert.match(
      failure.remedy.join(),
      /ubuntu-26\.04-server-cloudimg-amd64v3\.img, ubuntu-26\.04-server-cloudimg-arm64\.img/,
    );
  });

  test("of a release that is not there fails and says where to look", async () => {
    await using w = await world();
    await fails(
      w.ubuntu.image("25.10", "amd64"),
      "not-found",
      /Ubuntu 25\.10 has no cloud image: http:.*SHA256SUMS is not there/,
    );
  });

  const refusals: [UbuntuTampering, RegExp][] = [
    ["byte-changed", /does not hold/],
    ["list-truncated", /does not hold/],
    ["lines-reordered", /does not hold/],
    ["line-appended", /does not hold/],
    ["signature-of-another-list", /does not hold/],
    ["signature-by-another-key", /is signed by [0-9A-F]{16}, and only/],
    ["signature-truncated", /cut off/],
    ["signature-empty", /no signature/],
    ["signature-missing", /its signature .*SHA256SUMS\.gpg is not there/],
    ["digest-duplicated", /two digests for ubuntu-26\.04-server-cloudimg-amd64\.img/],
    ["line-malformed", /line \d+ is not a digest and a file name/],
  ];
  for (const [how, why] of refusals) {
    test(`is not taken from a list with: ${how}`, async () => {
      await using w = await world();
      w.upstreams.tamperUbuntu("26.04", how);
      const failure = await fails(w.ubuntu.image("26.04", "amd64"), "verification", why);
      assert.match(failure.message, /SHA256SUMS/);
      w.upstreams.tamperUbuntu("26.04", undefined);
      assert.ok(await w.ubuntu.image("26.04", "amd64"));
    });
  }

  test("is not taken from a list that Ubuntu's own key should have signed and did not", async () => {
    await using w = await world();
    const source = ubuntuSource(w.http, { url: w.upstreams.ubuntuUrl, now: () => today });
    await fails(
      source.image("26.04", "amd64"),
      "verification",
      /only D2EB44626FDDC30B513D5BB71A5D6C4C7DB87C81 is trusted/,
    );
  });

  test("is not taken with a keyring that is none", async () => {
    await using w = await world();
    const source = ubuntuSource(w.http, {
      url: w.upstreams.ubuntuUrl,
      keyring: Buffer.from("no key"),
      now: () => today,
    });
    await fails(source.image("26.04", "amd64"), "verification", /keyring .* no public key in it/);
  });
});

describe("a line of a list", () => {
  const digest = "a".repeat(64);
  const good = `${digest} *ubuntu-26.04-server-cloudimg-amd64.img`;
  test("is a digest, a blank and a star or a blank, and a name", () => {
    assert.equal(parseSums(`${good}\n${digest}  other\n`, "list").size, 2);
  });
  const bad = {
    "a short digest": `${"a".repeat(63)} *name`,
    capitals: `${"A".repeat(64)} *name`,
    "one blank": `${digest} name`,
    "a tab": `${digest}\t*name`,
    "a folder": `${digest} *x/name`,
    "a hidden name": `${digest} *.name`,
    "a name with a blank": `${digest} *na me`,
    "a trailing blank": `${digest} *name `,
    "a carriage return": `${digest} *name\r`,
    "BSD style": `SHA256 (name) = ${digest}`,
    "an escaped name": `\\${digest} *na\\nme`,
    nothing: "",
    "a comment": "# list",
  };
  for (const [what, text] of Object.entries(bad)) {
    test(`is not ${what}`, () =>
      assert.throws(() => parseSums(`${good}\n${text}\n${good}\n`, "list"), /line 2 is not a digest/));
  }
  test("needs its line end, also the last one", () => assert.throws(() => parseSums(good, "list"), /cut off/));
  test("may come twice, and not with another digest", () => {
    assert.equal(parseSums(`${good}\n${good}\n`, "list").size, 1);
    assert.throws(() => parseSums(`${good}\n${good.replace("a", "b")}\n`, "list"), /two digests/);
  });
  test("an empty list is none", () => assert.throws(() => parseSums("", "list"), /empty/));
});
