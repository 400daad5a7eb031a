import type { Failure } from "../../failure/failure.ts";
import type { Context } from "../../templates/context.ts";
import type { RawInputs } from "../../templates/request-inputs.ts";

/** What a command came to: its summary, and what failed, by the title of the annotation. */
export interface CommandEnd {
  summary: string;
  failures: readonly { title: string; failure: Failure }[];
}

/** A command with its inputs checked. */
export interface PreparedCommand {
  /** Bound of the whole run in milliseconds. */
  timeoutMs: number;
  /** Several templates may be made at once, so their lines in the log interleave. */
  interleaved: boolean;
  run(context: Context): Promise<CommandEnd>;
}

/** @throws Failure `usage` */
export type Prepare = (raw: RawInputs) => PreparedCommand;

/** For commands whose empty `pool` means the default one. */
export function withDefaultPool(raw: RawInputs): RawInputs {
  return { ...raw, pool: raw["pool"] || undefined };
}
