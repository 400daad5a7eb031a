import { parseVerifyRequest } from "../../templates/upkeep-requests.ts";
import { verifyTemplate } from "../../templates/verify.ts";
import { nameInput } from "../inputs.ts";
import { outputOfTemplate, setOutputs } from "../outputs.ts";
import { verifySummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = parseVerifyRequest(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: false,
    async run(context) {
      const verified = await verifyTemplate(context, request);
      setOutputs([outputOfTemplate(verified.target, verified.template, true)], false);
      return { summary: verifySummary(verified), failures: [] };
    },
  };
};
