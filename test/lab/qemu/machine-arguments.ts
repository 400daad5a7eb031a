import type { MachineRequest } from "../../stand-in/proxmox/backend/backend.ts";
import { hasAgent } from "../../stand-in/proxmox/vms/power.ts";
import { network } from "../network.ts";
import type { Engine, MachineFiles } from "./machine.ts";

// Without these a kernel under emulation spends its time on hardware that is not there.
const kernelArguments =
  "root=LABEL=cloudimg-rootfs ro console=ttyS0 quiet loglevel=4 mitigations=off audit=0 unknown_nmi_panic";

/** QEMU's arguments for a machine with the devices that Proxmox VE gives it (PVE::QemuServer, config_to_command). */
export function machineArguments(
  engine: Engine,
  request: MachineRequest,
  given: Pick<MachineFiles, "files" | "console">,
  sockets: { monitor: string; agent: string },
): string[] {
  const accelerated = engine.accelerator === "kvm";
  return [
    "-name",
    `vm-${request.vmid}`,
    "-nodefaults",
    "-display",
    "none",
    "-no-shutdown",
    "-machine",
    "pc",
    "-accel",
    accelerated ? "kvm" : "tcg,thread=multi",
    "-cpu",
    accelerated ? "host" : "Nehalem",
    "-smp",
    String(request.cores),
    "-m",
    String(Math.min(request.memoryMiB, engine.memoryLimitMiB)),
    "-smbios",
    `type=1,uuid=${request.smbiosUuid}`,
    "-kernel",
    engine.kernel,
    "-initrd",
    engine.initrd,
    "-append",
    kernelArguments,
    "-qmp",
    `unix:${sockets.monitor},server=on,wait=off`,
    ...(request.config.has("serial0") ? ["-serial", `file:${given.console}`] : []),
    ...request.disks.flatMap(({ device }) => disk(device, given)),
    ...request.cdroms.flatMap(({ device }) => cdrom(device, given)),
    ...request.networks.flatMap((card) => networkCard(card, engine)),
    ...(engine.agentPort && hasAgent(request.config) ? agentPort(sockets.agent) : []),
  ];
}

/** virtio-scsi-single: a controller for each disk; `device_id` is by what udev names the disk in the guest. */
function disk(device: string, { files }: Pick<MachineFiles, "files">): string[] {
  const found = files.get(device);
  if (found === undefined || !device.startsWith("scsi")) throw new Error(`the lab has no drive ${device}`);
  return [
    "-device",
    `virtio-scsi-pci,id=bus-${device}`,
    // Whether the machine under it loses its power does not matter to a lab.
    "-drive",
    `file=${found.file},if=none,id=drive-${device},format=${found.format},cache=unsafe,discard=unmap,detect-zeroes=unmap`,
    "-device",
    `scsi-hd,bus=bus-${device}.0,drive=drive-${device},id=${device},device_id=drive-${device}`,
  ];
}

/** ide0 and ide1 lie on the first bus, ide2 and ide3 on the second. */
function cdrom(device: string, { files }: Pick<MachineFiles, "files">): string[] {
  const number = Number(/^ide([0-3])$/.exec(device)?.[1] ?? NaN);
  if (Number.isNaN(number)) throw new Error(`the lab has no CD-ROM drive ${device}`);
  const file = files.get(device)?.file;
  return [
    ...(file === undefined
      ? []
      : ["-drive", `file=${file},if=none,id=drive-${device},media=cdrom,format=raw,readonly=on`]),
    "-device",
    `ide-cd,bus=ide.${number >> 1},unit=${number & 1},id=${device}${file === undefined ? "" : `,drive=drive-${device}`}`,
  ];
}

function networkCard({ device, mac, bridge }: MachineRequest["networks"][number], engine: Engine): string[] {
  const behind = engine.deadBridges.includes(bridge)
    ? `hubport,id=${device},hubid=${device.slice(3)}`
    : `user,id=${device},net=${network.subnet},host=${network.gateway},dns=${network.dns}`;
  return ["-netdev", behind, "-device", `virtio-net-pci,netdev=${device},id=card-${device},mac=${mac}`];
}

function agentPort(socket: string): string[] {
  return [
    "-device",
    "virtio-serial-pci",
    "-chardev",
    `socket,id=agent,path=${socket},server=on,wait=off`,
    "-device",
    "virtserialport,chardev=agent,name=org.qemu.guest_agent.0",
  ];
}
