import type { FaultHook } from "../stand-in/proxmox/index.ts";

/** Which VMs a clone of theirs has proven, as the calls to Proxmox VE show it. */
export interface Proofs {
  hook: FaultHook;
  /** A smoke test's clone of it has come and gone, and no VM of that id was deleted since. */
  isProven(vmid: number): boolean;
}

export function watchProofs(): Proofs {
  const clones = new Map<number, number>();
  const proven = new Set<number>();
  return {
    isProven: (vmid) => proven.has(vmid),
    hook({ method, path, params, phase, status }) {
      if (phase !== "after" || status !== 200) return undefined;
      const vmid = Number(/^\/nodes\/[^/]+\/qemu\/(\d+)/.exec(path)?.[1]);
      if (method === "POST" && path.endsWith("/clone") && String(params["name"]).startsWith("kubehenge-smoke-"))
        clones.set(Number(params["newid"]), vmid);
      if (method === "DELETE" && /\/qemu\/\d+$/.test(path)) {
        const source = clones.get(vmid);
        clones.delete(vmid);
        proven.delete(vmid);
        if (source !== undefined) proven.add(source);
      }
      return undefined;
    },
  };
}
