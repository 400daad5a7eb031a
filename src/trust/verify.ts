import type { PublicKey, Signature, VerifyMessageResult } from "openpgp";
import { Failure } from "../failure/failure.ts";
import { isArmored, onlyBlock, onlyClearsigned, refused } from "./armor.ts";
import { fingerprintOf, pinnedKeys, proveUsable, readKeyring, reasonOf } from "./keyring.ts";

export interface Keys {
  /** Public keys, armored or binary. */
  keyring: Uint8Array;
  /** Only these keys of the keyring count; without it, all of them. */
  fingerprints?: readonly string[];
  now: Date;
  /** What is proven, as a person knows it: an address. */
  subject: string;
}

export interface Proof {
  /** Fingerprint of the primary key that signed, upper case. */
  signer: string;
  signedAt: Date;
}

/**
 * Proves that a detached signature (RFC 9580 §10.4), armored or binary, by one of the keys is over exactly these bytes.
 * @throws Failure "verification" in every other case; KeyExpired, which is one, when the right key's time is over
 */
export async function verifyDetached(input: Keys & { data: Uint8Array; signature: Uint8Array }): Promise<Proof> {
  const { subject } = input;
  const keys = await trusted(input);
  const { createMessage, readSignature, verify } = await import("openpgp");
  const text = isArmored(input.signature)
    ? onlyBlock(Buffer.from(input.signature).toString("latin1"), "SIGNATURE", `The signature of ${subject}`)
    : undefined;
  const signature = await readable(subject, async () =>
    text === undefined
      ? await readSignature({ binarySignature: input.signature })
      : await readSignature({ armoredSignature: text }),
  );
  const message = await createMessage({ binary: input.data });
  const { signatures } = await readable(
    subject,
    async () => await verify({ message, signature, ...verification(keys, input.now), format: "binary" }),
  );
  return await proofOf(signatures, signature, keys, subject);
}

/**
 * Proves a cleartext signed message (RFC 9580 §7). `data` is the text that the signature covers: lines end in \n, trailing
 * white space and dash escapes are undone. Nothing else of the file may be read.
 * @throws as verifyDetached does
 */
export async function verifyClearsigned(input: Keys & { message: Uint8Array }): Promise<Proof & { data: string }> {
  const { subject } = input;
  const keys = await trusted(input);
  const { readCleartextMessage, verify } = await import("openpgp");
  const cleartextMessage = onlyClearsigned(new TextDecoder("utf-8").decode(input.message), subject);
  const message = await readable(subject, async () => await readCleartextMessage({ cleartextMessage }));
  const { data, signatures } = await readable(
    subject,
    async () => await verify({ message, ...verification(keys, input.now) }),
  );
  return { data, ...(await proofOf(signatures, undefined, keys, subject)) };
}

/** The pinned keys, each usable now. One whose time is over counts only if another is usable. */
async function trusted(input: Keys): Promise<PublicKey[]> {
  const subject = `The keyring for ${input.subject}`;
  const keys = await pinnedKeys(await readKeyring(input.keyring, subject), input.fingerprints, input.now, subject);
  const results = await Promise.allSettled(keys.map((key) => proveUsable(key, input.now, input.subject)));
  const usable = keys.filter((_, index) => results[index]?.status === "fulfilled");
  const refusal = results.find((result) => result.status === "rejected");
  if (usable.length === 0 && refusal !== undefined) throw refusal.reason;
  return usable;
}

function verification(keys: PublicKey[], date: Date) {
  return {
    verificationKeys: keys,
    date,
    // OBS extends a key's life with a new self-signature and drops the older ones, so that what was signed before it has no
    // self-signature of its time (facts of pkgs.k8s.io, 2024-10-20). That the key is valid now has been proven by proveUsable.
    config: { allowInsecureVerificationWithReformattedKeys: true },
  };
}

async function proofOf(
  results: VerifyMessageResult["signatures"],
  detached: Signature | undefined,
  keys: readonly PublicKey[],
  subject: string,
): Promise<Proof> {
  if (results.length === 0)
    throw refused(
      subject,
      detached === undefined || detached.packets.length === 0
        ? "there is no signature"
        : "its signature is of another kind",
    );
  let proof: Proof | undefined;
  const foreign: string[] = [];
  for (const result of results) {
    const key = keys.find((candidate) => candidate.getKeys(result.keyID).length > 0);
    if (key === undefined) {
      foreign.push(result.keyID.toHex().toUpperCase());
      continue;
    }
    try {
      await result.verified;
    } catch (error) {
      // A bad signature of a trusted key is never outweighed by a good one.
      throw refused(subject, `the signature by ${fingerprintOf(key)} does not hold (${reasonOf(error)})`, [], error);
    }
    const [packet] = (await result.signature).packets;
    if (packet?.created instanceof Date) proof ??= { signer: fingerprintOf(key), signedAt: packet.created };
  }
  if (proof !== undefined) return proof;
  throw refused(
    subject,
    `it is signed by ${foreign.join(", ") || "nobody"}, and only ${keys.map(fingerprintOf).join(" or ")} is trusted for it`,
  );
}

async function readable<T>(subject: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refused(subject, `its signature cannot be read (${reasonOf(error)})`, [], error);
  }
}
