import { Failure } from "../failure/failure.ts";
import {
  uniqueTargets,
  type Architecture,
  type Distribution,
  type Hardware,
  type Image,
  type Sources,
  type Verification,
} from "./distribution.ts";
import { ubuntuTarget } from "./target.ts";

/** RKE2's and k3s' template: Ubuntu with every update and the guest agent. */
export function ubuntu(distribution: "rke2" | "k3s"): Distribution {
  return {
    versionOf: "Ubuntu",

    async targets({ versions, ubuntuRelease }, sources) {
      if (versions.length > 0 && ubuntuRelease !== undefined && versions.some((version) => version !== ubuntuRelease)) {
        throw new Failure(
          "usage",
          `Two Ubuntu releases were given for ${distribution}: versions ${versions.join(", ")} and ubuntu-release ${ubuntuRelease}`,
          {
            remedy: ["give one of them: for rke2 and k3s they mean the same"],
          },
        );
      }
      const selectors = versions.length > 0 ? versions : [ubuntuRelease];
      const releases = await Promise.all(selectors.map((selector) => resolveRelease(selector, sources)));
      return uniqueTargets(releases.map((release) => ubuntuTarget(distribution, release)));
    },

    async ingredients(target, arch, sources, options) {
      const { image, verified } = await ubuntuImage(target.version, arch, sources, options);
      // 3.5 GiB as it comes; a full upgrade with a new kernel beside the old one took 1.5 GiB.
      return { image, hardware: ubuntuHardware(arch), guest: {}, diskGiB: 6, verified: [verified] };
    },
  };
}

/** A release's number by itself; codenames, ranges and the newest LTS by the source. */
export async function resolveRelease(selector: string | undefined, sources: Sources): Promise<string> {
  return selector !== undefined && /^\d\d\.\d\d$/.test(selector)
    ? selector
    : await (await sources.ubuntu()).resolveRelease(selector);
}

export async function ubuntuImage(
  release: string,
  arch: Architecture,
  sources: Sources,
  options: { fresh?: boolean } | undefined,
): Promise<{ image: Image; verified: Verification }> {
  const image = await (await sources.ubuntu()).image(release, arch, options);
  return {
    image: {
      url: image.url,
      fileName: `kubehenge-ubuntu-${release}-${arch}-${image.sha256.slice(0, 16)}.qcow2`,
      sha256: image.sha256,
    },
    verified: {
      what: `Ubuntu ${release} cloud image ${image.fileName}`,
      by: "signature",
      signer: image.signer,
      signedAt: image.signedAt.toISOString(),
      detail: `sha256:${image.sha256} from ${image.listUrl}`,
    },
  };
}

// Ubuntu's images boot with SeaBIOS on the default machine; a serial console shows what they print (LP #1573095).
// CPU: Proxmox VE's own default for new VMs, so that clones can move between nodes.
export function ubuntuHardware(arch: Architecture): Hardware {
  return arch === "arm64"
    ? { bios: "ovmf", scsihw: "virtio-scsi-single", vga: "serial0" }
    : { bios: "seabios", cpu: "x86-64-v2-AES", scsihw: "virtio-scsi-single", vga: "serial0" };
}
