/** Longest wait that a server's Retry-After is given, in ms. A longer one ends the attempts: the caller may have another source. */
const longestRetryAfter = 30_000;
const firstPause = 400;
const longestPause = 8_000;

/** Answers that may be different in a moment. 501 and 505 will not be. */
export function isPassingStatus(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501 && status !== 505);
}

// A certificate does not get better by asking again, and a resolver's "no such name" is an answer.
const lasting = /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|ENOTFOUND$|UND_ERR_INVALID_ARG$)/;

/** Whether the fault of a connection may pass. */
export function isPassingFault(error: unknown): boolean {
  return !lasting.test(faultCode(error));
}

/** The code of a fault, such as ECONNRESET, from the error or what caused it; "" when there is none. */
export function faultCode(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "";
}

/**
 * How long to wait before attempt `next` (2, 3, …), in ms: doubled each time, with jitter so that parallel jobs do not come
 * back together; or what Retry-After says (seconds or a date, RFC 9110 §10.2.3). Undefined: not worth waiting for.
 */
export function pauseBefore(
  next: number,
  retryAfter: string | undefined,
  now: number,
  random: () => number,
): number | undefined {
  const pause = Math.min(longestPause, firstPause * 2 ** (next - 2));
  const jittered = pause / 2 + random() * (pause / 2);
  if (retryAfter === undefined) return jittered;
  const asked = /^\d+$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  if (Number.isNaN(asked)) return jittered;
  return asked > longestRetryAfter ? undefined : Math.max(asked, jittered);
}
