import { parseVerifyRequest } from "../../templates/upkeep-requests.ts";
import { verifyTemplate } from "../../templates/verify.ts";
import { outputOfTemplate, setOutputs } from "../outputs.ts";
import { verifySummary } from "../summary.ts";
import { upkeep } from "./upkeep.ts";

export const prepare = upkeep({
  parse: parseVerifyRequest,
  run: verifyTemplate,
  setOutputs: ({ target, template }) => setOutputs([outputOfTemplate(target, template, true)], false),
  summary: verifySummary,
});
