import { sayLeft } from "../shell/remains.ts";
import { parseSweepRequest } from "../templates/upkeep-requests.ts";
import { sweep } from "../templates/sweep.ts";
import { outputFormat } from "./create.ts";
import { nameOption, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import type { Work } from "./work.ts";

export function sweepWork(options: Options): Work {
  const raw = rawInputs(undefined, options);
  const request = parseSweepRequest(raw, nameOption);
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: request.timeoutMs,
    writes: !request.dryRun,
    async run(context) {
      const swept = await sweep(context, request);
      for (const line of sayLeft(swept.left)) context.reporter.note(line);
      if (swept.removed.length === 0 && swept.left.length === 0)
        context.reporter.note("Nothing has outlived its lease");
      const done = request.dryRun ? "would be removed" : "removed";
      return {
        result:
          output === "json"
            ? JSON.stringify(swept, undefined, 2)
            : swept.removed.map(({ what }) => plain(`${what}: ${done}`)).join("\n"),
      };
    },
  };
}
