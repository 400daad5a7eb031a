import { randomBytes } from "node:crypto";
import type { Architecture, Hardware } from "../distributions/distribution.ts";
import type { Target } from "../distributions/target.ts";
import type { Parameters } from "../proxmox/client.ts";
import { takesFormat } from "../proxmox/storage.ts";
import type { Place } from "./place.ts";

export interface MachineInput {
  vmid: number;
  target: Target;
  hardware: Hardware;
  place: Place;
  /** `STORAGE:import/NAME` */
  image: string;
  notes: string;
  /** What a guest needs for its boot; absent where none boots. */
  boot: { seed: string; mac: string; bridge: string; vlan: number | undefined } | undefined;
}

/** Drive of the seed: never ide0, which belongs to the clones' own; arm64's machine has no IDE (CAPMOX#523). */
export function seedDrive(arch: Architecture): "ide2" | "scsi2" {
  return arch === "arm64" ? "scsi2" : "ide2";
}

/** A unicast MAC address of Proxmox's own prefix. */
export function newMac(): string {
  return [
    "BC",
    "24",
    "11",
    ...[...randomBytes(3)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()),
  ].join(":");
}

/**
 * Parameters of `POST /nodes/{node}/qemu` for a build VM. No tags: since PVE 9.2 they would be checked without the pool
 * once the image has been imported. No `template`: it would skip the conversion of the disk.
 */
export function createParameters(input: MachineInput): Parameters {
  const { place, hardware, boot } = input;
  const format = takesFormat(place.disk) ? ",format=qcow2" : "";
  return {
    vmid: input.vmid,
    name: `build-${input.target.name}`,
    pool: place.pool,
    description: input.notes,
    ostype: "l26",
    bios: hardware.bios,
    machine: hardware.machine,
    cpu: hardware.cpu,
    scsihw: hardware.scsihw,
    ...(hardware.bios === "ovmf" ? { efidisk0: `${place.disk.name}:1,efitype=4m,pre-enrolled-keys=0${format}` } : {}),
    scsi0: `${place.disk.name}:0,import-from=${input.image}${format},discard=on,ssd=1`,
    boot: "order=scsi0",
    agent: "enabled=1,fstrim_cloned_disks=1",
    serial0: "socket",
    vga: hardware.vga,
    // Kubelet takes the memory it sees at its start for the node's: none is to be taken away later.
    balloon: 0,
    ...(boot
      ? {
          cores: 2,
          memory: 2048,
          net0: `virtio=${boot.mac},bridge=${boot.bridge}${boot.vlan === undefined ? "" : `,tag=${boot.vlan}`}`,
          scsi1: `${place.disk.name}:0.01`,
          [seedDrive(place.arch)]: `${boot.seed},media=cdrom`,
        }
      : templateSize),
  };
}

// Small, so that a clone's own size always differs: with equal values CAPMOX's reconciliation stalls (CAPMOX#848).
const templateSize = { cores: 1, memory: 512 };

/** Parameters of the PUT that takes the build's hardware away: `force` removes the marker disk itself, too. */
export function strippedParameters(arch: Architecture): Parameters {
  return { ...templateSize, delete: ["net0", seedDrive(arch), "scsi1"].join(","), force: 1 };
}
