import { pruneTemplates } from "../../templates/prune.ts";
import { parsePruneRequest } from "../../templates/upkeep-requests.ts";
import { setOutputs } from "../outputs.ts";
import { pruneSummary } from "../summary.ts";
import { upkeep } from "./upkeep.ts";

export const prepare = upkeep({
  parse: parsePruneRequest,
  run: pruneTemplates,
  setOutputs: (pruned) =>
    setOutputs(
      [],
      pruned.some(({ result }) => result === "deleted"),
    ),
  summary: pruneSummary,
});
