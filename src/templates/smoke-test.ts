import { Failure } from "../failure/failure.ts";
import type { Proof } from "../guest/smoke/index.ts";
import type { BuildJob } from "./build.ts";
import type { Context } from "./context.ts";
import type { BuildVm } from "./create-vm.ts";
import type { Phases } from "./phases.ts";
import { cloneCandidate } from "./smoke-clone.ts";
import { proveTalos } from "./smoke-console.ts";
import { SmokeFailure } from "./smoke-failure.ts";
import { proveGuest } from "./smoke-guest.ts";
import type { Undo } from "./undo.ts";

/**
 * Boots a linked clone of the candidate as a cluster would, has it prove itself, and removes it.
 * @throws Failure when it does not, or when it cannot be tried; whatever was made is registered in `undo`
 */
export async function smokeTest(
  context: Context,
  job: BuildJob,
  vm: BuildVm,
  undo: Undo,
  phases: Phases,
): Promise<readonly Proof[]> {
  return await phases.run("booting a clone", async () => {
    try {
      const clone = await cloneCandidate(context.proxmox, vm, job.place.pool, undo);
      return job.ingredients.guest
        ? await proveGuest(context, job, vm, clone, undo, phases)
        : await proveTalos(context, clone, undo, phases);
    } catch (error) {
      throw notProven(error, job, vm);
    }
  });
}

function notProven(error: unknown, { target, replaces }: BuildJob, vm: BuildVm): unknown {
  if (!(error instanceof Failure) || error.kind === "interrupted") return error;
  const stays = replaces ? `; VM ${replaces.row.vmid} stays the template` : "";
  const failed = error instanceof SmokeFailure;
  const failure = new Failure(
    error.kind,
    `The new template of ${target.title} (VM ${vm.vmid}) ${failed ? "did not pass" : "could not be put to"} its smoke test${stays}: ${error.message}`,
    {
      remedy: [...error.remedy, "--smoke-test false (smoke-test: false) publishes without booting a clone"],
      evidence: error.evidence,
      cause: error,
    },
  );
  return failed ? new SmokeFailure(failure, error.proofs) : failure;
}
