import { planFleet } from "../templates/fleet-plan.ts";
import { parsePlanRequests } from "../templates/request.ts";
import { nameOption, outputFormat, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import { doWork, type Work } from "./work.ts";

export const plan = (distributions: readonly string[], options: Options): Promise<void> =>
  doWork(() => work(distributions, options));

function work(distributions: readonly string[], options: Options): Work {
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
      const planned = await planFleet(context, requests);
      if (planned.length === 0) context.reporter.note("Nothing to build");
      return {
        result:
          output === "json"
            ? JSON.stringify(planned)
            : planned
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
