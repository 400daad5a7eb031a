import {
  createCleartextMessage,
  createMessage,
  generateKey,
  type PrivateKey,
  readPrivateKey,
  reformatKey,
  sign,
} from "openpgp";

/** A throwaway signing key: it lives in the memory of one process and signs nothing but what a test serves. */
export interface TestKey {
  key: PrivateKey;
  name: string;
  /** Armored. */
  publicKey: string;
  /** Upper case. */
  fingerprint: string;
}

const created = new Date("2020-01-01T00:00:00Z");
const made = new Map<string, Promise<TestKey>>();

/** The test key of that name; made when it is first asked for. The name says in the key's own user ID that it is no real one. */
export function testKey(name: string): Promise<TestKey> {
  const known = made.get(name) ?? make(name);
  made.set(name, known);
  return known;
}

async function make(name: string): Promise<TestKey> {
  const { privateKey } = await generateKey({
    type: "ecc",
    curve: "ed25519Legacy",
    userIDs: [{ name: `${name} TEST KEY of a stand-in`, email: "nobody@example.org" }],
    date: created,
    format: "object",
  });
  return {
    key: privateKey,
    name,
    publicKey: privateKey.toPublic().armor(),
    fingerprint: privateKey.getFingerprint().toUpperCase(),
  };
}

/** The same key with another end of its life, as an owner extends it: fingerprint unchanged, a new self-signature. */
export function withExpiry(key: TestKey, expires: Date, signedAt: Date): Promise<TestKey> {
  const state = `${key.fingerprint} ${expires.getTime()} ${signedAt.getTime()}`;
  const known = made.get(state) ?? extend(key, expires, signedAt);
  made.set(state, known);
  return known;
}

async function extend(key: TestKey, expires: Date, signedAt: Date): Promise<TestKey> {
  const { privateKey } = await reformatKey({
    // A copy: the library changes the key that it is given.
    privateKey: await readPrivateKey({ armoredKey: key.key.armor() }),
    userIDs: [{ name: `${key.name} TEST KEY of a stand-in`, email: "nobody@example.org" }],
    keyExpirationTime: Math.round((expires.getTime() - created.getTime()) / 1000),
    date: signedAt,
    format: "object",
  });
  return { ...key, key: privateKey, publicKey: privateKey.toPublic().armor() };
}

/** An armored detached signature over the bytes. */
export async function signDetached(key: TestKey, data: Uint8Array, date: Date): Promise<string> {
  return await sign({
    message: await createMessage({ binary: data }),
    signingKeys: key.key,
    detached: true,
    date,
    format: "armored",
  });
}

/** The text as a cleartext signed message. */
export async function signClear(key: TestKey, text: string, date: Date): Promise<string> {
  const signed = await sign({ message: await createCleartextMessage({ text }), signingKeys: key.key, date });
  // The library writes the text with carriage returns; repositories do not.
  return signed.replaceAll("\r\n", "\n");
}
