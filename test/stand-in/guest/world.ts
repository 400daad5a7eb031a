/** What lies around a simulated guest. */
export interface GuestWorld {
  /** Whether a DHCP server answers on the VM's bridge. */
  dhcp: boolean;
  /** The versions that the package repository has of a package; undefined: whichever is asked for. */
  versionsOf(packageName: string): readonly string[] | undefined;
  /** The images that kubeadm of this version names, from this repository. */
  imagesOf(kubernetesVersion: string, repository: string): readonly string[];
}

export const usualWorld: GuestWorld = {
  dhcp: true,
  versionsOf: () => undefined,
  imagesOf: (version, repository) => [
    ...["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"].map(
      (name) => `${repository}/${name}:${version}`,
    ),
    // kubeadm takes CoreDNS from a folder of its own only in the default registry.
    `${repository}${repository === "registry.k8s.io" ? "/coredns" : ""}/coredns:v1.14.6`,
    `${repository}/pause:3.10.2`,
    `${repository}/etcd:3.7.0-0`,
  ],
};
