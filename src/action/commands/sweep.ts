import { parseSweepRequest } from "../../templates/upkeep-requests.ts";
import { sweep } from "../../templates/sweep.ts";
import { nameInput } from "../inputs.ts";
import { setOutputs } from "../outputs.ts";
import { sweepSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = parseSweepRequest(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: false,
    async run(context) {
      const swept = await sweep(context, request);
      setOutputs([], swept.removed.length > 0 && !request.dryRun);
      return { summary: sweepSummary(swept, request.dryRun), failures: [] };
    },
  };
};
