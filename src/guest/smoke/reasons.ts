import type { GuestReason } from "../reasons.ts";

const ownRemedy = "Sealing has left something of the build in the template: this is a defect, please report it.";
const cloudInitRemedy =
  "Cluster API's Proxmox provider would take every clone of this template for failed; the words of cloud-init stand in the clone's log.";

/** Why a proof of a clone failed, by its step; each is one that a cluster's node would fail by, too. */
export const smokeReasons: Readonly<Record<string, readonly GuestReason[]>> = {
  "smoke-cloud-init": [
    { number: 1, title: "cloud-init ended with an error", remedy: cloudInitRemedy },
    { number: 2, title: "cloud-init ended with warnings", remedy: cloudInitRemedy },
    { number: 3, title: "cloud-init did not end" },
  ],
  "smoke-identity": [
    { number: 1, title: "it does not bear the host name of its seed" },
    { number: 2, title: "it has no machine-id" },
    { number: 3, title: "its machine-id is the template's", remedy: ownRemedy },
    { number: 4, title: "it has no ssh host key" },
    { number: 5, title: "its ssh host keys are older than its first boot", remedy: ownRemedy },
    {
      number: 6,
      title: "its network card has no address",
      remedy:
        "Check that the DHCP server of --bridge and --vlan has addresses left, or give --build-address, --build-gateway and --build-dns.",
    },
    { number: 7, title: "the guest agent does not run" },
  ],
  "smoke-containerd": [
    { number: 1, title: "containerd does not run" },
    { number: 2, title: "containerd does not answer as a container runtime" },
    { number: 3, title: "an image that kubeadm names is not there" },
  ],
  "smoke-preflight": [
    { number: 1, title: "kubeadm's preflight checks find an error" },
    { number: 2, title: "kubeadm's preflight checks find something missing" },
  ],
};
