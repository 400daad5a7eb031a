import { pinnedKeys, proveUsable, readKeyring } from "./keyring.ts";

export interface TrustedKey {
  /** This key alone, armored, whatever else the bytes held. */
  armored: string;
  /** Upper case. */
  fingerprint: string;
  /** When its time is over; undefined: never. */
  expires?: Date;
}

/**
 * Takes the key with this fingerprint, and only it, out of the bytes (armored or binary).
 * @throws Failure "verification" when it is not there, is revoked or cannot be read; KeyExpired when it is over at `now`
 */
export async function readKey(input: {
  bytes: Uint8Array;
  fingerprint: string;
  now: Date;
  subject: string;
}): Promise<TrustedKey> {
  const [key] = await pinnedKeys(
    await readKeyring(input.bytes, input.subject),
    [input.fingerprint],
    input.now,
    input.subject,
  );
  if (key === undefined) throw new TypeError("pinnedKeys gives at least one key");
  const expires = await proveUsable(key, input.now, input.subject);
  return {
    armored: key.armor(),
    fingerprint: key.getFingerprint().toUpperCase(),
    ...(expires === undefined ? {} : { expires }),
  };
}
