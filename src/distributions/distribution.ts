import type { KubernetesSource } from "../sources/kubernetes/index.ts";
import type { TalosSource } from "../sources/talos/index.ts";
import type { UbuntuSource } from "../sources/ubuntu/index.ts";
import type { Target } from "./target.ts";

export type Architecture = "amd64" | "arm64";

/** Where versions, images and keys come from; each is loaded when it is first asked for. */
export interface Sources {
  ubuntu(): Promise<UbuntuSource>;
  talos(): Promise<TalosSource>;
  kubernetes(): Promise<KubernetesSource>;
}

/** What a person selected: selectors are exact versions, semver ranges or `latest`. */
export interface Selection {
  versions: readonly string[];
  ubuntuRelease: string | undefined;
}

/** An upstream disk image and the name it gets in the import storage. */
export interface Image {
  url: string;
  /** Bears the digest or the schematic, so that other bytes have another name. */
  fileName: string;
  /** Hex digits; Proxmox VE refuses other bytes. Absent where upstream publishes none. */
  sha256?: string;
}

/** One fact that was verified, for the summary and the manifest. */
export interface Verification {
  what: string;
  /** `signature`: of a pinned key; `tls`: nothing but the transport. */
  by: "signature" | "tls";
  /** Fingerprint of the key. */
  signer?: string;
  /** ISO 8601. */
  signedAt?: string;
  detail?: string;
}

/** Packages of Kubernetes, verified before any VM exists. */
export interface KubernetesRecipe {
  version: string;
  repositoryUrl: string;
  keyArmored: string;
  packages: { kubeadm: string; kubelet: string; kubectl: string; criTools: string; kubernetesCni?: string };
}

export interface Hardware {
  bios: "seabios" | "ovmf";
  machine?: string;
  cpu?: string;
  scsihw: string;
  vga?: string;
}

/** All that a build takes from outside, checked. */
export interface Ingredients {
  image: Image;
  hardware: Hardware;
  /** What the guest does in its only boot; absent where the image is taken as it is. */
  guest?: { kubernetes?: KubernetesRecipe };
  /** GiB that the disk needs for updates and pulled images, unless more is asked for. */
  diskGiB?: number;
  verified: readonly Verification[];
  /** What a person should know before it is used, by title. */
  warnings?: readonly { title: string; text: string }[];
}

export interface Distribution {
  /** What `versions` means here: "Talos". */
  versionOf: string;
  /** Exact targets, in the order of the selectors, each once. Needs no network for exact versions. */
  targets(selection: Selection, sources: Sources): Promise<Target[]>;
  /**
   * Fetches and verifies what a target is made of; what was asked in this run is remembered unless `fresh`.
   * @throws Failure `verification`, `not-found`
   */
  ingredients(
    target: Target,
    arch: Architecture,
    sources: Sources,
    options?: { fresh?: boolean },
  ): Promise<Ingredients>;
}

export function uniqueTargets(targets: readonly Target[]): Target[] {
  return [...new Map(targets.map((target) => [target.name, target])).values()];
}
