import type { Proxmox } from "../proxmox/client.ts";
import { remnantKey, type Journal, type Remnant } from "./remnant.ts";
import { removeRemnant } from "./remove-remnant.ts";

/** What could not be removed, and why in Proxmox VE's words. */
export interface Left {
  remnant: Remnant;
  why: string;
}

/** What has to be undone if the work does not end well, registered before each step; undone in reverse order. */
export interface Undo {
  /** Registers what the next step makes, in the journal too. */
  push(remnant: Remnant): void;
  /** Removes one now, as a step of a build that goes well. */
  remove(proxmox: Proxmox, remnant: Remnant): Promise<void>;
  /** It is no remnant any more: it became the template, or it never came to be. */
  release(remnant: Remnant): void;
  /** Removes all that is registered. Never throws: what stays is answered. */
  run(proxmox: Proxmox): Promise<Left[]>;
  readonly pending: readonly Remnant[];
}

const pauseMs = 2000;

export function createUndo(journal: Journal): Undo {
  const stack = new Map<string, Remnant>();
  const release = (remnant: Remnant) => {
    stack.delete(remnantKey(remnant));
    journal.settled(remnant);
  };
  return {
    push(remnant) {
      stack.set(remnantKey(remnant), remnant);
      journal.about(remnant);
    },
    async remove(proxmox, remnant) {
      // As it was registered last: its task may have become known since.
      await removeRemnant(proxmox, stack.get(remnantKey(remnant)) ?? remnant);
      release(remnant);
    },
    release,
    async run(proxmox) {
      const removeAll = async () => {
        const left: Left[] = [];
        for (const remnant of [...stack.values()].reverse()) {
          try {
            await removeRemnant(proxmox, remnant);
            release(remnant);
          } catch (error) {
            left.push({ remnant, why: error instanceof Error ? error.message : String(error) });
          }
        }
        return left;
      };
      const left = await removeAll();
      if (left.length === 0) return left;
      // What was refused once may have been refused for what is over in a moment, and nobody comes after this.
      await proxmox.clock.sleep(pauseMs, proxmox.signal).catch(() => {});
      return await removeAll();
    },
    get pending() {
      return [...stack.values()];
    },
  };
}
