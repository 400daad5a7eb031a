import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ubuntuFingerprint, ubuntuKeyring, verifyDetached } from "../../../src/trust/index.ts";
import { signDetached, testKey } from "../../stand-in/upstreams/keys.ts";
import { fixture, isRefused, now, realLists } from "./fixtures.ts";

const subject = "SHA256SUMS";
const ubuntu = { keyring: ubuntuKeyring, fingerprints: [ubuntuFingerprint], now, subject };

for (const { name, signedAt } of realLists) {
  const data = fixture(`${name}.SHA256SUMS`);
  const signature = fixture(`${name}.SHA256SUMS.gpg`);
  const text = Buffer.from(data).toString("latin1");
  const lines = text.trimEnd().split("\n");

  describe(`the real list ${name}`, () => {
    test("verifies with the embedded key", async () => {
      const proof = await verifyDetached({ ...ubuntu, data, signature });
      assert.deepEqual(proof, { signer: ubuntuFingerprint, signedAt: new Date(signedAt) });
    });

    test("verifies with Debian's binary keyring of two keys, of which the pinned one signed", async () => {
      const proof = await verifyDetached({
        ...ubuntu,
        keyring: fixture("ubuntu-cloudimage-keyring.gpg"),
        data,
        signature,
      });
      assert.equal(proof.signer, ubuntuFingerprint);
    });

    const changed: Record<string, string> = {
      "with one byte changed": `${text[0] === "0" ? "1" : "0"}${text.slice(1)}`,
      "with its last byte cut off": text.slice(0, -1),
      "cut in half": text.slice(0, text.length / 2),
      "with two lines in another order": `${[lines[1], lines[0], ...lines.slice(2)].join("\n")}\n`,
      "with a line appended": `${text}${"0".repeat(64)} *ubuntu-26.04-server-cloudimg-amd64.img\n`,
      "with an empty line appended": `${text}\n`,
      "with carriage returns": text.replaceAll("\n", "\r\n"),
      "that is empty": "",
    };
    for (const [how, bytes] of Object.entries(changed)) {
      test(`is refused ${how}`, async () => {
        await isRefused(verifyDetached({ ...ubuntu, data: Buffer.from(bytes, "latin1"), signature }), /does not hold/);
      });
    }

    test("is refused with the signature of another list", async () => {
      const other = realLists.find((list) => list.name !== name)?.name ?? "";
      await isRefused(
        verifyDetached({ ...ubuntu, data, signature: fixture(`${other}.SHA256SUMS.gpg`) }),
        /does not hold/,
      );
    });

    test("is refused when only another key is trusted", async () => {
      const key = await testKey("Ubuntu");
      const keyring = Buffer.from(key.publicKey);
      await isRefused(
        verifyDetached({ keyring, now, subject, data, signature }),
        /is signed by 1A5D6C4C7DB87C81, and only/,
      );
    });

    test("is refused when the pinned key is not in the keyring", async () => {
      const keyring = fixture("kubernetes-release-2026.asc");
      await isRefused(
        verifyDetached({ ...ubuntu, keyring, data, signature }),
        /does not hold the key D2EB44626FDDC30B513D5BB71A5D6C4C7DB87C81; there: DE15B/,
      );
    });

    test("is refused when it was signed after now", async () => {
      const before = new Date(new Date(signedAt).getTime() - 1000);
      await isRefused(verifyDetached({ ...ubuntu, now: before, data, signature }), /does not hold/);
    });
  });
}

describe("a detached signature", () => {
  const data = fixture("resolute-20260731.SHA256SUMS");
  const armored = Buffer.from(fixture("resolute-20260731.SHA256SUMS.gpg")).toString("latin1");
  const bad: Record<string, [string, RegExp]> = {
    empty: ["", /no signature in it/],
    "of white space": ["\n\n", /no signature in it/],
    "a web page": ["<html><body>not found</body></html>", /no signature in it/],
    "cut off": [armored.slice(0, 400), /cut off/],
    "without its last line": [armored.replace(/-----END[^\n]*\n/, ""), /cut off/],
    "followed by something": [`${armored}\nmore`, /cut off/],
    "twice in the file": [`${armored}${armored}`, /more than one/],
    "of no bytes": [
      "-----BEGIN PGP SIGNATURE-----\n\n=twTO\n-----END PGP SIGNATURE-----\n",
      /cannot be read|no signature/,
    ],
    "with a byte changed": [armored.replace("AmpyT5YA", "AmpyT5YB"), /does not hold|cannot be read/],
  };
  for (const [what, [signature, why]] of Object.entries(bad)) {
    test(`is refused when it is ${what}`, async () => {
      await isRefused(verifyDetached({ ...ubuntu, data, signature: Buffer.from(signature, "latin1") }), why);
    });
  }

  test("is refused when a key block stands where the signature should", async () => {
    await isRefused(verifyDetached({ ...ubuntu, data, signature: ubuntuKeyring }), /cut off|more than one/);
  });
});

describe("signatures that gpg made", () => {
  const data = fixture("gpg-text");
  const gpg = { data, now, subject, keyring: fixture("gpg-two-keys.asc") };
  const first = "83E334B6AF83F1A7745C9074BEE69102007E6C99";
  const second = "9A277B7D75155AB27DEE09C1C769BE8FABB9EDD8";

  test("hold armored and binary, with an armored and a binary keyring", async () => {
    for (const keyring of [gpg.keyring, fixture("gpg-two-keys.gpg")]) {
      for (const name of ["gpg-text.sha512.asc", "gpg-text.binary.sig"]) {
        const proof = await verifyDetached({ ...gpg, keyring, signature: fixture(name), fingerprints: [first] });
        assert.equal(proof.signer, first);
      }
    }
  });

  test("with SHA-1 are refused as too weak", async () => {
    await isRefused(
      verifyDetached({ ...gpg, signature: fixture("gpg-text.sha1.asc") }),
      /Insecure message hash algorithm: SHA1/,
    );
  });

  test("by a key of the keyring that is not pinned are refused", async () => {
    await isRefused(
      verifyDetached({ ...gpg, signature: fixture("gpg-text.sha512.asc"), fingerprints: [second] }),
      /signed by BEE69102007E6C99, and only 9A277B/,
    );
  });

  test("by two signers hold when one of them is pinned, and not over other bytes", async () => {
    const signature = fixture("gpg-text.two-signers.asc");
    assert.equal((await verifyDetached({ ...gpg, signature, fingerprints: [second] })).signer, second);
    await isRefused(
      verifyDetached({ ...gpg, data: Buffer.from("other"), signature, fingerprints: [second] }),
      /does not hold/,
    );
  });

  test("a cut binary signature is refused", async () => {
    const signature = fixture("gpg-text.binary.sig").subarray(0, 100);
    await isRefused(verifyDetached({ ...gpg, signature }), /cannot be read|no signature|does not hold/);
  });
});

test("one bad signature by a trusted key is not outweighed by a good one by another", async () => {
  const [good, bad] = await Promise.all([testKey("Ubuntu"), testKey("Somebody Else")]);
  const data = Buffer.from("list\n");
  const signedAt = new Date("2026-12-01T00:00:00Z");
  const body = (armored: string): Buffer => {
    const lines = armored.split("\n").slice(2);
    return Buffer.from(
      lines
        .slice(
          0,
          lines.findIndex((line) => line.startsWith("=") || line.startsWith("-----")),
        )
        .join(""),
      "base64",
    );
  };
  const signature = Buffer.concat([
    body(await signDetached(good, data, signedAt)),
    body(await signDetached(bad, Buffer.from("other"), signedAt)),
  ]);
  const keyring = Buffer.from(`${good.publicKey}\n${bad.publicKey}`);
  await isRefused(verifyDetached({ data, signature, keyring, now, subject }), /does not hold/);
  const proof = await verifyDetached({ data, signature, keyring, fingerprints: [good.fingerprint], now, subject });
  assert.equal(proof.signer, good.fingerprint);
});
