import type { GuestPlan } from "./plan.ts";

export interface GuestStep {
  /** Also the name of the script that does it. */
  name: string;
  /** The sector that the guest writes on the marker disk when the step begins. */
  code: number;
  /** Seconds from this code to the next; longer means that the guest is stuck. The guest stops the step itself before. */
  boundSeconds: number;
  /** For people: what the guest is doing. */
  title: string;
}

/** Seconds from the VM's start to the first code: firmware, kernel, and up to 120 s in which systemd waits for a network. */
export const firstSignalSeconds = 300;

/** The guest ends a step of its own accord this many seconds before the builder gives it up, so that it can say why. */
export const stepGraceSeconds = 60;

/** The code of a guest that is prepared, proven, sealed and synced. */
export const doneCode = 100;

/** The first step is cloud-init's: its code is written by bootcmd, and it lasts until the build unit starts. */
export const seedStepName = "seed";

/**
 * The steps in order, with the codes of the marker protocol.
 * @returns code (sector number), bound (seconds until the next code) and words for people of each
 */
export function guestSteps(plan: Pick<GuestPlan, "kubernetes" | "timeoutSeconds">): readonly GuestStep[] {
  const steps: (GuestStep | false)[] = [
    { name: seedStepName, code: 1, boundSeconds: 420, title: "cloud-init has read the seed" },
    { name: "network", code: 10, boundSeconds: 240, title: "checking the network" },
    { name: "package-lists", code: 20, boundSeconds: 660, title: "reading the package lists" },
    { name: "agent", code: 30, boundSeconds: 660, title: "installing the guest agent" },
    { name: "upgrade", code: 40, boundSeconds: 1860, title: "upgrading all packages" },
    plan.kubernetes !== undefined && {
      name: "kubernetes-packages",
      code: 50,
      boundSeconds: 1260,
      title: `installing containerd and Kubernetes ${plan.kubernetes.version}`,
    },
    plan.kubernetes !== undefined && {
      name: "kubernetes-node",
      code: 60,
      boundSeconds: 240,
      title: "setting up containerd, kernel and kubelet",
    },
    plan.kubernetes !== undefined && {
      name: "kubernetes-images",
      code: 70,
      boundSeconds: 1860,
      title: "pulling the images that kubeadm names",
    },
    { name: "verify", code: 80, boundSeconds: 360, title: "proving what was installed" },
    { name: "seal", code: 90, boundSeconds: 360, title: "sealing" },
  ];
  return steps.filter((step) => step !== false);
}
