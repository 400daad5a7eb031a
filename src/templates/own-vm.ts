import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { readConfig, type VmConfig } from "../proxmox/vm.ts";
import { readNotes } from "./notes.ts";
import type { Remnant } from "./remnant.ts";

/** Whether a VM's notes hold the lease of this build: its id alone may be somebody else's by now. */
export function isOurs(config: VmConfig, build: string): boolean {
  return readNotes(config.description)?.lease?.build === build;
}

/**
 * The configuration of a build's own VM, looked at before a write (cases.md B45).
 * @throws Failure `conflict` when its notes do not say any more that it is this build's
 */
export async function readOwnConfig(
  proxmox: Proxmox,
  { node, vmid, build }: Remnant & { kind: "vm" },
): Promise<VmConfig> {
  const config = await readConfig(proxmox, node, vmid);
  if (isOurs(config, build)) return config;
  throw new Failure(
    "conflict",
    `VM ${vmid} on node ${node} is not this run's any more: its notes no longer hold the lease of build ${build}. It is left as it is`,
    {
      remedy: ["somebody has deleted the VM or rewritten its notes while it was being built: run again"],
    },
  );
}
