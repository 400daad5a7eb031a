export { readKey, type TrustedKey } from "./key.ts";
export { KeyExpired } from "./keyring.ts";
export { ubuntuFingerprint, ubuntuKeyring } from "./ubuntu.ts";
export { type Keys, type Proof, verifyClearsigned, verifyDetached } from "./verify.ts";
