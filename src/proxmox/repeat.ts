import { ProxmoxError } from "./error.ts";

const gatewayAttempts = 5;
// A lock is waited for by Proxmox VE itself for 10 s before it answers, so six attempts are about a minute and a half.
const lockAttempts = 6;

/**
 * Whether a failed call may simply be sent again. A write that may have been carried out never is: its caller looks
 * first what became of it.
 */
export function mayRepeat(method: string, error: unknown, attempt: number): boolean {
  if (!(error instanceof ProxmoxError)) return false;
  if (error.treatment === "locked") return attempt < lockAttempts;
  if (error.treatment === "not-sent") return attempt < gatewayAttempts;
  return error.treatment === "ambiguous" && method === "GET" && attempt < gatewayAttempts;
}

/** Milliseconds before the next attempt: doubled each time, spread by half so that runs on several runners part. */
export function pauseMs(error: unknown, attempt: number): number {
  const first = error instanceof ProxmoxError && error.treatment === "locked" ? 1000 : 250;
  return first * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
}
