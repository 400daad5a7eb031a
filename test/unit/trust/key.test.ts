import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readKey as parseKey, revokeKey } from "openpgp";
import { KeyExpired, readKey, ubuntuFingerprint, ubuntuKeyring, verifyClearsigned } from "../../../src/trust/index.ts";
import { signClear, testKey, withExpiry } from "../../stand-in/upstreams/keys.ts";
import { fixture, isRefused, now } from "./fixtures.ts";

const kubernetes = "DE15B14486CD377B9E876E1A234654DA9A296436";
const subject = "Release.key";

describe("the real key of pkgs.k8s.io", () => {
  const bytes = fixture("kubernetes-release-2026.asc");

  test("is read with its end", async () => {
    const key = await readKey({ bytes, fingerprint: kubernetes, now, subject });
    assert.equal(key.fingerprint, kubernetes);
    assert.deepEqual(key.expires, new Date("2026-12-29T01:33:44Z"));
    assert.match(key.armored, /^-----BEGIN PGP PUBLIC KEY BLOCK-----\n/);
  });

  test("is taken until the second before its end, and not from then on", async () => {
    await readKey({ bytes, fingerprint: kubernetes, now: new Date("2026-12-29T01:33:43Z"), subject });
    const late = readKey({ bytes, fingerprint: kubernetes, now: new Date("2026-12-29T01:33:44Z"), subject });
    await assert.rejects(
      late,
      (error) =>
        error instanceof KeyExpired &&
        error.kind === "verification" &&
        /expired on 2026-12-29 01:33:44 UTC/.test(error.message),
    );
  });

  test("is found by a fingerprint with blanks and small letters", async () => {
    const key = await readKey({
      bytes,
      fingerprint: "de15 b144 86cd 377b 9e87 6e1a 2346 54da 9a29 6436",
      now,
      subject,
    });
    assert.equal(key.fingerprint, kubernetes);
  });

  test("is refused under another fingerprint, also one that only ends alike", async () => {
    for (const fingerprint of [ubuntuFingerprint, "9A296436", kubernetes.slice(-16), ""]) {
      await isRefused(readKey({ bytes, fingerprint, now, subject }), /does not hold the key/);
    }
  });

  test("is refused when its file is cut off, empty or a page", async () => {
    const text = Buffer.from(bytes).toString("latin1");
    for (const [broken, why] of [
      [text.slice(0, 600), /cut off/],
      ["", /no public key/],
      ["<html></html>", /no public key/],
    ] as const) {
      await isRefused(readKey({ bytes: Buffer.from(broken), fingerprint: kubernetes, now, subject }), why);
    }
    await isRefused(
      readKey({ bytes: Buffer.from([0x99, 0x01, 0x00]), fingerprint: kubernetes, now, subject }),
      /cannot be read|does not hold/,
    );
  });
});

test("of several keys only the pinned one comes out", async () => {
  const other = await testKey("Somebody Else");
  const bytes = Buffer.from(`${other.publicKey}\n${Buffer.from(ubuntuKeyring).toString("latin1")}`);
  const key = await readKey({ bytes, fingerprint: ubuntuFingerprint, now, subject });
  const parsed = await parseKey({ armoredKey: key.armored });
  assert.equal(parsed.getFingerprint().toUpperCase(), ubuntuFingerprint);
  assert.equal((key.armored.match(/BEGIN/g) ?? []).length, 1);
  assert.equal(key.expires, undefined);
});

test("a key that its owner has revoked is refused", async () => {
  const { key } = await testKey("Revoked");
  const revoked = await revokeKey({ key, format: "object", date: new Date("2024-01-01T00:00:00Z") });
  const bytes = Buffer.from(revoked.publicKey.armor());
  await isRefused(readKey({ bytes, fingerprint: key.getFingerprint(), now, subject }), /revoked/);
});

test("an old and an extended copy of one key count as the extended one", async () => {
  const plain = await testKey("Kubernetes");
  const old = await withExpiry(plain, new Date("2024-11-02T00:00:00Z"), new Date("2023-01-01T00:00:00Z"));
  const extended = await withExpiry(plain, new Date("2028-01-01T00:00:00Z"), new Date("2024-10-20T00:00:00Z"));
  assert.equal(old.fingerprint, extended.fingerprint);
  const bytes = Buffer.from(`${old.publicKey}\n${extended.publicKey}`);
  const key = await readKey({ bytes, fingerprint: plain.fingerprint, now, subject });
  assert.deepEqual(key.expires, new Date("2028-01-01T00:00:00Z"));
});

test("what was signed before a key was extended still holds, as with gpg", async () => {
  const plain = await testKey("Kubernetes");
  const extended = await withExpiry(plain, new Date("2028-01-01T00:00:00Z"), new Date("2026-12-01T00:00:00Z"));
  const message = Buffer.from(await signClear(plain, "text\n", new Date("2026-06-01T00:00:00Z")));
  const trust = { keyring: Buffer.from(extended.publicKey), fingerprints: [plain.fingerprint], subject };
  assert.equal((await verifyClearsigned({ ...trust, message, now })).signer, plain.fingerprint);
  await assert.rejects(verifyClearsigned({ ...trust, message, now: new Date("2028-02-01T00:00:00Z") }), KeyExpired);
});
