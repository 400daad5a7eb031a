import { parseSweepRequest } from "../../templates/upkeep-requests.ts";
import { sweep } from "../../templates/sweep.ts";
import { setOutputs } from "../outputs.ts";
import { sweepSummary } from "../summary.ts";
import { upkeep } from "./upkeep.ts";

export const prepare = upkeep({
  parse: parseSweepRequest,
  run: sweep,
  setOutputs: ({ removed }, { dryRun }) => setOutputs([], removed.length > 0 && !dryRun),
  summary: (swept, { dryRun }) => sweepSummary(swept, dryRun),
});
