import { deleteTemplate } from "../../templates/delete.ts";
import { parseDeleteRequest } from "../../templates/upkeep-requests.ts";
import { outputOfDeletion, setOutputs } from "../outputs.ts";
import { deleteSummary } from "../summary.ts";
import { upkeep } from "./upkeep.ts";

export const prepare = upkeep({
  parse: parseDeleteRequest,
  run: deleteTemplate,
  setOutputs: (deletions) =>
    setOutputs(
      deletions.map(outputOfDeletion),
      deletions.some(({ deleted }) => deleted),
    ),
  summary: deleteSummary,
});
