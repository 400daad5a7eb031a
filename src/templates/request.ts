import * as z from "zod";
import { distributionNames, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { parseGuestNetwork, type GuestNetwork } from "../guest/network.ts";
import { parsePin, type Pin } from "./pins.ts";

/** What a person typed, by the names of the Action's inputs; '' and undefined both mean unset. */
export type RawInputs = Readonly<Record<string, string | undefined>>;

/** How an input is called where the person gave it: `ubuntu-release` or `--ubuntu-release`. */
export type NameInput = (input: string) => string;

/** The one place of defaults; action.yml and the command's help say the same, held by a test. */
export const requestDefaults = {
  pool: "kubehenge-templates",
  "import-storage": "local",
  bridge: "vmbr0",
  timeout: "60",
  parallel: "2",
  "keep-on-failure": "false",
  "dry-run": "false",
  refresh: "never",
  keep: "1",
  "per-node": "false",
  force: "false",
} as const;

const flag = z
  .string()
  .regex(/^(true|false)$/i, "wants true or false")
  .transform((text) => text.toLowerCase() === "true");
const wholeNumber = (low: number, high: number, unit: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/, `wants a whole number${unit}`)
    .transform(Number)
    .refine((n) => n >= low && n <= high, `wants a number from ${low} to ${high}${unit}`);
const node = z.string().regex(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, "is not a node's name");
const storage = z.string().regex(/^[A-Za-z][A-Za-z0-9\-_.]*[A-Za-z0-9]$/, "is not a storage's name");
const pool = z.string().regex(/^[A-Za-z0-9\-_.]+(\/[A-Za-z0-9\-_.]+){0,2}$/, "is not a pool's name");
const bridge = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,14}$/, "is not a bridge's name");
const lines = z.string().transform((text) =>
  text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter(Boolean),
);
const words = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean));

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Milliseconds. */
const age = z
  .string()
  .regex(/^[1-9]\d{0,3}[mhdw]$/, "wants a number and m, h, d or w, such as 7d")
  .transform((text) => Number(text.slice(0, -1)) * units[text.at(-1) as keyof typeof units]);

const distribution = z.enum(distributionNames, `is one of ${distributionNames.join(", ")}`);

const createSchema = z.object({
  distribution,
  versions: lines.default([]),
  "ubuntu-release": z.string().optional(),
  node: node.optional(),
  storage: storage.optional(),
  pool: pool.prefault(requestDefaults.pool),
  "import-storage": storage.prefault(requestDefaults["import-storage"]),
  "iso-storage": storage.optional(),
  bridge: bridge.prefault(requestDefaults.bridge),
  vlan: wholeNumber(1, 4094, "").optional(),
  "build-address": z.string().optional(),
  "build-gateway": z.string().optional(),
  "build-dns": words.default([]),
  "disk-size": wholeNumber(1, 65_536, " of GiB").optional(),
  timeout: wholeNumber(1, 1440, " of minutes").prefault(requestDefaults.timeout),
  parallel: wholeNumber(1, 16, "").prefault(requestDefaults.parallel),
  "keep-on-failure": flag.prefault(requestDefaults["keep-on-failure"]),
  "dry-run": flag.prefault(requestDefaults["dry-run"]),
  "per-node": flag.prefault(requestDefaults["per-node"]),
  pin: z.string().optional(),
  keep: wholeNumber(0, 100, "").prefault(requestDefaults.keep),
  "keep-versions": wholeNumber(1, 100, "").optional(),
  force: flag.prefault(requestDefaults.force),
  refresh: z
    .enum(["never", "outdated", "always"], "is one of never, outdated, always")
    .prefault(requestDefaults.refresh),
  "max-age": age.optional(),
  "image-repository": z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/, "is not an image repository, such as registry.example.org/k8s")
    .optional(),
  "apt-mirror": z.url({ protocol: /^https?$/, error: "is not an http or https address" }).optional(),
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
  const input = check(createSchema, raw, name);
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
    network: parseGuestNetwork({
      address: input["build-address"],
      gateway: input["build-gateway"],
      dns: input["build-dns"],
    }),
    diskGiB: input["disk-size"],
    timeoutMs: input.timeout * 60_000,
    parallel: input.parallel,
    keepOnFailure: input["keep-on-failure"],
    dryRun: input["dry-run"],
    refresh: { when: input.refresh, maxAgeMs: input["max-age"] },
    perNode: input["per-node"],
    keep: input.keep,
    pins: undefined,
    pin: input.pin === undefined ? undefined : parsePin(input.pin, name("pin")),
    imageRepository: input["image-repository"],
    aptMirror: input["apt-mirror"],
  };
}

export interface ListRequest {
  /** Undefined takes in every pool. */
  pool: string | undefined;
}

/** Every pool is `*`, or for the command `''`: there an empty pool is not the same as none. */
export function parseListRequest(raw: RawInputs, name: NameInput): ListRequest {
  const given = raw["pool"];
  if (given === "" || given === "*") return { pool: undefined };
  return { pool: check(z.object({ pool: pool.prefault(requestDefaults.pool) }), { pool: given }, name).pool };
}

export interface DeleteRequest extends ListRequest {
  distribution: (typeof distributionNames)[number];
  versions: readonly string[];
  ubuntuRelease: string | undefined;
  dryRun: boolean;
  timeoutMs: number;
}

const deleteSchema = createSchema.pick({
  distribution: true,
  versions: true,
  "ubuntu-release": true,
  "dry-run": true,
  timeout: true,
});

export function parseDeleteRequest(raw: RawInputs, name: NameInput): DeleteRequest {
  const input = check(deleteSchema, { ...raw, pool: undefined }, name);
  return {
    ...parseListRequest(raw, name),
    distribution: input.distribution,
    versions: input.versions,
    ubuntuRelease: input["ubuntu-release"],
    dryRun: input["dry-run"],
    timeoutMs: input.timeout * 60_000,
  };
}

export interface SweepRequest extends ListRequest {
  dryRun: boolean;
  timeoutMs: number;
}

export function parseSweepRequest(raw: RawInputs, name: NameInput): SweepRequest {
  const input = check(
    createSchema.pick({ "dry-run": true, timeout: true }),
    { "dry-run": raw["dry-run"], timeout: raw["timeout"] },
    name,
  );
  return { ...parseListRequest(raw, name), dryRun: input["dry-run"], timeoutMs: input.timeout * 60_000 };
}

export interface PruneRequest extends ListRequest {
  /** Retired builds that are kept of each target. */
  keep: number;
  /** Newest versions that are kept of each distribution; all when undefined. */
  keepVersions: number | undefined;
  /** Delete even where it cannot be told whether linked clones hang on it. */
  force: boolean;
  dryRun: boolean;
  timeoutMs: number;
  /** Whether a target is concerned at all. */
  concerns: (target: Target) => boolean;
}

const pruneSchema = createSchema
  .pick({ "dry-run": true, timeout: true, keep: true, "keep-versions": true, force: true })
  .extend({ distribution: distribution.optional() });

/** A distribution that is left out takes in all of them. */
export function parsePruneRequest(raw: RawInputs, name: NameInput): PruneRequest {
  const input = check(pruneSchema, { ...raw, pool: undefined }, name);
  const kind = input.distribution === "k3s" ? "rke2" : input.distribution;
  return {
    ...parseListRequest(raw, name),
    keep: input.keep,
    keepVersions: input["keep-versions"],
    force: input.force,
    dryRun: input["dry-run"],
    timeoutMs: input.timeout * 60_000,
    concerns: (target) =>
      kind === undefined || target.distribution === kind || (kind === "rke2" && target.distribution === "k3s"),
  };
}

export interface VerifyRequest extends DeleteRequest {
  /** `sha256:…` */
  digest: string;
  /** Switches its protection on or off; undefined leaves it. */
  protect: boolean | undefined;
}

export function parseVerifyRequest(raw: RawInputs, name: NameInput): VerifyRequest {
  const input = check(z.object({ protect: flag.optional() }), { protect: raw["protect"] }, name);
  return { ...parseDeleteRequest(raw, name), digest: parsePin(raw["pin"] ?? "", name("pin")), protect: input.protect };
}

export interface RollbackRequest extends DeleteRequest {
  /** The id of the build to bring back; the newest retired one when undefined. */
  build: string | undefined;
}

export function parseRollbackRequest(raw: RawInputs, name: NameInput): RollbackRequest {
  const build = check(
    z.object({
      build: z
        .string()
        .regex(/^[0-9a-f]{12}$/, "is the id of a build: 12 hex digits")
        .optional(),
    }),
    { build: raw["build"] },
    name,
  ).build;
  return { ...parseDeleteRequest(raw, name), build };
}

function check<T>(schema: z.ZodType<T>, raw: RawInputs, name: NameInput): T {
  const set = Object.fromEntries(
    Object.entries(raw).flatMap(([key, text]) => (text?.trim() ? [[key, text.trim()]] : [])),
  );
  const checked = schema.safeParse(set);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map((issue) => {
    const input = String(issue.path[0]);
    return set[input] === undefined
      ? `${name(input)} is missing: it ${issue.message}`
      : `${name(input)} ${issue.message}, not ${JSON.stringify(set[input])}`;
  });
  throw new Failure("usage", problems.join("; "));
}
