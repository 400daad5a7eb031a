import type { Command } from "commander";
import { requestDefaults } from "../templates/request-defaults.ts";

/** An option of the command: its flags, and the name of the Action's input that means the same. */
interface OptionText {
  flags: string;
  text: string;
  default?: string;
}

const connection: OptionText[] = [
  {
    flags: "--proxmox-url <url>",
    text: "address of the Proxmox VE API, such as https://pve.example.org:8006 (env KUBEHENGE_PROXMOX_URL)",
  },
  {
    flags: "--ca-file <file>",
    text: "certificate (PEM) of the authority that signed the server's (env KUBEHENGE_PROXMOX_CA_FILE)",
  },
  {
    flags: "--fingerprint <sha256>",
    text: "SHA-256 fingerprint of the server's certificate, checked before the token is sent (env KUBEHENGE_PROXMOX_FINGERPRINT)",
  },
  {
    flags: "--user <user@realm>",
    text: "log in as this user instead of using a token (env KUBEHENGE_PROXMOX_USER); the password is asked for, or env KUBEHENGE_PROXMOX_PASSWORD",
  },
  { flags: "--insecure", text: "accept any certificate; warns each time" },
];

const upstreams: OptionText[] = [
  { flags: "--ubuntu-url <url>", text: "mirror of https://cloud-images.ubuntu.com" },
  { flags: "--ubuntu-keyring <file>", text: "OpenPGP key that signs that mirror's lists, in place of Ubuntu's" },
  { flags: "--talos-factory-url <url>", text: "Image Factory in place of https://factory.talos.dev" },
  { flags: "--kubernetes-packages-url <url>", text: "mirror of https://pkgs.k8s.io" },
  { flags: "--kubernetes-releases-url <url>", text: "mirror of https://dl.k8s.io" },
  {
    flags: "--kubernetes-key-fingerprint <hex>",
    text: "key that signs the Kubernetes packages, in place of pkgs.k8s.io's",
  },
];

const versions: OptionText[] = [
  { flags: "--talos-version <version>", text: "Talos release: exact, a range such as ~1.14, or latest" },
  { flags: "--kubernetes-version <version>", text: "Kubernetes release: exact, a range such as 1.37.x, or latest" },
  { flags: "--ubuntu-release <release>", text: "Ubuntu release: a number or codename; the newest LTS when left out" },
];

const build: OptionText[] = [
  { flags: "--node <name>", text: "node that builds; may be left out where one node is online" },
  { flags: "--storage <name>", text: "storage of the template's disk; the node's only one for images when left out" },
  {
    flags: "--import-storage <name>",
    text: "storage with content type import",
    default: requestDefaults["import-storage"],
  },
  { flags: "--iso-storage <name>", text: "storage with content type iso; the node's first one when left out" },
  { flags: "--bridge <name>", text: "bridge of the guest while it is built", default: requestDefaults.bridge },
  { flags: "--vlan <tag>", text: "VLAN tag of the guest's network card while it is built" },
  { flags: "--build-address <cidr>", text: "the guest's address while it is built; DHCP when left out" },
  { flags: "--build-gateway <address>", text: "its gateway" },
  {
    flags: "--disk-size <GiB>",
    text: "size of the disk; the image's own when left out, grown where updates and pulled images need room",
  },
  { flags: "--image-repository <registry>", text: "registry of kubeadm's images, in place of registry.k8s.io" },
  { flags: "--apt-mirror <url>", text: "Ubuntu package mirror that the guest uses while it is built" },
  {
    flags: "--parallel <number>",
    text: "templates that are built at the same time, where several versions are given and no --build-address",
    default: requestDefaults.parallel,
  },
  { flags: "--keep-on-failure", text: "keep the VM of a failed build, switched off, for inspection" },
];

const pool: OptionText = {
  flags: "--pool <name>",
  text: "resource pool of the templates",
  default: requestDefaults.pool,
};
const dryRun: OptionText = { flags: "--dry-run", text: "say what would be done, and change nothing" };
const timeout: OptionText = {
  flags: "--timeout <minutes>",
  text: "bound of the whole run",
  default: requestDefaults.timeout,
};

function add(command: Command, options: readonly OptionText[]): Command {
  // Defaults are the request's; here they are only told, so that what was typed can be told from what was not.
  for (const option of options)
    command.option(
      option.flags,
      option.default === undefined ? option.text : `${option.text} (default: ${option.default})`,
    );
  return command;
}

const refresh: OptionText[] = [
  {
    flags: "--refresh <when>",
    text: "when a template that is there is built anew: never, outdated or always",
    default: requestDefaults.refresh,
  },
  { flags: "--max-age <age>", text: "age from which a template is outdated, such as 7d" },
  {
    flags: "--smoke-test <boolean>",
    text: "true boots a clone of the new template and publishes it only when the clone proves itself; default: true with --refresh, else false",
  },
  {
    flags: "--per-node",
    text: "one template on each node, with a tag of its node: for clusters without shared storage",
  },
];

const keep: OptionText[] = [
  { flags: "--keep <number>", text: "retired builds that are kept of each template", default: requestDefaults.keep },
];

const pins: OptionText[] = [
  { flags: "--pin <digest>", text: "digest that the template must have; nothing is built then" },
  { flags: "--lock-file <file>", text: "file with the digests of the only templates that are allowed" },
  { flags: "--lock <mode>", text: "what is done with the lock file: check or write (default: check)" },
];

const sbom: OptionText = {
  flags: "--sbom <directory>",
  text: "where to write what is in each template that is made, as SPDX 2.3 JSON",
};

const anyPool: OptionText = { ...pool, text: `${pool.text}; '' takes in every pool` };

const output = (command: Command, formats = "text or json", first = "text") =>
  command.option("-o, --output <format>", formats, first);

export const addConnectionOptions = (command: Command) => add(command, connection);
export const addUpstreamOptions = (command: Command) => add(command, upstreams);
export const addCreateOptions = (command: Command) =>
  output(
    add(command, [...versions, ...build, ...refresh, ...keep, ...pins, sbom, pool, dryRun, timeout]).option(
      "--build-dns <address>",
      "its DNS server; may be given several times",
      (one: string, all: string[] = []) => [...all, one],
    ),
  );
export const addListOptions = (command: Command) =>
  output(add(command, [anyPool]), "table, wide, json or capmox", "table");
export const addDeleteOptions = (command: Command) => output(add(command, [...versions, anyPool, dryRun, timeout]));
export const addSweepOptions = (command: Command) => output(add(command, [anyPool, dryRun, timeout]));
export const addPlanOptions = (command: Command) =>
  output(
    add(command, [...versions, { flags: "--node <name>", text: "node that would build" }, ...refresh, pool, timeout]),
  );
export const addVerifyOptions = (command: Command) =>
  output(
    add(command, [
      ...versions,
      { flags: "--digest <digest>", text: "the pinned digest: sha256:…" },
      {
        flags: "--protect <boolean>",
        text: "true protects the template from deletion, pruning and refreshing; false lifts that",
      },
      anyPool,
      timeout,
    ]),
  );
export const addRollbackOptions = (command: Command) =>
  output(
    add(command, [
      ...versions,
      { flags: "--build <id>", text: "the retired build to bring back; the newest one when left out" },
      anyPool,
      dryRun,
      timeout,
    ]),
  );
export const addPruneOptions = (command: Command) =>
  output(
    add(command, [
      ...keep,
      {
        flags: "--keep-versions <number>",
        text: "newest versions that are kept of each distribution; all when left out",
      },
      { flags: "--force", text: "delete even where the storage cannot tell whether linked clones hang on a template" },
      anyPool,
      dryRun,
      timeout,
    ]),
  );
