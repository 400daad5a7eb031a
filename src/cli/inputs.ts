import { readFileSync } from "node:fs";
import type { DistributionName } from "../distributions/target.ts";
import { parseUpstreams, type Upstreams } from "../distributions/upstreams.ts";
import { Failure } from "../failure/failure.ts";
import { parseConnection, type Connection } from "../proxmox/connection.ts";
import type { RawInputs } from "../templates/request-inputs.ts";
import { readPassword } from "./password.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Options as commander hands them over, camel-cased. */
export type Options = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const versionOptions: Record<DistributionName, string> = {
  talos: "talosVersion",
  kubeadm: "kubernetesVersion",
  rke2: "ubuntuRelease",
  k3s: "ubuntuRelease",
};

/** Names of the request's inputs as this command calls them. */
export function nameOption(input: string): string {
  return input === "versions" ? "the version" : input === "distribution" ? "the distribution" : `--${input}`;
}

/** What the options say, by the names of the Action's inputs. @throws Failure `usage` for a version option of another distribution */
export function rawInputs(distribution: string | undefined, options: Options): RawInputs {
  const raw: Record<string, string | undefined> = { distribution };
  for (const [name, value] of Object.entries(options)) {
    const input = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    raw[input] = Array.isArray(value) ? value.join("\n") : value === undefined ? undefined : String(value);
  }
  const own = versionOptions[distribution as DistributionName];
  for (const other of ["talosVersion", "kubernetesVersion"]) {
    if (own === undefined || own === other || options[other] === undefined) continue;
    const flag = `--${other.replace("V", "-v")}`;
    throw new Failure("usage", `${flag} says nothing about a template of ${distribution}`, {
      remedy: [
        distribution === "talos" || distribution === "kubeadm"
          ? `leave it out; its version is given with --${own.replace("V", "-v")}`
          : `leave it out: ${distribution} installs itself when a node boots, so its template is one per Ubuntu release (--ubuntu-release)`,
      ],
    });
  }
  if (own === "talosVersion" || own === "kubernetesVersion")
    raw["versions"] = options[own] === undefined ? undefined : String(options[own]);
  return raw;
}

/** @throws Failure `usage` */
export async function readConnection(options: Options, environment: Environment): Promise<Connection> {
  const user = text(options["user"]) ?? environment["KUBEHENGE_PROXMOX_USER"];
  const caFile = text(options["caFile"]) ?? environment["KUBEHENGE_PROXMOX_CA_FILE"];
  return parseConnection(
    {
      url: text(options["proxmoxUrl"]) ?? environment["KUBEHENGE_PROXMOX_URL"],
      // Never an option: other users of the machine can read a process's arguments.
      token: environment["KUBEHENGE_PROXMOX_TOKEN"],
      session: user ? { user, password: await readPassword(user, environment) } : undefined,
      ca: caFile ? readFile(caFile, "--ca-file") : undefined,
      fingerprint: text(options["fingerprint"]) ?? environment["KUBEHENGE_PROXMOX_FINGERPRINT"],
      insecure: options["insecure"] === true,
    },
    (option) =>
      ({
        url: "--proxmox-url or KUBEHENGE_PROXMOX_URL",
        token: "KUBEHENGE_PROXMOX_TOKEN",
        ca: "--ca-file or KUBEHENGE_PROXMOX_CA_FILE",
        fingerprint: "--fingerprint or KUBEHENGE_PROXMOX_FINGERPRINT",
      })[option],
  );
}

const upstreamInputs = [
  "ubuntu-url",
  "ubuntu-keyring",
  "talos-factory-url",
  "kubernetes-packages-url",
  "kubernetes-releases-url",
  "kubernetes-key-fingerprint",
] as const;

/** Upstreams by option, else by environment (`KUBEHENGE_UBUNTU_URL` and so on). @throws Failure `usage` */
export function readUpstreams(raw: RawInputs, environment: Environment): Upstreams {
  const set = withEnvironment(raw, upstreamInputs, environment);
  const keyring = set["ubuntu-keyring"];
  return {
    ...parseUpstreams(set, nameOption),
    ubuntuKeyring: keyring ? Buffer.from(readFile(keyring, "--ubuntu-keyring"), "latin1") : undefined,
    githubApiUrl: environment["GITHUB_API_URL"],
    githubToken: environment["GITHUB_TOKEN"],
  };
}

/** Adds `KUBEHENGE_…` variables for inputs that no option gave. */
export function withEnvironment(raw: RawInputs, names: readonly string[], environment: Environment): RawInputs {
  const fromEnvironment = names.map((name) => [
    name,
    raw[name] || environment[`KUBEHENGE_${name.replaceAll("-", "_").toUpperCase()}`],
  ]);
  return { ...raw, ...Object.fromEntries(fromEnvironment) };
}

function text(value: Options[string]): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readFile(path: string, option: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (error) {
    throw new Failure("usage", `${option}: ${(error as Error).message}`, { cause: error });
  }
}

/** What `-o` says. @throws Failure `usage` */
export function outputFormat(options: Options): "text" | "json" {
  const output = options["output"];
  if (output !== "text" && output !== "json")
    throw new Failure("usage", `-o is text or json, not ${JSON.stringify(output)}`);
  return output;
}
