import * as z from "zod/mini";
import type { distributionNames, Target } from "../distributions/target.ts";
import { parsePin } from "./pins.ts";
import { createSchema } from "./request.ts";
import { requestDefaults } from "./request-defaults.ts";
import { checkInputs, distribution, flag, pool, type NameInput, type RawInputs } from "./request-inputs.ts";

export interface ListRequest {
  /** Undefined takes in every pool. */
  pool: string | undefined;
}

/** Every pool is `*`, or for the command `''`: there an empty pool is not the same as none. */
export function parseListRequest(raw: RawInputs, name: NameInput): ListRequest {
  const given = raw["pool"];
  if (given === "" || given === "*") return { pool: undefined };
  return { pool: checkInputs(z.object({ pool: z.prefault(pool, requestDefaults.pool) }), { pool: given }, name).pool };
}

export interface DeleteRequest extends ListRequest {
  distribution: (typeof distributionNames)[number];
  versions: readonly string[];
  ubuntuRelease: string | undefined;
  dryRun: boolean;
  timeoutMs: number;
}

export function parseDeleteRequest(raw: RawInputs, name: NameInput): DeleteRequest {
  const input = checkInputs(
    z.pick(createSchema, {
      distribution: true,
      versions: true,
      "ubuntu-release": true,
      "dry-run": true,
      timeout: true,
    }),
    { ...raw, pool: undefined },
    name,
  );
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
  const input = checkInputs(
    z.pick(createSchema, { "dry-run": true, timeout: true }),
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

/** A distribution that is left out takes in all of them. */
export function parsePruneRequest(raw: RawInputs, name: NameInput): PruneRequest {
  const input = checkInputs(
    z.extend(z.pick(createSchema, { "dry-run": true, timeout: true, keep: true, "keep-versions": true, force: true }), {
      distribution: z.optional(distribution),
    }),
    { ...raw, pool: undefined },
    name,
  );
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
  const input = checkInputs(z.object({ protect: z.optional(flag) }), { protect: raw["protect"] }, name);
  return { ...parseDeleteRequest(raw, name), digest: parsePin(raw["pin"] ?? "", name("pin")), protect: input.protect };
}

export interface RollbackRequest extends DeleteRequest {
  /** The id of the build to bring back; the newest retired one when undefined. */
  build: string | undefined;
}

export function parseRollbackRequest(raw: RawInputs, name: NameInput): RollbackRequest {
  const build = checkInputs(
    z.object({
      build: z.optional(z.string().check(z.regex(/^[0-9a-f]{12}$/, "is the id of a build: 12 hex digits"))),
    }),
    { build: raw["build"] },
    name,
  ).build;
  return { ...parseDeleteRequest(raw, name), build };
}
