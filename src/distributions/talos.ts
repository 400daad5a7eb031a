import { Failure } from "../failure/failure.ts";
import { uniqueTargets, type Architecture, type Distribution } from "./distribution.ts";
import { resolveVersions } from "./resolve-version.ts";
import { talosTarget } from "./target.ts";

export const talos: Distribution = {
  versionOf: "Talos",

  async targets({ versions, ubuntuRelease }, sources) {
    if (ubuntuRelease !== undefined)
      throw new Failure(
        "usage",
        `An Ubuntu release (${ubuntuRelease}) was given for Talos, which has none: leave ubuntu-release out`,
      );
    return uniqueTargets((await resolveVersions(versions, sources.talos)).map(talosTarget));
  },

  async ingredients(target, arch, sources) {
    const image = await (await sources.talos()).image(target.version, arch);
    return {
      image: {
        url: image.url,
        fileName: `kubehenge-talos-${target.version}-${arch}-${image.schematicId.slice(0, 16)}.qcow2`,
      },
      hardware: hardware(arch),
      verified: [
        {
          what: `Talos ${target.version} disk image`,
          by: "tls",
          detail: `${image.url}: the Image Factory signs no disk images; schematic ${image.schematicId} computed here and confirmed by the factory`,
        },
      ],
      warnings: image.url.startsWith("http:") ? [plainHttp(image.url)] : [],
    };
  },
};

/** Signatures hold what comes from an http mirror; for Talos nothing but the transport does. */
function plainHttp(url: string) {
  return {
    title: "A Talos image over plain http",
    text: `${url} is not encrypted, and the Image Factory signs no disk images: whoever sits in between can change it unseen`,
  };
}

// Talos' page on Proxmox VE: UEFI with an EFI disk that has no enrolled keys, q35, VirtIO SCSI but not "single", a
// serial port. Its `host` CPU would tie clones to nodes of one kind; x86-64-v2-AES is what Talos itself requires.
function hardware(arch: Architecture) {
  return arch === "arm64"
    ? { bios: "ovmf" as const, scsihw: "virtio-scsi-pci" }
    : { bios: "ovmf" as const, machine: "q35", cpu: "x86-64-v2-AES", scsihw: "virtio-scsi-pci" };
}
