import type { Clock } from "../time/clock.ts";
import type { Phase } from "./outcome.ts";
import type { Reporter } from "./reporter.ts";

/** Times the parts of the work on one template and tells them. */
export interface Phases {
  run<T>(title: string, work: () => Promise<T>): Promise<T>;
  progress(text: string): void;
  readonly list: readonly Phase[];
}

export function timePhases(template: string, reporter: Reporter, clock: Clock): Phases {
  const list: Phase[] = [];
  return {
    async run(title, work) {
      const startedAt = clock.now();
      reporter.phase(template, title);
      try {
        return await work();
      } finally {
        list.push({ title, startedAt, endedAt: clock.now() });
      }
    },
    progress: (text) => reporter.progress(template, text),
    list,
  };
}
