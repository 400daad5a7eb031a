import { deleteTemplate, type Deletion } from "../templates/delete.ts";
import { parseDeleteRequest } from "../templates/upkeep-requests.ts";
import { upkeep } from "./upkeep.ts";

export const deleteTemplates = upkeep({
  parse: parseDeleteRequest,
  run: deleteTemplate,
  lines: (deletions) => deletions.map(line),
});

function line({ title, what, vmid, node, name, deleted }: Deletion): string {
  return `${title}: ${what} ${name} (VM ${vmid} on node ${node}) ${deleted ? "deleted" : "would be deleted"}`;
}
