import type { GuestPlan } from "../../../src/guest/index.ts";

export const ubuntuPlan: GuestPlan = {
  instanceId: "kubehenge-20261130-1",
  hostname: "kubehenge-build",
  mac: "BC:24:11:00:00:01",
  network: { kind: "dhcp" },
  timeoutSeconds: 3600,
};

export const kubeadmPlan: GuestPlan = {
  ...ubuntuPlan,
  network: { kind: "static", address: "192.0.2.10/24", gateway: "192.0.2.1", dns: ["192.0.2.53", "2001:db8::53"] },
  aptMirror: "http://mirror.example.org:8080/ubuntu",
  kubernetes: {
    version: "v1.37.1",
    repositoryUrl: "https://pkgs.k8s.io/core:/stable:/v1.37/deb/",
    keyArmored:
      "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQENBGMHoXcBCADukGOEQyleViOgtkMVa7hKifP6POCTh+98xNW4TfHK/nBJN2sm\n=abcd\n-----END PGP PUBLIC KEY BLOCK-----\n",
    packages: {
      kubeadm: "1.37.1-1.1",
      kubelet: "1.37.1-1.1",
      kubectl: "1.37.1-1.1",
      criTools: "1.36.0-1.1",
      kubernetesCni: "1.8.0-1.1",
    },
    imageRepository: "registry.example.org:5000/kubernetes",
  },
};
