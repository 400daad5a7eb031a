import type { Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { listGuests } from "../proxmox/cluster.ts";
import { claimsOn, liveClaims, readyOnes, refuseKept, sayClaim } from "./claim.ts";
import type { Context } from "./context.ts";
import type { Phases } from "./phases.ts";
import { planTarget, type Found } from "./plan.ts";
import { recoverPublications } from "./recover.ts";
import { sweepVms } from "./sweep.ts";
import { readUntagged, type Claim } from "./untagged.ts";

const firstPauseMs = 1000;
const slowestPauseMs = 10_000;

/**
 * Waits while another run builds the same target: answers its template when it has published one, and nothing when this
 * run is to build. A build whose lease has ended is removed first.
 * @throws Failure `conflict` when the other one leaves a kept VM
 */
export async function awaitOther(
  context: Context,
  wanted: { target: Target; pool: string; replaces: number | undefined },
  phases: Phases,
): Promise<Found | undefined> {
  const { proxmox, reporter } = context;
  const { target, pool } = wanted;
  let pause = firstPauseMs;
  let said = "";
  for (;;) {
    const guests = await listGuests(proxmox);
    const plan = await planTarget(proxmox, target, guests, { pool, node: undefined });
    if (plan.action === "reuse" && plan.found.row.vmid !== wanted.replaces) return plan.found;
    const { claims, ready } = await readUntagged(proxmox, guests, pool);
    const mature = readyOnes(ready, target);
    if (mature.length > 0) {
      // Being published at this moment, or left so by a crash: then it is published here.
      await recoverPublications(context, mature, pool);
      continue;
    }
    refuseKept(claims, target, wanted.replaces !== undefined);
    const swept = await sweepVms(context, claimsOn(claims, target));
    for (const { what } of swept.removed) reporter.note(`Removed ${what}: it has outlived its lease`, target.title);
    const [other] = liveClaims(claims, target, proxmox.clock.now());
    if (!other) return undefined;
    const news = `Waiting for ${sayClaim(other)}`;
    if (news !== said) reporter.note(news, target.title);
    said = news;
    await phases
      .run("waiting for another run", () => proxmox.clock.sleep(pause, proxmox.signal))
      .catch((error: unknown) => {
        throw whileWaiting(error, other);
      });
    pause = Math.min(pause * 1.5, slowestPauseMs);
  }
}

/** A deadline that passes here says for whom the run had waited. */
function whileWaiting(error: unknown, other: Claim): unknown {
  if (!(error instanceof Failure) || error.kind !== "deadline") return error;
  return new Failure("deadline", `${error.message}; it was waiting for ${sayClaim(other)}`, {
    remedy: error.remedy,
    cause: error,
  });
}
