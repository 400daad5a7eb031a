import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { simulatedGuest } from "../../stand-in/guest/index.ts";
import type { SimulatedGuestOptions } from "../../stand-in/guest/index.ts";
import { startProxmox } from "../../stand-in/proxmox/index.ts";
import type { ProxmoxStandIn, StandInOptions } from "../../stand-in/proxmox/index.ts";
import { startUpstreams } from "../../stand-in/upstreams/index.ts";
import type { Upstreams, UpstreamsOptions } from "../../stand-in/upstreams/index.ts";

export interface WorldOptions extends Omit<StandInOptions, "guest"> {
  guest?: SimulatedGuestOptions;
  upstreams?: UpstreamsOptions;
}

/** A Proxmox VE and the upstream servers on loopback, for one test. */
export interface World extends AsyncDisposable {
  proxmox: ProxmoxStandIn;
  upstreams: Upstreams;
  /** The token's secret alone. */
  secret: string;
  /** The environment in which the command finds this world. */
  environment: Record<string, string>;
  /** The inputs with which the Action finds it; the node is named. */
  inputs: Record<string, string>;
  /** A folder of this world's own; home and state of the command lie in it. */
  directory: string;
  /** How many times as fast as real time this world runs. */
  speed: number;
}

export async function startWorld({
  guest,
  upstreams: upstreamsOptions,
  ...options
}: WorldOptions = {}): Promise<World> {
  const upstreams = await startUpstreams(upstreamsOptions);
  const proxmox = await startProxmox({
    unauthorizedMs: 20,
    agentTimeoutMs: 100,
    ...options,
    guest: simulatedGuest({ stepMs: 4, ...guest }),
  });
  const directory = mkdtempSync(path.join(os.tmpdir(), "kubehenge-e2e-"));
  const keyring = path.join(directory, "mirror.asc");
  writeFileSync(keyring, upstreams.ubuntuKeyring);
  return {
    proxmox,
    upstreams,
    secret: proxmox.token.slice(proxmox.token.indexOf("=") + 1),
    directory,
    speed: options.speed ?? 1,
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: directory,
      XDG_STATE_HOME: path.join(directory, "state"),
      ...proxmox.environment,
      ...upstreams.environment,
      KUBEHENGE_UBUNTU_KEYRING: keyring,
    },
    inputs: {
      node: "pve1",
      ...proxmox.inputs,
      ...upstreams.inputs,
      "ubuntu-keyring": keyring,
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([proxmox.close(), upstreams.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
