import { deleteTemplate } from "../../templates/delete.ts";
import { parseDeleteRequest } from "../../templates/upkeep-requests.ts";
import { nameInput } from "../inputs.ts";
import { outputOfDeletion, setOutputs } from "../outputs.ts";
import { deleteSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = parseDeleteRequest(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: false,
    async run(context) {
      const deletions = await deleteTemplate(context, request);
      setOutputs(
        deletions.map(outputOfDeletion),
        deletions.some(({ deleted }) => deleted),
      );
      return { summary: deleteSummary(deletions), failures: [] };
    },
  };
};
