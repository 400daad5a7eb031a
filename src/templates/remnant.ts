import * as z from "zod/mini";

/**
 * Something of ours that exists, or is about to, on a Proxmox VE, with what proves that it is ours. `upid`: the task
 * that makes it and may still run; `whole`: a volume whose transfer has ended. The schema is made when it is needed:
 * most runs find nothing that an earlier one has left.
 */
export const remnantSchema = () =>
  z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("vm"),
      node: z.string(),
      vmid: z.int(),
      build: z.string(),
      upid: z.optional(z.string()),
      /** The VM that it is cloned from, whose id the cloning's task bears. */
      clonedFrom: z.optional(z.int()),
    }),
    z.object({
      kind: z.literal("volume"),
      node: z.string(),
      volume: z.string(),
      upid: z.optional(z.string()),
      whole: z.optional(z.boolean()),
    }),
  ]);
export type Remnant = z.infer<ReturnType<typeof remnantSchema>>;

/**
 * What is about to exist, written where it outlives this process, before the call that makes it. `about` again with
 * the same identity replaces the entry, e.g. when the task's UPID has become known.
 */
export interface Journal {
  about(remnant: Remnant): void;
  settled(remnant: Remnant): void;
}

export function remnantKey(remnant: Remnant): string {
  return remnant.kind === "vm" ? `vm ${remnant.vmid} ${remnant.build}` : `volume ${remnant.node} ${remnant.volume}`;
}

export function sayRemnant(remnant: Remnant): string {
  return remnant.kind === "vm"
    ? `VM ${remnant.vmid} on ${remnant.node}`
    : `volume ${remnant.volume} on ${remnant.node}`;
}

/** The commands that remove it by hand, on the node as root. */
export function removalCommands(remnant: Remnant): string[] {
  return remnant.kind === "vm"
    ? [
        `qm unlock ${remnant.vmid}; qm stop ${remnant.vmid}; qm destroy ${remnant.vmid} --purge   # on node ${remnant.node}, after a look at its notes`,
      ]
    : [`pvesm free ${remnant.volume}   # on node ${remnant.node}`];
}
