import { vmRow } from "../../stand-in/proxmox/cluster/resources.ts";
import type { FaultHook, ProxmoxStandIn } from "../../stand-in/proxmox/index.ts";
import { findTemplates, type ResourceRow } from "./capmox.ts";

/** A stretch of time in which a cluster would have found no template where it had found one before. */
export interface Gap {
  /** Stand-in milliseconds. */
  ms: number;
  /** Requests that came to Proxmox VE while it lasted, but for those that opened and closed it. */
  requests: number;
}

/** What clusters would have found for one set of tags at every request, before it was carried out and after. */
export interface MatchWatch {
  readonly gaps: readonly Gap[];
  /** How many templates matched at the worst moment. */
  readonly most: number;
  readonly looks: number;
  /** Where a gap is still open. */
  readonly open: boolean;
  /** One look now, beside those at requests. */
  look(): void;
}

/**
 * Looks at a set of tags by Cluster API's rule whenever Proxmox VE is asked for anything. Each hook given besides is
 * asked too.
 */
export function watchMatches(proxmox: ProxmoxStandIn, tags: readonly string[], besides?: FaultHook): MatchWatch {
  const watch = matchWatch(proxmox, tags);
  proxmox.inject((request, index) => {
    watch.count(request.phase);
    return besides?.(request, index);
  });
  return watch;
}

/** The same without taking the hook, for whoever watches several sets: `count` is to be called in its hook. */
export function matchWatch(
  { state }: ProxmoxStandIn,
  tags: readonly string[],
): MatchWatch & { count(phase: "before" | "after"): void } {
  const gaps: Gap[] = [];
  let most = 0;
  let looks = 0;
  let had = false;
  let opened: { at: number; requests: number } | undefined;
  const look = () => {
    looks += 1;
    const rows = [...state.vms.values()].map((vm) => vmRow(state, vm) as unknown as ResourceRow);
    const found = findTemplates(rows, tags).length;
    most = Math.max(most, found);
    if (found === 0 && had && !opened) opened = { at: state.clock.now(), requests: 0 };
    if (found > 0 && opened) {
      // The request that closed it was counted when it came.
      gaps.push({ ms: state.clock.now() - opened.at, requests: Math.max(0, opened.requests - 1) });
      opened = undefined;
    }
    had ||= found > 0;
  };
  return {
    gaps,
    get most() {
      return most;
    },
    get looks() {
      return looks;
    },
    get open() {
      return opened !== undefined;
    },
    look,
    count(phase) {
      look();
      if (phase === "before" && opened) opened.requests += 1;
    },
  };
}
