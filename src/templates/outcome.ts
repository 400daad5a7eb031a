import type { Verification } from "../distributions/distribution.ts";
import type { Target } from "../distributions/target.ts";
import type { Failure } from "../failure/failure.ts";
import type { GuestReport } from "../guest/index.ts";
import type { Proof } from "../guest/smoke/index.ts";
import { manifestDigest, type Manifest } from "./manifest.ts";
import { readNotes } from "./notes.ts";
import type { Found } from "./plan.ts";
import type { Pruned } from "./prune.ts";
import type { Left } from "./undo.ts";

/** A part of the work and when it ran, in milliseconds since the epoch. */
export interface Phase {
  title: string;
  startedAt: number;
  endedAt: number;
}

/** A template that is there, reused or created. */
export interface Template {
  vmid: number;
  node: string;
  storage: string;
  name: string;
  tags: readonly string[];
  manifest: Manifest | undefined;
  /** `sha256:…` over the manifest; empty where its notes hold none. */
  digest: string;
}

export function templateOf(target: Target, { row, config }: Found): Template {
  const manifest = readNotes(config.description)?.manifest;
  return {
    vmid: row.vmid,
    node: row.node,
    storage: (config.scsi0 ?? "").split(":")[0] ?? "",
    name: config.name ?? row.name ?? "",
    tags: target.tags,
    manifest,
    digest: manifest ? manifestDigest(manifest) : "",
  };
}

export interface Outcome {
  target: Target;
  /** `planned`: a dry run would have created it. */
  result: "created" | "reused" | "planned" | "failed";
  why: string;
  template?: Template;
  verified: readonly Verification[];
  /** What a clone has proven, and after a failure last of all what it has not; absent where none was booted. */
  smokeTest?: readonly Proof[];
  /** What its guest says it has become; absent where none was booted, or where the token may not ask its agent. */
  contents?: GuestReport | undefined;
  /** Id of the build that it took the place of, where that one's notes name it. */
  replaced?: string | undefined;
  failure?: Failure;
  warnings: readonly string[];
  /** What could not be removed after a failure. */
  left: readonly Left[];
  phases: readonly Phase[];
  startedAt: number;
  endedAt: number;
}

/** All that one run has to tell. */
export interface CreateReport {
  outcomes: readonly Outcome[];
  left: readonly Left[];
  warnings: readonly string[];
  /** Old builds that a refresh has pruned, or left. */
  pruned: readonly Pruned[];
}
