import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import type { Context } from "./context.ts";

/** Milliseconds that cleaning up may take after a failure of the run's own; a signal leaves less. */
const cleanUpMs = 5 * 60_000;
const cleanUpAfterSignalMs = 7000;

/**
 * The client for cleaning up: not under the run's signal, which may be what ended the work. After a signal all cleaning
 * up shares one budget, since the runner kills soon.
 */
export function oneCleaner({ proxmox }: Context): () => Proxmox {
  let last: Proxmox | undefined;
  return () => {
    const reason: unknown = proxmox.signal?.reason;
    if (!(reason instanceof Failure) || reason.kind !== "interrupted")
      return proxmox.under(AbortSignal.timeout(cleanUpMs));
    last ??= proxmox.under(AbortSignal.timeout(cleanUpAfterSignalMs));
    return last;
  };
}
