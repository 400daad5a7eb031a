import { planFleet } from "../templates/fleet-plan.ts";
import { parsePlanRequests } from "../templates/request.ts";
import { outputFormat } from "./create.ts";
import { nameOption, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import type { Work } from "./work.ts";

export function planWork(distributions: readonly string[], options: Options): Work {
  const [only] = distributions;
  const raw = {
    ...rawInputs(distributions.length === 1 ? only : undefined, options),
    distribution: distributions.join(","),
  };
  const requests = parsePlanRequests(raw, nameOption);
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: requests[0]?.timeoutMs ?? 10 * 60_000,
    writes: false,
    async run(context) {
      const work = await planFleet(context, requests);
      if (work.length === 0) context.reporter.note("Nothing to build");
      return {
        result:
          output === "json"
            ? JSON.stringify(work)
            : work
                .map((one) =>
                  plain(
                    [one.distribution, one.versions, one["ubuntu-release"], one.node, one.why]
                      .filter(Boolean)
                      .join("  "),
                  ),
                )
                .join("\n"),
      };
    },
  };
}
