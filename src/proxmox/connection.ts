import { Failure } from "../failure/failure.ts";
import type { Authentication } from "./authentication.ts";

export interface Connection {
  /** Scheme, host and port, without a path. */
  origin: string;
  authentication: Authentication;
  /** PEM certificates to trust instead of the system's. */
  ca?: string | undefined;
  /** SHA-256 of the server's certificate as 64 lower-case hex digits; replaces the check against authorities. */
  fingerprint?: string | undefined;
  /** No check of the server's certificate at all. */
  insecure: boolean;
}

export interface ConnectionInput {
  url?: string | undefined;
  token?: string | undefined;
  /** In place of a token. */
  session?: { user: string; password: string } | undefined;
  ca?: string | undefined;
  fingerprint?: string | undefined;
  insecure: boolean;
}

/** How the option is called where the person gave it, e.g. `--proxmox-url` or `proxmox-url`. */
export type NameOption = (option: "url" | "token" | "ca" | "fingerprint") => string;

/**
 * Checks what a person gave for reaching Proxmox VE.
 * @throws Failure `usage`; never with the token's secret in it.
 */
export function parseConnection(input: ConnectionInput, name: NameOption): Connection {
  if (!input.url)
    throw new Failure("usage", `No Proxmox VE address: ${name("url")} is empty, such as https://pve.example.org:8006`);
  if (!input.token && !input.session)
    throw new Failure("usage", `No Proxmox VE API token: ${name("token")} is empty, such as root@pam!kubehenge=UUID`);
  return {
    origin: parseOrigin(input.url, name("url")),
    authentication: input.session
      ? parseSession(input.session)
      : { kind: "token", token: parseToken(input.token ?? "", name("token")) },
    ca: input.ca === undefined || input.ca === "" ? undefined : parseCa(input.ca, name("ca")),
    fingerprint: input.fingerprint ? parseFingerprint(input.fingerprint, name("fingerprint")) : undefined,
    insecure: input.insecure,
  };
}

function parseOrigin(text: string, option: string): string {
  const withScheme = text.includes("://") ? text : `https://${text}`;
  if (!URL.canParse(withScheme)) throw new Failure("usage", `${option} is not an address: ${JSON.stringify(text)}`);
  const url = new URL(withScheme);
  if (url.username || url.password)
    throw new Failure("usage", `${option} carries a user name or password; leave them out, the token is enough`);
  if (url.protocol !== "https:")
    throw new Failure("usage", `${option} is ${url.protocol}//…; the Proxmox VE API is served over https only`);
  if (!/^\/(api2(\/json)?\/?)?$/.test(url.pathname) || url.search || url.hash) {
    throw new Failure(
      "usage",
      `${option} has a path (${url.pathname}${url.search}${url.hash}); give only https://HOST:PORT`,
    );
  }
  // 8006 is pveproxy's port; `https://host:443` is kept since a reverse proxy was meant then.
  const explicitPort = /:\d+\/?(api2.*)?$/.exec(text);
  return url.port || explicitPort ? `https://${url.hostname}:${url.port || "443"}` : `https://${url.hostname}:8006`;
}

function parseToken(text: string, option: string): string {
  const token = text.trim().replace(/^PVEAPIToken=/, "");
  if (!/^[^\s!=:]+@[A-Za-z][A-Za-z0-9.\-_]*![A-Za-z][A-Za-z0-9.\-_]*=[^\s=]+$/.test(token)) {
    throw new Failure(
      "usage",
      `${option} does not look like a Proxmox VE API token: USER@REALM!TOKENID=SECRET is wanted`,
    );
  }
  return token;
}

function parseSession({ user, password }: { user: string; password: string }): Authentication {
  if (!/^[^\s!=:/]+@[A-Za-z][A-Za-z0-9.\-_]*$/.test(user))
    throw new Failure(
      "usage",
      `${JSON.stringify(user)} is not a user of Proxmox VE: USER@REALM is wanted, such as root@pam`,
    );
  return { kind: "session", user, password };
}

function parseCa(text: string, option: string): string {
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new Failure("usage", `${option} holds no PEM certificate (-----BEGIN CERTIFICATE-----)`, {
      remedy: ["on a Proxmox VE node the cluster's own authority is /etc/pve/pve-root-ca.pem"],
    });
  }
  return text;
}

function parseFingerprint(text: string, option: string): string {
  const hex = text
    .trim()
    .replace(/^sha-?256[:=]/i, "")
    .replaceAll(":", "")
    .toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    throw new Failure(
      "usage",
      `${option} is not a SHA-256 fingerprint (64 hex digits, colons allowed): ${JSON.stringify(text)}`,
      {
        remedy: ["`pvenode cert info` on the node shows it, and so does Node > Certificates in the web interface"],
      },
    );
  }
  return hex;
}

/** Hex digits in pairs with colons, as Proxmox VE shows fingerprints. */
export function colonHex(hex: string): string {
  return (hex.match(/../g) ?? []).join(":").toUpperCase();
}
