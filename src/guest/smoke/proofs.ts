import type { GuestSignal } from "../signal.ts";
import type { GuestStep } from "../steps.ts";

/** One thing that was put to the proof on a clone. */
export interface Proof {
  /** For people, e.g. "a machine-id of its own". */
  what: string;
  ok: boolean;
}

/** What each step proves, in the order of its script, with the numbers of the reasons that disprove it. */
const byStep: Readonly<Record<string, readonly { what: string; reasons: readonly number[] }[]>> = {
  "smoke-cloud-init": [{ what: "cloud-init ends without errors and warnings", reasons: [1, 2, 3] }],
  "smoke-identity": [
    { what: "the host name of its seed", reasons: [1] },
    { what: "a machine-id of its own", reasons: [2, 3] },
    { what: "fresh ssh host keys", reasons: [4, 5] },
    { what: "an address on its network card", reasons: [6] },
    { what: "the guest agent runs", reasons: [7] },
  ],
  "smoke-containerd": [
    { what: "containerd answers", reasons: [1, 2] },
    { what: "kubeadm's images are there", reasons: [3] },
  ],
  "smoke-preflight": [
    { what: "kubeadm's preflight checks find nothing that the template is to blame for", reasons: [1, 2] },
  ],
};

/** What a clone has proven by its last signal; what it did not come to is left out. */
export function proofsOf(steps: readonly GuestStep[], last: GuestSignal): Proof[] {
  if (last.kind === "nothing") return [{ what: "it boots and reads its seed", ok: false }];
  const reached = last.kind === "done" ? Infinity : last.step.code;
  const before = steps.filter(({ code }) => code < reached).flatMap(({ name }) => byStep[name] ?? []);
  const proofs = [{ what: "it boots and reads its seed" }, ...before].map(({ what }) => ({ what, ok: true }));
  if (last.kind === "done") return proofs;
  const own = byStep[last.step.name] ?? [];
  const reason = last.kind === "failed" ? last.reason?.number : undefined;
  const at = own.findIndex(({ reasons }) => reason !== undefined && reasons.includes(reason));
  if (at < 0) return [...proofs, { what: `an end of "${last.step.title}"`, ok: false }];
  return [...proofs, ...own.slice(0, at + 1).map(({ what }, index) => ({ what, ok: index < at }))];
}
