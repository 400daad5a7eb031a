import type { Context } from "../../templates/context.ts";
import type { NameInput, RawInputs } from "../../templates/request-inputs.ts";
import { nameInput } from "../inputs.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

/** A command that looks after templates that are there: its request, its work, and what the job is told of the result. */
interface Upkeep<Request, Result> {
  parse(raw: RawInputs, name: NameInput): Request;
  run(context: Context, request: Request): Promise<Result>;
  setOutputs(result: Result, request: Request): void;
  summary(result: Result, request: Request): string;
}

/** The command; it fails as a whole or not at all. */
export function upkeep<Request extends { timeoutMs: number }, Result>(command: Upkeep<Request, Result>): Prepare {
  return (raw) => {
    const request = command.parse(withDefaultPool(raw), nameInput);
    return {
      timeoutMs: request.timeoutMs,
      interleaved: false,
      async run(context) {
        const result = await command.run(context, request);
        command.setOutputs(result, request);
        return { summary: command.summary(result, request), failures: [] };
      },
    };
  };
}
