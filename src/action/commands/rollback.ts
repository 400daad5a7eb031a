import { parseRollbackRequest } from "../../templates/upkeep-requests.ts";
import { rollback } from "../../templates/rollback.ts";
import { setOutputs } from "../outputs.ts";
import { rollbackSummary } from "../summary.ts";
import { upkeep } from "./upkeep.ts";

export const prepare = upkeep({
  parse: parseRollbackRequest,
  run: rollback,
  setOutputs: ({ to, target, done }) => setOutputs([{ vmid: to.vmid, node: to.node, name: target.name }], done),
  summary: rollbackSummary,
});
