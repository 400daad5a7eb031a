import type { GuestPlan } from "./plan.ts";
import { quietUnits } from "./quiet-units.ts";
import { seedStepName, stepGraceSeconds, type GuestStep } from "./steps.ts";

/** POSIX shell 2.2.2: everything between single quotes is itself; a single quote cannot stand there. */
export function shellQuoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`;
}

/** The settings that the scripts read: one KEY='value' a line. Every key is there, empty where it does not apply. */
export function settingsFile(plan: GuestPlan): string {
  const kubernetes = plan.kubernetes;
  const settings = {
    BUILD_HOSTNAME: plan.hostname,
    BUILD_MAC: plan.mac,
    QUIET_UNITS: quietUnits.join(" "),
    APT_MIRROR: plan.aptMirror,
    KUBERNETES_VERSION: kubernetes?.version,
    KUBERNETES_REPOSITORY: kubernetes?.repositoryUrl,
    KUBEADM_PACKAGE: kubernetes?.packages.kubeadm,
    KUBELET_PACKAGE: kubernetes?.packages.kubelet,
    KUBECTL_PACKAGE: kubernetes?.packages.kubectl,
    CRI_TOOLS_PACKAGE: kubernetes?.packages.criTools,
    KUBERNETES_CNI_PACKAGE: kubernetes?.packages.kubernetesCni,
    IMAGE_REPOSITORY: kubernetes?.imageRepository,
  };
  return Object.entries(settings)
    .map(([key, value]) => `${key}=${shellQuoted(value ?? "")}\n`)
    .join("");
}

/** The steps that the build unit runs, one `CODE SECONDS NAME` a line; the seconds are the guest's own bound. */
export function stepsFile(steps: readonly GuestStep[]): string {
  return steps
    .filter((step) => step.name !== seedStepName)
    .map((step) => `${step.code} ${step.boundSeconds - stepGraceSeconds} ${step.name}\n`)
    .join("");
}
