import { parseRollbackRequest } from "../../templates/upkeep-requests.ts";
import { rollback } from "../../templates/rollback.ts";
import { nameInput } from "../inputs.ts";
import { setOutputs } from "../outputs.ts";
import { rollbackSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = parseRollbackRequest(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: false,
    async run(context) {
      const result = await rollback(context, request);
      setOutputs([{ vmid: result.to.vmid, node: result.to.node, name: result.target.name }], result.done);
      return { summary: rollbackSummary(result), failures: [] };
    },
  };
};
