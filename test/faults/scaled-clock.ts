import type { Clock } from "../../src/time/clock.ts";
import { systemClock } from "../../src/time/clock.ts";

/** The product's clock as the stand-in's: time runs `speed` times as fast as real time, from one common beginning. */
export function scaledClock(now: () => number, speed: number): Clock {
  return { now, sleep: (ms, signal) => systemClock.sleep(ms / speed, signal) };
}
