import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import { verifyClearsigned } from "../../../src/trust/index.ts";
import { signClear, testKey } from "../../stand-in/upstreams/keys.ts";
import { fixture, isRefused, now } from "./fixtures.ts";

const subject = "InRelease";
const signedAt = new Date("2026-12-01T00:00:00Z");
const key = await testKey("Kubernetes");
const other = await testKey("Somebody Else");
const trust = { keyring: Buffer.from(key.publicKey), fingerprints: [key.fingerprint], now, subject };
const text = `Codename: deb\nSHA256:\n ${"a".repeat(64)} 12 Packages\n- a dash\n`;
const good = await signClear(key, text, signedAt);

test("a cleartext signed message gives exactly the signed text, dashes unescaped", async () => {
  const proof = await verifyClearsigned({ ...trust, message: Buffer.from(good) });
  assert.deepEqual(proof, { data: text, signer: key.fingerprint, signedAt });
});

test("a message that gpg signed gives the text without the white space that no signature covers", async () => {
  const proof = await verifyClearsigned({
    keyring: fixture("gpg-two-keys.asc"),
    now,
    subject,
    message: fixture("gpg-text.clearsigned"),
  });
  assert.equal(proof.data, "first line\n- dashed line\ntrailing blanks\n\nlast line");
  assert.equal(proof.signer, "83E334B6AF83F1A7745C9074BEE69102007E6C99");
});

test("carriage returns on the way do not break it", async () => {
  const proof = await verifyClearsigned({ ...trust, message: Buffer.from(good.replaceAll(/\r?\n/g, "\r\n")) });
  assert.equal(proof.data, text);
});

describe("a cleartext signed message is refused", () => {
  const bad: Record<string, [string, RegExp]> = {
    "with a byte changed": [good.replace("Codename: deb", "Codename: dev"), /does not hold/],
    "with a line taken out": [good.replace("Codename: deb\n", ""), /does not hold/],
    "with a line put in": [good.replace("SHA256:\n", `SHA256:\n ${"b".repeat(64)} 12 Packages\n`), /does not hold/],
    "with text after it": [`${good}\nSHA256:\n`, /before or after/],
    "with text before it": [`Suite: x\n${good}`, /before or after/],
    twice: [`${good}${good}`, /before or after|not escaped|cannot be read/],
    "with an armor header that is no Hash": [
      good.replace(/Hash: SHA512\r?\n/, "Hash: SHA512\nSHA256: faked\n"),
      /before or after/,
    ],
    "with a header hidden before the text": [
      good.replace(/Hash: SHA512\r?\n/, "Suite: x\nHash: SHA512\n"),
      /before or after/,
    ],
    "cut off": [good.slice(0, -60), /cut off/],
    "cut in the text": [good.slice(0, 90), /cut off/],
    "without its signature": [good.slice(0, good.indexOf("-----BEGIN PGP SIGNATURE")), /cut off/],
    "when it is plain text": [text, /is not signed/],
    "when it is empty": ["", /is not signed/],
    "when a dash is not escaped": [good.replace("- - a dash", "- a dash\n--- b"), /not escaped/],
  };
  for (const [how, [message, why]] of Object.entries(bad)) {
    test(how, async () => {
      assert.notEqual(message, good);
      await isRefused(verifyClearsigned({ ...trust, message: Buffer.from(message) }), why);
    });
  }

  test("by another key", async () => {
    const message = Buffer.from(await signClear(other, text, signedAt));
    await isRefused(verifyClearsigned({ ...trust, message }), /and only/);
  });

  test("signed after now", async () => {
    const message = Buffer.from(await signClear(key, text, new Date(now.getTime() + 60_000)));
    await isRefused(verifyClearsigned({ ...trust, message }), /future/);
  });
});
