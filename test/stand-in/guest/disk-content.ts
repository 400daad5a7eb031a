/** What the simulated guest leaves on scsi0: plain data, so that a copy of the disk copies it. */
export interface GuestDisk {
  kind: "simulated-ubuntu";
  boots: number;
  /** True after a build has sealed it, until the next boot with another instance. */
  sealed: boolean;
  /** Empty on a sealed disk: the next boot takes the VM's SMBIOS UUID. */
  machineId: string;
  /** cloud-init's instance; absent where cloud-init has never run or was cleaned. */
  instanceId?: string;
  hostname: string;
  hostKeys: string[];
  /** The netplan file that cloud-init wrote, by its card's MAC address. */
  netplan?: { mac: string; addresses: string[] };
  packages: Record<string, string>;
  held: string[];
  images: string[];
  /** Build files that are still there. */
  buildFiles: string[];
  /** The commands that first boots ran, in the order they ran. */
  commands: string[];
}

/** An Ubuntu cloud image that was never booted. */
export function freshDisk(): GuestDisk {
  return {
    kind: "simulated-ubuntu",
    boots: 0,
    sealed: false,
    machineId: "",
    hostname: "ubuntu",
    hostKeys: [],
    packages: { "cloud-init": "26.1-0ubuntu1", "linux-image-virtual": "7.0.0-12.12", openssl: "3.5.5-1ubuntu1" },
    held: [],
    images: [],
    buildFiles: [],
    commands: [],
  };
}

/** The disk's content as a guest's; anything else, such as a mere image, counts as never booted. */
export function guestDisk(content: unknown): GuestDisk {
  const known =
    typeof content === "object" && content !== null && "kind" in content && content.kind === "simulated-ubuntu";
  return known ? structuredClone(content as GuestDisk) : freshDisk();
}
