import { pruneTemplates } from "../../templates/prune.ts";
import { parsePruneRequest } from "../../templates/upkeep-requests.ts";
import { nameInput } from "../inputs.ts";
import { setOutputs } from "../outputs.ts";
import { pruneSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = parsePruneRequest(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: false,
    async run(context) {
      const pruned = await pruneTemplates(context, request);
      setOutputs(
        [],
        pruned.some(({ result }) => result === "deleted"),
      );
      return { summary: pruneSummary(pruned), failures: [] };
    },
  };
};
