import { createTemplates } from "../../templates/create.ts";
import { parseCreateRequest } from "../../templates/request.ts";
import { lockedRequest, saveLock } from "../../shell/lock-file.ts";
import { nameInput } from "../inputs.ts";
import { outputOfOutcome, setOutputs } from "../outputs.ts";
import { createSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = lockedRequest(parseCreateRequest(withDefaultPool(raw), nameInput), raw, nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: request.parallel > 1 && request.versions.length > 1,
    async run(context) {
      const report = await createTemplates(context, request);
      const there = report.outcomes.filter(({ result }) => result !== "failed");
      setOutputs(
        there.map(outputOfOutcome),
        report.outcomes.some(({ result }) => result === "created"),
      );
      saveLock(report, raw, nameInput);
      return {
        summary: createSummary(report),
        failures: report.outcomes.flatMap(({ target, failure }) =>
          failure ? [{ title: `${target.title} failed`, failure }] : [],
        ),
      };
    },
  };
};
