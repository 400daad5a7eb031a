import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface ServerCertificate {
  /** PEM. */
  key: string;
  /** PEM. */
  certificate: string;
  /** SHA-256 over the DER bytes as `AA:BB:…`, the form Proxmox VE shows. */
  fingerprint: string;
}

/** One DER element (ITU-T X.690): tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...bytes), content]);
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const integer = (value: Uint8Array) => der(0x02, value);
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));
const commonName = (name: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name, "utf8")))));

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const SUBJECT_ALT_NAME = oid("551d11");
const BASIC_CONSTRAINTS = oid("551d13");

/**
 * Makes a throwaway self-signed certificate (RFC 5280) for 127.0.0.1 and localhost, valid from yesterday for ten
 * years, so that no private key lies in the repository and no openssl is needed.
 */
export function makeCertificate(): ServerCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = commonName("127.0.0.1");
  const day = 24 * 60 * 60 * 1000;
  const alternativeNames = sequence(der(0x87, Buffer.of(127, 0, 0, 1)), der(0x82, Buffer.from("localhost")));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, der(0x01, Buffer.of(0xff)), der(0x04, sequence(der(0x01, Buffer.of(0xff))))),
    sequence(SUBJECT_ALT_NAME, der(0x04, alternativeNames)),
  );
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.of(2))),
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_SHA256,
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 3650 * day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", toBeSigned, privateKey);
  const bytes = sequence(toBeSigned, ECDSA_SHA256, der(0x03, Buffer.of(0), signature));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`,
    fingerprint: (createHash("sha256").update(bytes).digest("hex").toUpperCase().match(/../g) ?? []).join(":"),
  };
}
