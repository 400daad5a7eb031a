import type { BuildWork } from "./build-seed.ts";
import type { GuestDisk } from "./disk-content.ts";
import type { GuestWorld } from "./world.ts";

/** A step's script ended with `fail NUMBER WORDS`. */
export interface StepFailure {
  reason: number;
  words: string;
}

interface Scene {
  work: BuildWork;
  disk: GuestDisk;
  world: GuestWorld;
  /** Sealing is to leave the machine-id as it is. */
  keepsMachineId?: boolean;
}

/** What each step leaves on the disk, or how it fails in this world. Steps without an entry leave nothing. */
const effects: Readonly<Record<string, (scene: Scene) => StepFailure | undefined>> = {
  network: ({ disk }) =>
    disk.netplan === undefined || disk.netplan.addresses.length === 0
      ? { reason: 2, words: "No network card has an address: lo UNKNOWN 127.0.0.1/8" }
      : undefined,

  agent: ({ disk }) => {
    Object.assign(disk.packages, {
      "qemu-guest-agent": "1:10.2.1+ds-1ubuntu3",
      "ca-certificates": "20260601",
      curl: "8.18.0-1ubuntu2",
    });
    return undefined;
  },

  upgrade: ({ disk }) => {
    disk.packages["openssl"] = "3.5.5-1ubuntu1.2";
    disk.packages["linux-image-virtual"] = "7.0.0-14.14";
    return undefined;
  },

  "kubernetes-packages": ({ work, disk, world }) => {
    const wanted = [
      ["kubeadm", "KUBEADM_PACKAGE"],
      ["kubelet", "KUBELET_PACKAGE"],
      ["kubectl", "KUBECTL_PACKAGE"],
      ["cri-tools", "CRI_TOOLS_PACKAGE"],
      ["kubernetes-cni", "KUBERNETES_CNI_PACKAGE"],
    ] as const;
    for (const [name, key] of wanted) {
      const available = world.versionsOf(name);
      const version = work.settings.get(key) || (available?.at(-1) ?? "1.8.0-1.1");
      if (available !== undefined && !available.includes(version)) {
        return {
          reason: 2,
          words: `The package ${name}=${version} is not in ${work.settings.get("KUBERNETES_REPOSITORY")}.`,
        };
      }
      disk.packages[name] = version;
    }
    Object.assign(disk.packages, {
      containerd: "2.2.1-0ubuntu1~26.04.1",
      conntrack: "1:1.4.8-2",
      ethtool: "1:6.15-3",
      iptables: "1.8.11-2ubuntu2",
      socat: "1.8.0.3-1build1",
    });
    disk.held = wanted.map(([name]) => name);
    return undefined;
  },

  "kubernetes-images": ({ work, disk, world }) => {
    const repository = work.settings.get("IMAGE_REPOSITORY") || "registry.k8s.io";
    disk.images = [...world.imagesOf(work.settings.get("KUBERNETES_VERSION") ?? "", repository)];
    return undefined;
  },

  seal: ({ disk, keepsMachineId }) => {
    disk.sealed = true;
    if (!keepsMachineId) disk.machineId = "";
    disk.hostname = "localhost";
    disk.hostKeys = [];
    disk.buildFiles = [];
    delete disk.instanceId;
    delete disk.netplan;
    return undefined;
  },

  "smoke-identity": ({ work, disk }) => {
    const wanted = work.settings.get("SMOKE_HOSTNAME");
    if (disk.hostname !== wanted) return { reason: 1, words: `The host name is ${disk.hostname}, not ${wanted}.` };
    if (disk.machineId === "") return { reason: 2, words: "/etc/machine-id holds no machine-id: " };
    if (disk.machineId === work.settings.get("TEMPLATE_MACHINE_ID"))
      return { reason: 3, words: `The machine-id ${disk.machineId} is made of the template's SMBIOS UUID.` };
    if (disk.hostKeys.length === 0) return { reason: 4, words: "There is no host key in /etc/ssh." };
    if (disk.netplan === undefined || disk.netplan.addresses.length === 0)
      return { reason: 6, words: "No network card has an address: lo UNKNOWN 127.0.0.1/8" };
    if (disk.packages["qemu-guest-agent"] === undefined)
      return { reason: 7, words: "qemu-guest-agent does not run: inactive" };
    return undefined;
  },

  "smoke-containerd": ({ work, disk, world }) => {
    if (disk.packages["containerd"] === undefined) return { reason: 1, words: "containerd does not run: not found" };
    const repository = work.settings.get("IMAGE_REPOSITORY") || "registry.k8s.io";
    const missing = world
      .imagesOf(work.settings.get("KUBERNETES_VERSION") ?? "", repository)
      .find((image) => !disk.images.includes(image));
    return missing === undefined ? undefined : { reason: 3, words: `The image ${missing} is not in containerd.` };
  },

  "smoke-preflight": ({ disk }) => {
    const missing = ["kubelet", "conntrack", "socat"].find((name) => disk.packages[name] === undefined);
    return missing === undefined
      ? undefined
      : { reason: 1, words: `kubeadm init phase preflight ended with 1: [ERROR]: ${missing} not found` };
  },
};

export function playStep(name: string, scene: Scene): StepFailure | undefined {
  return effects[name]?.(scene);
}
