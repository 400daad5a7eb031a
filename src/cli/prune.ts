import { pruneTemplates, type Pruned } from "../templates/prune.ts";
import { parsePruneRequest } from "../templates/upkeep-requests.ts";
import { upkeep } from "./upkeep.ts";

export const prune = upkeep({
  parse: parsePruneRequest,
  run: pruneTemplates,
  lines(pruned, _request, reporter) {
    if (pruned.length === 0) reporter.note("Nothing is more than is to be kept");
    return pruned.map(line);
  },
});

function line({ title, vmid, node, why, result, because }: Pruned): string {
  return `${title}: VM ${vmid} on node ${node} ${result}${because ? ` (${because})` : ""}: ${why}`;
}
