import type { Context } from "../templates/context.ts";
import type { NameInput, RawInputs } from "../templates/request-inputs.ts";
import { nameOption, outputFormat, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import { doWork, type Work } from "./work.ts";

/** A command that looks after templates that are there: its request, its work, and how the result reads. */
interface Upkeep<Request, Result> {
  parse(raw: RawInputs, name: NameInput): Request;
  run(context: Context, request: Request): Promise<Result>;
  /** A line for each thing that was done; notes for the person go to the reporter. */
  lines(result: Result, request: Request, reporter: Context["reporter"]): readonly string[];
}

/** The command; with `-o json` its result is told as it is. */
export function upkeep<Request extends { timeoutMs: number; dryRun: boolean }, Result>(
  command: Upkeep<Request, Result>,
): (distribution: string | undefined, options: Options) => Promise<void> {
  const work = (distribution: string | undefined, options: Options): Work => {
    const raw = rawInputs(distribution, options);
    const request = command.parse(raw, nameOption);
    const output = outputFormat(options);
    return {
      options,
      raw,
      timeoutMs: request.timeoutMs,
      writes: !request.dryRun,
      async run(context) {
        const result = await command.run(context, request);
        const lines = command.lines(result, request, context.reporter);
        return { result: output === "json" ? JSON.stringify(result, undefined, 2) : lines.map(plain).join("\n") };
      },
    };
  };
  return (distribution, options) => doWork(() => work(distribution, options));
}
