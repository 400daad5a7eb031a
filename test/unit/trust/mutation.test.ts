import * as assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Failure } from "../../../src/failure/failure.ts";
import { ubuntuFingerprint, ubuntuKeyring, verifyClearsigned, verifyDetached } from "../../../src/trust/index.ts";
import { signClear, testKey } from "../../stand-in/upstreams/keys.ts";
import { fixture, now } from "./fixtures.ts";

const subject = "list";

/** The bytes with one of them changed, put in or taken out. */
const change = (bytes: Uint8Array): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.constantFrom("change", "insert", "remove"))
    .map(([at, by, how]) => {
      if (how === "remove") return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
      if (how === "insert") return Buffer.concat([bytes.subarray(0, at), Buffer.of(by), bytes.subarray(at)]);
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ by;
      return changed;
    });

test("a list of which any byte is changed, put in or taken out is refused", async () => {
  const signature = fixture("resolute-20260731.SHA256SUMS.gpg");
  const real = fixture("resolute-20260731.SHA256SUMS");
  await fc.assert(
    fc.asyncProperty(change(real), async (data) => {
      fc.pre(!Buffer.from(data).equals(real));
      await assert.rejects(
        verifyDetached({ data, signature, keyring: ubuntuKeyring, fingerprints: [ubuntuFingerprint], now, subject }),
        Failure,
      );
    }),
    { numRuns: 30 },
  );
});

test("whatever is done to a byte of a signature, it proves the same bytes by the same key or nothing", async () => {
  const data = fixture("resolute-20260731.SHA256SUMS");
  await fc.assert(
    fc.asyncProperty(change(fixture("resolute-20260731.SHA256SUMS.gpg")), async (signature) => {
      const proof = await verifyDetached({
        data,
        signature,
        keyring: ubuntuKeyring,
        fingerprints: [ubuntuFingerprint],
        now,
        subject,
      }).catch((error: unknown) => error);
      if (!(proof instanceof Failure))
        assert.deepEqual(proof, { signer: ubuntuFingerprint, signedAt: new Date("2026-08-04T20:46:14Z") });
    }),
    { numRuns: 60 },
  );
});

test("whatever is done to a byte of a cleartext signed message, it gives the signed text or nothing", async () => {
  const key = await testKey("Kubernetes");
  const text = `Codename: deb\nSHA256:\n ${"a".repeat(64)} 12 Packages\n`;
  const message = Buffer.from(await signClear(key, text, new Date("2026-12-01T00:00:00Z")));
  const keyring = Buffer.from(key.publicKey);
  await fc.assert(
    fc.asyncProperty(change(message), async (changed) => {
      const proof = await verifyClearsigned({ message: changed, keyring, now, subject }).catch(
        (error: unknown) => error,
      );
      if (!(proof instanceof Failure)) assert.equal((proof as { data: string }).data, text);
    }),
    { numRuns: 80 },
  );
});
