import { seedStepName, stepGraceSeconds, type GuestStep } from "../steps.ts";

/**
 * The proofs of a clone in order, with the codes of the marker protocol.
 * @returns code (sector number), bound (seconds until the next code) and words for people of each
 */
export function smokeSteps(kubernetes: boolean): readonly GuestStep[] {
  const steps: (GuestStep | false)[] = [
    { name: seedStepName, code: 1, boundSeconds: 420, title: "cloud-init reads the clone's seed" },
    { name: "smoke-cloud-init", code: 10, boundSeconds: 360, title: "waiting for cloud-init to end" },
    { name: "smoke-identity", code: 20, boundSeconds: 300, title: "proving that what it is called by is its own" },
    kubernetes && { name: "smoke-containerd", code: 30, boundSeconds: 240, title: "asking containerd" },
    kubernetes && { name: "smoke-preflight", code: 40, boundSeconds: 300, title: "running kubeadm's preflight checks" },
  ];
  return steps.filter((step) => step !== false);
}

/** The steps that the clone's unit runs, one `CODE SECONDS NAME` a line; the seconds are the guest's own bound. */
export function smokeStepsFile(steps: readonly GuestStep[]): string {
  return steps
    .filter((step) => step.name !== seedStepName)
    .map((step) => `${step.code} ${step.boundSeconds - stepGraceSeconds} ${step.name}\n`)
    .join("");
}
