import type { PublicKey } from "openpgp";
import { Failure } from "../failure/failure.ts";
import { isArmored, publicKeyBlocks, refused } from "./armor.ts";

/** A key that is the right one and whose time is over. Thrown where such a key would have to be trusted. */
export class KeyExpired extends Failure {
  readonly fingerprint: string;
  readonly expired: Date;
  constructor(subject: string, fingerprint: string, expired: Date) {
    super(
      "verification",
      `${subject}: the key ${fingerprint} expired on ${day(expired)}; an expired key is not trusted.`,
      {
        remedy: ["Wait until its owner publishes the extended key, or name a source that has it."],
      },
    );
    this.fingerprint = fingerprint;
    this.expired = expired;
  }
}

/** Reads every key of a keyring, armored (one block or several) or binary. @throws Failure "verification" */
export async function readKeyring(bytes: Uint8Array, subject: string): Promise<PublicKey[]> {
  const { readKeys } = await import("openpgp");
  try {
    if (!isArmored(bytes)) return publicOnly(await readKeys({ binaryKeys: bytes }));
    const blocks = publicKeyBlocks(Buffer.from(bytes).toString("utf8"), subject);
    return publicOnly((await Promise.all(blocks.map((armoredKeys) => readKeys({ armoredKeys })))).flat());
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refused(subject, `its keys cannot be read (${reasonOf(error)})`, [], error);
  }
}

function publicOnly(keys: readonly { toPublic(): PublicKey }[]): PublicKey[] {
  return keys.map((key) => key.toPublic());
}

/**
 * The keys that count: those with a pinned fingerprint, or all where none is pinned. Copies of one key are merged, since a
 * file may hold it with an old and with a new self-signature.
 * @throws Failure "verification" when none is there
 */
export async function pinnedKeys(
  keys: readonly PublicKey[],
  fingerprints: readonly string[] | undefined,
  now: Date,
  subject: string,
): Promise<PublicKey[]> {
  const wanted = fingerprints?.map(normalFingerprint);
  const byFingerprint = new Map<string, PublicKey>();
  for (const key of keys) {
    const fingerprint = fingerprintOf(key);
    if (wanted !== undefined && !wanted.includes(fingerprint)) continue;
    const known = byFingerprint.get(fingerprint);
    byFingerprint.set(fingerprint, known === undefined ? key : await known.update(key, now));
  }
  if (byFingerprint.size > 0) return [...byFingerprint.values()];
  const there = keys.map(fingerprintOf).join(", ") || "none";
  throw refused(
    subject,
    wanted === undefined ? "it holds no key" : `it does not hold the key ${wanted.join(" or ")}; there: ${there}`,
  );
}

/** Refuses a key that is revoked, weak or over at `now`; gives when it will be over. @throws KeyExpired; Failure "verification" */
export async function proveUsable(key: PublicKey, now: Date, subject: string): Promise<Date | undefined> {
  const fingerprint = fingerprintOf(key);
  if (await key.isRevoked(undefined, undefined, now))
    throw refused(subject, `the key ${fingerprint} has been revoked by its owner`);
  const expires = await key.getExpirationTime();
  if (expires === null) throw refused(subject, `the key ${fingerprint} has no valid signature of its own`);
  if (expires instanceof Date && expires.getTime() <= now.getTime())
    throw new KeyExpired(subject, fingerprint, expires);
  return expires instanceof Date ? expires : undefined;
}

/** As fingerprints are written: upper case, without blanks and colons. */
export function normalFingerprint(text: string): string {
  return text.replace(/[\s:]|^0x/gi, "").toUpperCase();
}

export function fingerprintOf(key: PublicKey): string {
  return key.getFingerprint().toUpperCase();
}

/** UTC, as people read it: 2026-12-29 01:33:44 UTC. */
export function day(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
