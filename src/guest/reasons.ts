import { smokeReasons } from "./smoke/reasons.ts";

/** Why a step failed, as far as the guest can say it in one number: seen with VM.Audit alone, without network or agent. */
export interface GuestReason {
  /** 1 to 9, within its step. */
  number: number;
  /** For people, after "The guest failed while …: ". */
  title: string;
  /** What to do about it. */
  remedy?: string;
}

const networkRemedy =
  "Check --bridge and --vlan, and that a DHCP server answers there; or give --build-address, --build-gateway and --build-dns.";
const diskFull: GuestReason = {
  number: 9,
  title: "the root file system is full",
  remedy: "Give the VM a bigger disk: --disk-size.",
};
const tooLong: GuestReason = { number: 8, title: "it took longer than its bound" };

const byStep: Readonly<Record<string, readonly GuestReason[]>> = {
  network: [
    { number: 1, title: "it has no network card", remedy: networkRemedy },
    { number: 2, title: "it got no address", remedy: networkRemedy },
    { number: 3, title: "it has no default route", remedy: networkRemedy },
    { number: 4, title: "its gateway does not answer", remedy: networkRemedy },
    { number: 5, title: "it cannot resolve names by DNS", remedy: networkRemedy },
    {
      number: 6,
      title: "it cannot connect to the package mirror",
      remedy: "Check the route and firewall of the build network, or give a mirror it can reach: --apt-mirror.",
    },
    {
      number: 7,
      title: "it cannot connect to the Kubernetes package repository or to the image registry",
      remedy:
        "Check the firewall of the build network, or give what it can reach: --kubernetes-packages-url, --image-repository.",
    },
  ],
  "package-lists": [
    { number: 1, title: "the package mirror does not stand in for any source of the image" },
    { number: 2, title: "the signature of a package list does not hold" },
    { number: 3, title: "the package lists cannot be fetched" },
    { number: 4, title: "another process kept the package lock" },
  ],
  agent: [
    { number: 1, title: "qemu-guest-agent cannot be installed" },
    { number: 4, title: "another process kept the package lock" },
  ],
  upgrade: [
    { number: 1, title: "the upgrade failed" },
    { number: 4, title: "another process kept the package lock" },
  ],
  "kubernetes-packages": [
    { number: 1, title: "the packages cannot be installed" },
    { number: 2, title: "a package of the wanted version is not in the repository" },
    { number: 3, title: "the signature of a package list does not hold" },
    { number: 4, title: "another process kept the package lock" },
  ],
  "kubernetes-node": [
    { number: 1, title: "kubeadm does not name a sandbox image" },
    { number: 2, title: "containerd's configuration could not be set" },
    { number: 3, title: "containerd does not run" },
    { number: 4, title: "a kernel module or setting is missing" },
  ],
  "kubernetes-images": [
    { number: 1, title: "an image cannot be pulled" },
    { number: 2, title: "an image is missing after the pull" },
  ],
  verify: [{ number: 1, title: "something promised is not there" }],
  seal: [{ number: 1, title: "something of the build is left" }],
};

/** The reasons that this step's script may give, and the two that any step may meet. */
export function reasonsOf(stepName: string): readonly GuestReason[] {
  return [...(byStep[stepName] ?? smokeReasons[stepName] ?? []), tooLong, diskFull];
}
