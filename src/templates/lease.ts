import * as z from "zod";
import type { Target } from "../distributions/target.ts";
import type { RunIdentity } from "./context.ts";

/** Who builds a VM, of what, since when and until when; stands as JSON in the VM's notes from its creation. */
export const leaseSchema = z.object({
  schema: z.literal(1),
  /** `building`, or `kept` after a failure with keep-on-failure. */
  state: z.enum(["building", "kept"]),
  /** Unique for this build; whoever removes the VM checks it first. */
  build: z.string(),
  /** The target's tag set. */
  tags: z.array(z.string()),
  title: z.string(),
  run: z.string(),
  runUrl: z.string().optional(),
  /** ISO 8601. */
  since: z.string(),
  until: z.string(),
  /** Volumes of this build besides the VM's own disks. */
  seed: z.string().optional(),
  image: z.string().optional(),
  reason: z.string().optional(),
});
export type Lease = z.infer<typeof leaseSchema>;

// What a run needs for cleaning up after its deadline, and for clocks that differ between runners.
export const leaseGraceMs = 10 * 60_000;

export function newLease(build: string, target: Target, run: RunIdentity, nowMs: number, deadlineMs: number, volumes: { seed: string | undefined; image: string }): Lease {
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
