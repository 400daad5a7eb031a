import * as z from "zod/mini";
import { distributionNames } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { parseGuestNetwork, type GuestNetwork } from "../guest/network.ts";
import { parsePin, type Pin } from "./pins.ts";
import { requestDefaults } from "./request-defaults.ts";
import {
  age,
  bridge,
  checkInputs,
  distribution,
  flag,
  lines,
  node,
  pool,
  storage,
  wholeNumber,
  words,
  type NameInput,
  type RawInputs,
} from "./request-inputs.ts";

const optionalText = z.optional(z.string());

export const createSchema = z.object({
  distribution,
  versions: z.prefault(lines, ""),
  "ubuntu-release": optionalText,
  node: z.optional(node),
  storage: z.optional(storage),
  pool: z.prefault(pool, requestDefaults.pool),
  "import-storage": z.prefault(storage, requestDefaults["import-storage"]),
  "iso-storage": z.optional(storage),
  bridge: z.prefault(bridge, requestDefaults.bridge),
  vlan: z.optional(wholeNumber(1, 4094, "")),
  "build-address": optionalText,
  "build-gateway": optionalText,
  "build-dns": z.prefault(words, ""),
  "disk-size": z.optional(wholeNumber(1, 65_536, " of GiB")),
  timeout: z.prefault(wholeNumber(1, 1440, " of minutes"), requestDefaults.timeout),
  parallel: z.prefault(wholeNumber(1, 16, ""), requestDefaults.parallel),
  "keep-on-failure": z.prefault(flag, requestDefaults["keep-on-failure"]),
  "dry-run": z.prefault(flag, requestDefaults["dry-run"]),
  "per-node": z.prefault(flag, requestDefaults["per-node"]),
  pin: optionalText,
  keep: z.prefault(wholeNumber(0, 100, ""), requestDefaults.keep),
  "keep-versions": z.optional(wholeNumber(1, 100, "")),
  force: z.prefault(flag, requestDefaults.force),
  refresh: z.prefault(
    z.enum(["never", "outdated", "always"], "is one of never, outdated, always"),
    requestDefaults.refresh,
  ),
  "max-age": z.optional(age),
  "smoke-test": z.optional(flag),
  "image-repository": z.optional(
    z
      .string()
      .check(
        z.regex(
          /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/,
          "is not an image repository, such as registry.example.org/k8s",
        ),
      ),
  ),
  "apt-mirror": z.optional(z.url({ protocol: /^https?$/, error: "is not an http or https address" })),
});

/** When a template that is there is built anew. */
export interface Refresh {
  when: "never" | "outdated" | "always";
  /** `outdated` takes in templates older than this, in milliseconds. */
  maxAgeMs: number | undefined;
}

export interface CreateRequest {
  distribution: (typeof distributionNames)[number];
  versions: readonly string[];
  ubuntuRelease: string | undefined;
  node: string | undefined;
  storage: string | undefined;
  pool: string;
  importStorage: string;
  isoStorage: string | undefined;
  bridge: string;
  vlan: number | undefined;
  network: GuestNetwork;
  /** GiB */
  diskGiB: number | undefined;
  /** Bound of the whole run in milliseconds. */
  timeoutMs: number;
  parallel: number;
  keepOnFailure: boolean;
  dryRun: boolean;
  refresh: Refresh;
  /** A clone of the new template is booted and has to prove itself before it is published. */
  smokeTest: boolean;
  /** One template for each node, with its node's tag. */
  perNode: boolean;
  /** Retired builds kept of each target after a refresh. */
  keep: number;
  /** What is allowed to be found: then nothing is built. */
  pins: readonly Pin[] | undefined;
  /** The digest that the only template must have. */
  pin: string | undefined;
  imageRepository: string | undefined;
  aptMirror: string | undefined;
}

/**
 * Requests for several distributions at once, for a plan of a whole fleet.
 * @throws Failure `usage`
 */
export function parsePlanRequests(raw: RawInputs, name: NameInput): CreateRequest[] {
  const names = (raw["distribution"] ?? "").split(/[\s,]+/).filter(Boolean);
  const chosen = names.length > 0 ? names : [...distributionNames].filter((one) => one !== "k3s");
  if (chosen.length > 1 && raw["versions"])
    throw new Failure(
      "usage",
      `${name("versions")} means something else for each distribution; plan them one by one: ${chosen.join(", ")}`,
    );
  return chosen.map((one) =>
    parseCreateRequest(
      { ...raw, distribution: one, "ubuntu-release": one === "talos" ? undefined : raw["ubuntu-release"] },
      name,
    ),
  );
}

/** @throws Failure `usage`, naming the input and what it wants. */
export function parseCreateRequest(raw: RawInputs, name: NameInput): CreateRequest {
  const input = checkInputs(createSchema, raw, name);
  const network = parseGuestNetwork({
    address: input["build-address"],
    gateway: input["build-gateway"],
    dns: input["build-dns"],
  });
  return {
    distribution: input.distribution,
    versions: input.versions,
    ubuntuRelease: input["ubuntu-release"],
    node: input.node,
    storage: input.storage,
    pool: input.pool,
    importStorage: input["import-storage"],
    isoStorage: input["iso-storage"],
    bridge: input.bridge,
    vlan: input.vlan,
    network,
    diskGiB: input["disk-size"],
    timeoutMs: input.timeout * 60_000,
    // An address is for one guest at a time; a Talos template is made without one.
    parallel: network.kind === "static" && input.distribution !== "talos" ? 1 : input.parallel,
    keepOnFailure: input["keep-on-failure"],
    dryRun: input["dry-run"],
    refresh: { when: input.refresh, maxAgeMs: input["max-age"] },
    smokeTest: input["smoke-test"] ?? input.refresh !== "never",
    perNode: input["per-node"],
    keep: input.keep,
    pins: undefined,
    pin: input.pin === undefined ? undefined : parsePin(input.pin, name("pin")),
    imageRepository: input["image-repository"],
    aptMirror: input["apt-mirror"],
  };
}
