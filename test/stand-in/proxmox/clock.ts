/** Stand-in time: real time from the start of the stand-in, run at `speed` stand-in milliseconds per real one. */
export class Clock {
  readonly speed: number;
  readonly #startedReal = performance.now();
  readonly #startedAt: number;
  #skipped = 0;

  constructor(speed = 1, startAtMs = Date.now()) {
    this.speed = speed;
    this.#startedAt = startAtMs;
  }

  /** Milliseconds since the epoch, in stand-in time. */
  now(): number {
    return this.#startedAt + this.#skipped + (performance.now() - this.#startedReal) * this.speed;
  }

  /** Whole seconds since the epoch, as Proxmox VE writes times. */
  seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  /** Moves the calendar on; sleeps that are under way are not shortened. */
  advance(ms: number): void {
    this.#skipped += ms;
  }

  /** Waits for this many stand-in milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
        Math.max(0, ms) / this.speed,
      );
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }
}
