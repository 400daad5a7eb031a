import { uniqueTargets, type Distribution } from "./distribution.ts";
import { resolveVersions } from "./resolve-version.ts";
import { kubeadmTarget } from "./target.ts";
import { resolveRelease, ubuntuHardware, ubuntuImage } from "./ubuntu.ts";

export const kubeadm: Distribution = {
  versionOf: "Kubernetes",

  async targets({ versions, ubuntuRelease }, sources) {
    const [release, resolved] = await Promise.all([
      resolveRelease(ubuntuRelease, sources),
      resolveVersions(versions, sources.kubernetes),
    ]);
    return uniqueTargets(resolved.map((version) => kubeadmTarget(version, release)));
  },

  async ingredients(target, arch, sources, options) {
    const source = await sources.kubernetes();
    const [{ image, verified }, packages] = await Promise.all([
      ubuntuImage(target.ubuntuRelease ?? "", arch, sources, options),
      source.packages(target.version, arch),
    ]);
    const { kubeadm: kubeadmPackage, kubelet, kubectl, criTools, kubernetesCni } = packages;
    return {
      image,
      hardware: ubuntuHardware(arch),
      guest: {
        kubernetes: {
          version: target.version,
          repositoryUrl: packages.repositoryUrl,
          keyArmored: packages.key.armored,
          packages: { kubeadm: kubeadmPackage, kubelet, kubectl, criTools, kubernetesCni },
        },
      },
      // The control plane's images take about 1 GiB unpacked beside their layers.
      diskGiB: 10,
      verified: [
        verified,
        {
          what: `Kubernetes ${target.version} packages`,
          by: "signature",
          signer: packages.verified.signer,
          signedAt: packages.verified.signedAt.toISOString(),
          detail: `${packages.repositoryUrl}: kubeadm ${kubeadmPackage}, kubelet ${kubelet}${packages.key.expires ? `; the key expires ${packages.key.expires.toISOString().slice(0, 10)}` : ""}`,
        },
      ],
    };
  },
};
