import { writeFileSync } from "node:fs";
import path from "node:path";
import { simulatedGuest } from "../stand-in/guest/index.ts";
import { startProxmox } from "../stand-in/proxmox/index.ts";
import type { ProxmoxStandIn } from "../stand-in/proxmox/index.ts";
import { startUpstreams } from "../stand-in/upstreams/index.ts";
import type { Upstreams } from "../stand-in/upstreams/index.ts";

/** A Proxmox VE and the upstream servers on loopback, and the inputs with which the Action finds them. */
export interface World extends AsyncDisposable {
  proxmox: ProxmoxStandIn;
  upstreams: Upstreams;
  inputs: Record<string, string>;
}

/**
 * Starts both stand-ins. Tasks take long enough to be waited for, and every call as long as it does in a local network.
 * @param directory where the test mirror's public key is put
 */
export async function startWorld(directory: string): Promise<World> {
  const upstreams = await startUpstreams({ latencyMs: 5 });
  const proxmox = await startProxmox({
    version: "9.2.11",
    nodes: [{ name: "pve1" }, { name: "pve2" }],
    latencyMs: 5,
    taskMs: { download: 600, qmcreate: 900, qmtemplate: 200 },
    guest: simulatedGuest({ stepMs: 150 }),
  });
  const keyring = path.join(directory, "test-mirror.asc");
  writeFileSync(keyring, upstreams.ubuntuKeyring);
  return {
    proxmox,
    upstreams,
    inputs: {
      node: "pve1",
      ...proxmox.inputs,
      ...upstreams.inputs,
      "ubuntu-keyring": keyring,
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([proxmox.close(), upstreams.close()]);
    },
  };
}
