import { reasonsOf, type GuestReason } from "./reasons.ts";
import { doneCode, type GuestStep } from "./steps.ts";

export type GuestSignal =
  /** No code yet. */
  | { kind: "nothing" }
  /** The step that the guest is in. */
  | { kind: "step"; step: GuestStep; code: number }
  /** Prepared, proven, sealed and synced; the guest stays up. */
  | { kind: "done" }
  /** The guest gave up in this step and stays up; `reason` where it could tell. */
  | { kind: "failed"; step: GuestStep; code: number; reason?: GuestReason };

const sectorBytes = 512;
/** A step that fails for no named reason writes 500 + its code. */
const failureBase = 500;
/** A step that fails for a named reason writes 1000 + 10 × its code + the reason's number. */
const reasonBase = 1000;

/** The code for a failure in `step`; all of them lie above {@link doneCode}, for the highest sector only grows. */
export function failureCode(step: Pick<GuestStep, "code">, reasonNumber?: number): number {
  return reasonNumber === undefined ? failureBase + step.code : reasonBase + 10 * step.code + reasonNumber;
}

/**
 * What the guest said last, from `blockstat.scsi1.wr_highest_offset` of `GET /nodes/{node}/qemu/{vmid}/status/current`.
 * @param steps {@link guestSteps} of the same plan
 * @param wrHighestOffset bytes; undefined where Proxmox VE does not tell
 */
export function readSignal(steps: readonly GuestStep[], wrHighestOffset: number | undefined): GuestSignal {
  return signalOfCode(steps, Math.floor((wrHighestOffset ?? 0) / sectorBytes) - 1);
}

/**
 * What the guest said last, from the agent's `get-host-name`: for a Proxmox VE that shows no blockstat. The agent runs from
 * the step "agent" on, so earlier failures stay unseen this way.
 */
export function readHostNameSignal(steps: readonly GuestStep[], hostName: string): GuestSignal {
  const code = /^kubehenge-code-([0-9]{1,5})$/.exec(hostName)?.[1];
  return signalOfCode(steps, code === undefined ? 0 : Number(code));
}

function signalOfCode(steps: readonly GuestStep[], code: number): GuestSignal {
  if (!(code >= 1)) return { kind: "nothing" };
  if (code === doneCode) return { kind: "done" };
  if (code < doneCode) {
    const step = steps.findLast((candidate) => candidate.code <= code);
    return step === undefined ? { kind: "nothing" } : { kind: "step", step, code };
  }
  const named = code >= reasonBase;
  const stepCode = named ? Math.floor((code - reasonBase) / 10) : code - failureBase;
  const step = steps.find((candidate) => candidate.code === stepCode) ?? unknownStep(code);
  const reason = named ? reasonsOf(step.name).find(({ number }) => number === (code - reasonBase) % 10) : undefined;
  return { kind: "failed", step, code, ...(reason !== undefined && { reason }) };
}

/** A code outside the protocol is a failure too: something wrote to the marker disk that is not ours. */
function unknownStep(code: number): GuestStep {
  return { name: "unknown", code, boundSeconds: 0, title: `a step that this version does not know (code ${code})` };
}
