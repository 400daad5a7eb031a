import type { TalosFault } from "./talos-guest.ts";

/** Ways for a simulated build to go wrong; those with `succeeds` come to a good end all the same. */
export interface Fault {
  /** The step it shows in; `kubernetes-…` steps only exist for kubeadm. */
  step: string;
  /** What the guest does there. */
  does: "fail" | "hang" | "panic" | "power-off" | "reboot" | "wait";
  /** The reason's number that the step's script gives, where it gives one. */
  reason?: number;
  /** The step's last words. */
  words?: string;
}

export const faults = {
  "no-network": { step: "network", does: "fail", reason: 1, words: "The machine has no network card." },
  "no-address": {
    step: "network",
    does: "fail",
    reason: 2,
    words: "No network card has an address: lo UNKNOWN 127.0.0.1/8",
  },
  "no-route": {
    step: "network",
    does: "fail",
    reason: 3,
    words: "There is an address, but no default route: 192.0.2.0/24 dev eth0",
  },
  "wrong-gateway": {
    step: "network",
    does: "fail",
    reason: 4,
    words: "The gateway 192.0.2.254 does not answer on the link.",
  },
  "dead-dns": {
    step: "network",
    does: "fail",
    reason: 5,
    words: "The name archive.ubuntu.com cannot be resolved. Name servers: 192.0.2.53",
  },
  "mirror-refused": {
    step: "network",
    does: "fail",
    reason: 6,
    words: "No connection to archive.ubuntu.com, port 80.",
  },
  "registry-refused": {
    step: "network",
    does: "fail",
    reason: 7,
    words: "No connection to registry.k8s.io, port 443.",
  },
  "apt-signature": {
    step: "package-lists",
    does: "fail",
    reason: 2,
    words: "The signature of a package list does not hold; see apt's lines above.",
  },
  "apt-lock-kept": {
    step: "upgrade",
    does: "fail",
    reason: 4,
    words: "Another process kept the package lock for 300 s.",
  },
  "apt-lock-minute": { step: "upgrade", does: "wait" },
  "agent-missing": {
    step: "agent",
    does: "fail",
    reason: 1,
    words: "qemu-guest-agent, ca-certificates and curl cannot be installed; see apt's lines above.",
  },
  "disk-full": {
    step: "upgrade",
    does: "fail",
    reason: 9,
    words: "The root file system is too small for the packages.",
  },
  "package-missing": {
    step: "kubernetes-packages",
    does: "fail",
    reason: 2,
    words: "The package kubeadm is not in the repository at the wanted version.",
  },
  "image-pull-fails": {
    step: "kubernetes-images",
    does: "fail",
    reason: 1,
    words: "kubeadm cannot pull its images; see its lines above.",
  },
  "no-agent": { step: "verify", does: "fail", reason: 1, words: "Not as promised: the guest agent running" },
  "not-as-promised": { step: "verify", does: "fail", reason: 1, words: "Not as promised: kubelet held" },
  unexplained: { step: "upgrade", does: "fail" },
  "step-too-long": { step: "upgrade", does: "fail", reason: 8, words: 'The step "upgrade" took longer than 1800 s.' },
  stuck: { step: "upgrade", does: "hang" },
  "kernel-panic": { step: "upgrade", does: "panic" },
  "power-off-early": { step: "upgrade", does: "power-off" },
  "power-off-while-sealing": { step: "seal", does: "power-off" },
  "reboot-once": { step: "upgrade", does: "reboot" },
} as const satisfies Record<string, Fault>;

/** Ways for the smoke test of a clone to go wrong. */
export const cloneFaults = {
  "clone-warns": {
    step: "smoke-cloud-init",
    does: "fail",
    reason: 2,
    words: "cloud-init ended with warnings: status: done extended_status: degraded done",
  },
  "clone-cloud-init-fails": {
    step: "smoke-cloud-init",
    does: "fail",
    reason: 1,
    words: "cloud-init ended with an error: status: error",
  },
  "clone-runtime-silent": {
    step: "smoke-containerd",
    does: "fail",
    reason: 2,
    words: "containerd does not answer crictl: connection refused",
  },
  "clone-preflight-fails": {
    step: "smoke-preflight",
    does: "fail",
    reason: 1,
    words:
      "kubeadm init phase preflight ended with 1: [ERROR FileExisting-conntrack]: conntrack not found in system path",
  },
  "clone-unexplained": { step: "smoke-identity", does: "fail" },
  "clone-stuck": { step: "smoke-cloud-init", does: "hang" },
  "clone-powers-off": { step: "smoke-identity", does: "power-off" },
} as const satisfies Record<string, Fault>;

export type FaultName =
  | keyof typeof faults
  | keyof typeof cloneFaults
  | TalosFault
  /** Sealing leaves the machine-id of the build. */
  | "seal-keeps-machine-id"
  /** A new instance gets no new host keys, and the build's are gone. */
  | "no-host-keys"
  /** The host name of the seed is not taken up. */
  | "no-hostname"
  /** cloud-init reads the seed and can make nothing of it. */
  | "broken-seed"
  /** The kernel panics before cloud-init runs. */
  | "panic-at-boot"
  /** Writes to the marker disk never show; everything else goes well. */
  | "no-blockstat"
  /** The guest ignores a request to shut down. */
  | "ignores-shutdown";

/** What the fault does in a step, if it is one that shows in a step. `step` moves it to another step. */
export function faultOf(name: FaultName | undefined, step: string | undefined): Fault | undefined {
  const all: Readonly<Record<string, Fault>> = { ...faults, ...cloneFaults };
  const fault = name === undefined ? undefined : all[name];
  if (fault === undefined) return undefined;
  return step === undefined ? fault : { ...fault, step };
}
