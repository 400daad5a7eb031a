import * as z from "zod/mini";
import type { Target } from "../distributions/target.ts";
import type { RunIdentity } from "./context.ts";

const makeSchema = () => {
  const optionalText = z.optional(z.string());
  const fields = z.object({
    schema: z.literal(1),
    /** `building`, or `kept` after a failure with keep-on-failure. */
    state: z.enum(["building", "kept"]),
    /** Unique for this build, 12 hex digits; whoever removes the VM checks it first. */
    build: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
    /** The target's tag set. */
    tags: z.array(z.string()),
    title: z.string(),
    run: z.string(),
    runUrl: optionalText,
    /** ISO 8601. */
    since: z.string(),
    until: z.string(),
    /** Volumes of this build besides the VM's own disks. */
    seed: optionalText,
    image: optionalText,
    reason: optionalText,
  });
  // Notes can be written by whoever may change a VM's options, and what they name as the seed is removed with the VM: only
  // this build's own may stand there.
  return fields.check(
    z.refine(
      ({ seed, build }) =>
        seed === undefined ||
        (/^[A-Za-z][A-Za-z0-9\-_.]*:iso\//.test(seed) && seed.endsWith(`:iso/${seedFileName(build)}`)),
      "the seed is not this build's",
    ),
  );
};
let made: ReturnType<typeof makeSchema> | undefined;

/**
 * Who builds a VM, of what, since when and until when; stands as JSON in the VM's notes from its creation. The schema is
 * made when the first notes are read: reusing a template often meets none.
 */
export const leaseSchema = () => (made ??= makeSchema());
export type Lease = z.infer<ReturnType<typeof leaseSchema>>;

/** The name under which a build's seed is uploaded. */
export function seedFileName(build: string): string {
  return `kubehenge-seed-${build}.iso`;
}

// What a run needs for cleaning up after its deadline, and for clocks that differ between runners.
export const leaseGraceMs = 10 * 60_000;

export function newLease(
  build: string,
  target: Target,
  run: RunIdentity,
  nowMs: number,
  deadlineMs: number,
  volumes: { seed: string | undefined; image: string },
): Lease {
  return {
    schema: 1,
    state: "building",
    build,
    tags: [...target.tags],
    title: target.title,
    run: run.id,
    ...(run.url ? { runUrl: run.url } : {}),
    since: new Date(nowMs).toISOString(),
    until: new Date(deadlineMs + leaseGraceMs).toISOString(),
    ...(volumes.seed ? { seed: volumes.seed } : {}),
    image: volumes.image,
  };
}

export function hasEnded(lease: Lease, nowMs: number): boolean {
  return lease.state === "building" && !(Date.parse(lease.until) > nowMs);
}

/** For whom it is and until when, in a sentence's part. */
export function sayLease(lease: Lease): string {
  return `${lease.runUrl ? `run ${lease.run} (${lease.runUrl})` : `run ${lease.run}`} since ${lease.since}, until ${lease.until} at the latest`;
}
