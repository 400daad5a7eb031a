import { planFleet } from "../../templates/fleet-plan.ts";
import { parsePlanRequests } from "../../templates/request.ts";
import { nameInput } from "../inputs.ts";
import { setMatrix } from "../outputs.ts";
import { planSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const requests = parsePlanRequests(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: requests[0]?.timeoutMs ?? 10 * 60_000,
    interleaved: false,
    async run(context) {
      const work = await planFleet(context, requests);
      setMatrix(work);
      return { summary: planSummary(work), failures: [] };
    },
  };
};
