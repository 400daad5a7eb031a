import { rollback, type RolledBack } from "../templates/rollback.ts";
import { parseRollbackRequest } from "../templates/upkeep-requests.ts";
import { upkeep } from "./upkeep.ts";

export const rollBack = upkeep({
  parse: parseRollbackRequest,
  run: rollback,
  lines: (result) => [line(result)],
});

function line({ target, to, from, done }: RolledBack): string {
  const verb = done ? "is" : "would be";
  return `${target.title}: VM ${to.vmid} on node ${to.node} (build ${to.build} of ${to.created}) ${verb} the template again${from ? `; VM ${from.vmid} on node ${from.node} ${verb} retired` : ""}`;
}
