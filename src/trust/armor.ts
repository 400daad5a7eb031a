import { Failure } from "../failure/failure.ts";

const armorStart = "-----BEGIN PGP ";

/** Whether the bytes are ASCII armor (RFC 9580 §6) rather than binary packets, whose first bit is always set. */
export function isArmored(bytes: Uint8Array): boolean {
  return bytes.length === 0 || ((bytes[0] ?? 0) & 0x80) === 0;
}

/**
 * The one armored block of that kind which the text is made of; nothing but white space may stand around it.
 * The OpenPGP library looks for a block anywhere and does not miss a lost tail, hence this.
 * @throws Failure "verification"
 */
export function onlyBlock(text: string, kind: "SIGNATURE", subject: string): string {
  const blocks = text.split(armorStart).length - 1;
  if (blocks === 0) throw refused(subject, "there is no signature in it");
  const whole = new RegExp(
    `^\\s*(${armorStart}${kind}-----\\r?\\n(?:(?!-----)[^\\n]*\\n)+-----END PGP ${kind}-----)\\s*$`,
  ).exec(text)?.[1];
  if (blocks > 1 || whole === undefined)
    throw refused(subject, "it is cut off, or more than one signature block is in it");
  return whole;
}

/** Every armored public key block of a keyring file. @throws Failure "verification" when one is cut off. */
export function publicKeyBlocks(text: string, subject: string): string[] {
  const begun = text.split(`${armorStart}PUBLIC KEY BLOCK-----`).length - 1;
  const blocks =
    text.match(/-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n(?:(?!-----)[^\n]*\n)+-----END PGP PUBLIC KEY BLOCK-----/g) ??
    [];
  if (begun === 0) throw refused(subject, "there is no public key in it");
  if (blocks.length !== begun) throw refused(subject, "a key block in it is cut off");
  return blocks;
}

/**
 * Holds the frame of a cleartext signed message (RFC 9580 §7) to exactly one message: its head, `Hash:` lines only, the text,
 * one signature, and nothing before or after. What stands outside the frame is not signed and must not be read by anybody.
 * @throws Failure "verification"
 */
export function onlyClearsigned(text: string, subject: string): string {
  const frame =
    /^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:Hash: [A-Za-z0-9, -]+\r?\n)*\r?\n([\s\S]*?)\n(-----BEGIN PGP SIGNATURE-----\r?\n(?:(?!-----)[^\n]*\n)+-----END PGP SIGNATURE-----)\s*$/;
  const signed = frame.exec(text);
  if (signed === null) {
    throw refused(
      subject,
      text.includes(`${armorStart}SIGNED MESSAGE-----`)
        ? "something stands before or after the signed text, or it is cut off"
        : "it is not signed",
    );
  }
  // Inside the text every line that starts with a dash is escaped as "- -"; one that is not would end the text early.
  if (/^-(?! )/m.test(signed[1] ?? "")) throw refused(subject, "a line in it is not escaped as a signed message asks");
  return text.trim();
}

/** The failure of a proof; what was to be proven, and why it is not. */
export function refused(subject: string, why: string, remedy: readonly string[] = [], cause?: unknown): Failure {
  return new Failure("verification", `${subject} is not accepted: ${why}.`, {
    remedy: [
      ...remedy,
      "Nothing was taken from it. If it comes from a mirror or through a proxy, compare it with the original; otherwise try again later.",
    ],
    cause,
  });
}
