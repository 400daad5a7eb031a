import { readFileSync } from "node:fs";
import { getInput, setSecret } from "@actions/core";
import { parseUpstreams, type Upstreams } from "../distributions/upstreams.ts";
import { Failure } from "../failure/failure.ts";
import { parseConnection, type Connection } from "../proxmox/connection.ts";
import { requestDefaults } from "../templates/request-defaults.ts";
import type { RawInputs } from "../templates/request-inputs.ts";

/** What action.yml says in its `default`s; an empty input means the same, since `${{ inputs.x }}` gives '' on a schedule. */
export const inputDefaults: Record<string, string> = {
  command: "create",
  ...requestDefaults,
  "proxmox-insecure": "false",
};

/** All inputs but those that say how Proxmox VE and GitHub are reached, and the command. */
export const requestInputs = [
  "distribution",
  "versions",
  "ubuntu-release",
  "node",
  "storage",
  "pool",
  "import-storage",
  "iso-storage",
  "bridge",
  "vlan",
  "build-address",
  "build-gateway",
  "build-dns",
  "disk-size",
  "timeout",
  "parallel",
  "keep-on-failure",
  "dry-run",
  "refresh",
  "max-age",
  "smoke-test",
  "keep",
  "keep-versions",
  "force",
  "per-node",
  "pin",
  "protect",
  "lock-file",
  "lock",
  "sbom-directory",
  "build",
  "ubuntu-url",
  "ubuntu-keyring",
  "talos-factory-url",
  "kubernetes-packages-url",
  "kubernetes-releases-url",
  "kubernetes-key-fingerprint",
  "image-repository",
  "apt-mirror",
] as const;

export const commands = ["create", "list", "delete", "sweep", "plan", "verify", "rollback", "prune"] as const;
export type Command = (typeof commands)[number];

export interface Inputs {
  command: Command;
  raw: RawInputs;
  connection: Connection;
  upstreams: Upstreams;
}

/** Input names stand for themselves in messages. */
export const nameInput = (input: string): string => `input ${input}`;

/** @throws Failure `usage` */
export function readInputs(environment: NodeJS.ProcessEnv): Inputs {
  const connection = readConnection();
  const raw: RawInputs = Object.fromEntries(requestInputs.map((name) => [name, getInput(name)]));
  return { command: readCommand(), raw, connection, upstreams: readUpstreams(raw, environment) };
}

/** Reads how Proxmox VE is reached, and masks the token first of all. */
export function readConnection(): Connection {
  const token = getInput("proxmox-token");
  maskToken(token);
  return parseConnection(
    {
      url: getInput("proxmox-url"),
      token,
      ca: getInput("proxmox-ca-certificate"),
      fingerprint: getInput("proxmox-fingerprint"),
      insecure: readFlag("proxmox-insecure"),
    },
    (option) =>
      nameInput(
        {
          url: "proxmox-url",
          token: "proxmox-token",
          ca: "proxmox-ca-certificate",
          fingerprint: "proxmox-fingerprint",
        }[option],
      ),
  );
}

/** The whole token and its secret; nothing shorter than six characters, which would blot out harmless text. */
function maskToken(token: string): void {
  for (const secret of [token, token.slice(token.indexOf("=") + 1)]) if (secret.length >= 6) setSecret(secret);
}

function readCommand(): Command {
  const text = getInput("command") || inputDefaults["command"];
  const command = commands.find((one) => one === text);
  if (!command)
    throw new Failure("usage", `${nameInput("command")} is one of ${commands.join(", ")}, not ${JSON.stringify(text)}`);
  return command;
}

function readFlag(name: string): boolean {
  const text = (getInput(name) || "false").toLowerCase();
  if (text !== "true" && text !== "false")
    throw new Failure("usage", `${nameInput(name)} wants true or false, not ${JSON.stringify(text)}`);
  return text === "true";
}

function readUpstreams(raw: RawInputs, environment: NodeJS.ProcessEnv): Upstreams {
  const token = getInput("github-token");
  if (token.length >= 6) setSecret(token);
  return {
    ...parseUpstreams(raw, nameInput),
    ubuntuKeyring: raw["ubuntu-keyring"] ? readKeyring(raw["ubuntu-keyring"]) : undefined,
    githubApiUrl: environment["GITHUB_API_URL"],
    githubToken: token || undefined,
  };
}

function readKeyring(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Failure("usage", `${nameInput("ubuntu-keyring")}: ${(error as Error).message}`, {
      remedy: ["check the repository out first (actions/checkout) if the file lies in it"],
      cause: error,
    });
  }
}
