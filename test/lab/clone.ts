import { setTimeout as pause } from "node:timers/promises";
import { writeIso } from "../../src/guest/iso9660/write-iso.ts";
import { api, apiTask } from "../stand-in/api.ts";
import type { Lab } from "./world.ts";

export interface CloneOptions {
  vmid: number;
  name: string;
  /** cloud-config, as a bootstrap provider writes it. */
  userData: string;
  full: boolean;
  diskGiB: number;
  cores: number;
  memoryMiB: number;
}

/** cloud-config that runs these commands once, after all else. */
export const cloudConfig = (commands: readonly string[]): string =>
  `#cloud-config\nssh_genkeytypes: [ed25519]\nruncmd:\n${commands.map((line) => `  - ${JSON.stringify(line)}\n`).join("")}`;

export interface Ran {
  exitcode: number;
  out: string;
  err: string;
}

/** A clone of a template that has been started. */
export interface Clone {
  vmid: number;
  /** The machine's UUID, which is also cloud-init's instance. */
  uuid: string;
  /** A command through the guest agent. */
  exec(...argv: string[]): Promise<Ran>;
  /** Until the agent answers and cloud-init has ended. @throws Error after so many seconds */
  ready(seconds: number): Promise<Ran>;
  shutdown(): Promise<void>;
  start(): Promise<void>;
  destroy(): Promise<void>;
}

const at = "/nodes/pve1/qemu";

/**
 * Makes a clone as Cluster API's Proxmox provider does (CAPMOX, internal/service/vmservice): clone, resize, hardware, a
 * NoCloud ISO on ide0 with its kind of meta-data and network-config, start.
 */
export async function startClone(lab: Lab, template: number, options: CloneOptions): Promise<Clone> {
  const { vmid } = options;
  const vm = `${at}/${vmid}`;
  await apiTask(lab.proxmox, "POST", `${at}/${template}/clone`, {
    newid: vmid,
    name: options.name,
    full: options.full ? 1 : 0,
  });
  await apiTask(lab.proxmox, "PUT", `${vm}/resize`, { disk: "scsi0", size: `${options.diskGiB}G` });
  await apiTask(lab.proxmox, "POST", `${vm}/config`, {
    cores: options.cores,
    memory: options.memoryMiB,
    net0: "virtio,bridge=vmbr0",
  });
  const config = (await api(lab.proxmox, "GET", `${vm}/config`)) as Record<string, string>;
  const uuid = /uuid=([0-9a-f-]+)/.exec(config["smbios1"] ?? "")?.[1] ?? "";
  const mac = /virtio=([0-9A-F:]+)/.exec(config["net0"] ?? "")?.[1]?.toLowerCase() ?? "";
  const iso = `iso/user-data-${vmid}.iso`;
  const bytes = writeIso(seedFiles(options, uuid, mac), { label: "cidata", created: new Date() });
  lab.proxmox.state.addVolume({ storage: "local", node: "pve1", name: iso, bytes });
  await apiTask(lab.proxmox, "POST", `${vm}/config`, {
    ide0: `local:${iso},media=cdrom`,
    boot: `${config["boot"]};ide0`,
  });
  await apiTask(lab.proxmox, "POST", `${vm}/status/start`);
  return handle(lab, options, uuid);
}

function seedFiles(options: CloneOptions, uuid: string, mac: string): { name: string; bytes: Uint8Array }[] {
  const metaData = [
    `instance-id: ${uuid}`,
    `local-hostname: ${options.name}`,
    `hostname: ${options.name}`,
    `provider-id: proxmox://${uuid}`,
    "kubernetes-version: v1.37.1",
    "",
  ].join("\n");
  const networkConfig = `network:
  version: 2
  renderer: networkd
  ethernets:
    eth0:
      match:
        macaddress: ${mac}
      dhcp4: true
      dhcp6: false
`;
  const files = { "user-data": options.userData, "meta-data": metaData, "network-config": networkConfig };
  return Object.entries(files).map(([name, content]) => ({ name, bytes: new TextEncoder().encode(content) }));
}

function handle(lab: Lab, { vmid, name }: CloneOptions, uuid: string): Clone {
  const vm = `${at}/${vmid}`;
  const exec = async (...argv: string[]): Promise<Ran> => {
    const { pid } = (await api(lab.proxmox, "POST", `${vm}/agent/exec`, { command: argv })) as { pid: number };
    const status = (await api(lab.proxmox, "GET", `${vm}/agent/exec-status`, { pid })) as {
      exitcode: number;
      "out-data"?: string;
      "err-data"?: string;
    };
    return {
      exitcode: status.exitcode,
      out: status["out-data"] ?? "",
      err: status["err-data"] ?? "",
    };
  };
  return {
    vmid,
    uuid,
    exec,
    ready: async (seconds) => {
      const end = performance.now() + seconds * 1000;
      let last = "its guest agent never answered";
      while (performance.now() < end) {
        try {
          await api(lab.proxmox, "POST", `${vm}/agent/ping`);
          const status = await exec("cloud-init", "status", "--long");
          last = status.out;
          if (!/^status: (running|not started|not run)/m.test(status.out)) return status;
        } catch (error) {
          last = String(error);
        }
        await pause(3000);
      }
      throw new Error(`${name} was not ready after ${seconds} s: ${last}`);
    },
    shutdown: () => apiTask(lab.proxmox, "POST", `${vm}/status/shutdown`, { timeout: 120 }),
    start: () => apiTask(lab.proxmox, "POST", `${vm}/status/start`),
    destroy: async () => {
      await apiTask(lab.proxmox, "POST", `${vm}/status/stop`);
      await apiTask(lab.proxmox, "DELETE", vm);
    },
  };
}
