import key from "./ubuntu-cloud-images.asc";

/** "UEC Image Automatic Signing Key", which signs Ubuntu's cloud images (facts: every list of 2026 is signed by it). */
export const ubuntuFingerprint = "D2EB44626FDDC30B513D5BB71A5D6C4C7DB87C81";

/** Its public key with the SHA-512 self-signature of 2025-08-28; the older copies have a SHA-1 one. */
export const ubuntuKeyring: Uint8Array = Buffer.from(key, "latin1");
