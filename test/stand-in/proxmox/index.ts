import { accessRoutes } from "./access/routes.ts";
import { Api } from "./api.ts";
import { makeCertificate } from "./certificate.ts";
import { clusterRoutes } from "./cluster/routes.ts";
import { nodeRoutes } from "./cluster/nodes.ts";
import type { FaultHook } from "./faults.ts";
import { ROOT_TOKEN, type StandInOptions } from "./options.ts";
import { poolRoutes } from "./pools.ts";
import { Seed, type SeedTemplate, type SeedVm, type SeedVolume } from "./seed.ts";
import { ProxyServer } from "./server.ts";
import { storageRoutes } from "./storage/routes.ts";
import { volid } from "./storage/volumes.ts";
import { taskRoutes } from "./task-routes.ts";
import { Transcript, type TranscriptEntry } from "./transcript.ts";
import { vmRoutes } from "./vms/routes.ts";
import { World } from "./world.ts";

export { AgentError } from "./backend/backend.ts";
export type { Backend, BlockCounters, Machine, MachineAgent, MachineRequest } from "./backend/backend.ts";
export type { Fault, FaultHook, FaultRequest } from "./faults.ts";
export { leastPrivileges, type LeastPrivilegeOptions } from "./least-privileges.ts";
export { ROOT_TOKEN, type PveVersion, type StandInOptions, type TaskKind } from "./options.ts";
export { emptyQcow2, type SeedTemplate, type SeedVm, type SeedVolume } from "./seed.ts";
export type { Volume } from "./storage/volumes.ts";
export type { TranscriptEntry } from "./transcript.ts";
export type { Vm } from "./vms/vm.ts";

/** What exists beyond what was there at the start. */
export interface Leftovers {
  vms: { vmid: number; node: string; name: string; template: boolean; lock?: string }[];
  /** Volume ids of disks, ISOs and images to import. */
  volumes: string[];
  /** UPIDs of tasks that still run. */
  tasks: string[];
}

export interface ProxmoxStandIn {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** `USER@REALM!NAME=SECRET` of the token to use. */
  readonly token: string;
  /** PEM. */
  readonly certificate: string;
  /** SHA-256 of the certificate, `AA:BB:…`. */
  readonly fingerprint: string;
  /** The Action's inputs, and the command's environment, with which the product finds this cluster. */
  readonly inputs: Record<string, string>;
  readonly environment: Record<string, string>;
  /** Every request in the order of arrival. */
  readonly transcript: readonly TranscriptEntry[];
  /** The cluster itself, to look at and to change behind the product's back. */
  readonly state: World & Pick<Seed, "addVm" | "addVolume" | "addTemplate">;
  /** Asks this hook before and after each request from now on; undefined: no faults. */
  inject(hook: FaultHook | undefined): void;
  /** `keep` are VMs that are meant to be there, such as finished templates; their disks are not left over either. */
  leftovers(keep?: (vm: { vmid: number; template: boolean; tags: string }) => boolean): Leftovers;
  /** Waits until no task runs and no request is under way, which may yet start one after its sender has died. */
  settle(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a Proxmox VE on loopback; nothing of it stays after `close`. */
export async function startProxmox(options: StandInOptions = {}): Promise<ProxmoxStandIn> {
  const world = new World(options);
  const seed = new Seed(world);
  const api = new Api(world, [
    accessRoutes,
    clusterRoutes,
    nodeRoutes,
    poolRoutes,
    storageRoutes,
    taskRoutes,
    vmRoutes,
  ]);
  const certificate = makeCertificate();
  world.fingerprint = certificate.fingerprint;
  const transcript = new Transcript(options.transcriptFile);
  const settings = {
    port: options.port ?? 0,
    idleMs: options.idleMs ?? 5000,
    latencyMs: options.latencyMs ?? 0,
    unauthorizedMs: options.unauthorizedMs ?? 3000,
  };
  const server = new ProxyServer(world, api, certificate, settings, transcript);
  await server.listen();
  const url = `https://127.0.0.1:${server.port}`;
  const tokenId = options.useToken ?? ROOT_TOKEN.id;
  const token = `${tokenId}=${world.access.tokens.get(tokenId)?.secret}`;
  const { fingerprint } = certificate;
  const close = async () => {
    await server.close();
    await world.close();
  };
  return {
    url,
    token,
    certificate: certificate.certificate,
    fingerprint,
    inputs: { "proxmox-url": url, "proxmox-token": token, "proxmox-fingerprint": fingerprint },
    environment: {
      KUBEHENGE_PROXMOX_URL: url,
      KUBEHENGE_PROXMOX_TOKEN: token,
      KUBEHENGE_PROXMOX_FINGERPRINT: fingerprint,
    },
    transcript: transcript.entries,
    state: Object.assign(world, {
      addVm: (vm: SeedVm) => seed.addVm(vm),
      addVolume: (volume: SeedVolume) => seed.addVolume(volume),
      addTemplate: (template: SeedTemplate) => seed.addTemplate(template),
    }),
    inject: (hook) => server.inject(hook),
    leftovers: (keep = () => false) => leftovers(world, keep),
    settle: async () => {
      const underWay = () => [...server.answering(), ...world.tasks.active().map((task) => task.done)];
      while (underWay().length > 0) await Promise.allSettled(underWay());
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function leftovers(world: World, keep: (vm: { vmid: number; template: boolean; tags: string }) => boolean): Leftovers {
  const kept = new Set<number>();
  for (const { vmid, isTemplate, config, seeded } of world.vms.values()) {
    if (seeded || keep({ vmid, template: isTemplate, tags: config.get("tags") ?? "" })) kept.add(vmid);
  }
  // The disks of a kept VM are those that its configuration names; any other of its id is left over.
  const named = new Set(
    [...kept].flatMap((vmid) => [...(world.vms.get(vmid)?.config.values() ?? [])].map((value) => value.split(",")[0])),
  );
  return {
    vms: [...world.vms.values()]
      .filter((vm) => !kept.has(vm.vmid))
      .map((vm) => ({
        vmid: vm.vmid,
        node: vm.node,
        name: vm.name,
        template: vm.isTemplate,
        ...(vm.lock === undefined ? {} : { lock: vm.lock }),
      })),
    volumes: [...world.volumes].filter((volume) => !volume.seeded && !named.has(volid(volume))).map(volid),
    tasks: world.tasks.active().map((task) => task.upid),
  };
}
