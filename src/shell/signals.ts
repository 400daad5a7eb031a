import { Failure } from "../failure/failure.ts";

export interface Interruption {
  /** Aborted with a Failure: `interrupted` by the first signal, `deadline` when the time is over. */
  signal: AbortSignal;
  /** Exit code of the signal that came, if one did. */
  exitCode(): number | undefined;
  /** Removes the handlers. */
  stop(): void;
}

const codes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * The first SIGINT or SIGTERM ends the work, which then undoes what it can; the second ends the process at once.
 * GitHub's runner sends SIGINT, SIGTERM 7.5 s later, and kills 2.5 s after that.
 * @param leave told when the process is to end at once: says what is left, then exits with the code
 */
export function onSignals(leave: (exitCode: number) => void): Interruption {
  const controller = new AbortController();
  let code: number | undefined;
  const handler = (name: keyof typeof codes) => {
    if (code !== undefined) return leave(codes.SIGINT);
    code = codes[name];
    controller.abort(new Failure("interrupted", `The run was ended by ${name}`));
  };
  process.on("SIGINT", handler);
  process.on("SIGTERM", handler);
  return {
    signal: controller.signal,
    exitCode: () => code,
    stop: () => {
      process.off("SIGINT", handler);
      process.off("SIGTERM", handler);
    },
  };
}

/** A signal that is also aborted after `ms` milliseconds, with a Failure `deadline` that names the option. */
export function withDeadline(signal: AbortSignal, ms: number, option: string): AbortSignal {
  const controller = new AbortController();
  const timer = setTimeout(
    () =>
      controller.abort(
        new Failure("deadline", `The run took longer than its bound of ${ms / 60_000} minutes`, {
          remedy: [`give it more with ${option}`],
        }),
      ),
    ms,
  );
  timer.unref();
  return AbortSignal.any([signal, controller.signal]);
}
