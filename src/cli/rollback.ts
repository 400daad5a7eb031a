import { parseRollbackRequest } from "../templates/upkeep-requests.ts";
import { rollback, type RolledBack } from "../templates/rollback.ts";
import { outputFormat } from "./create.ts";
import { nameOption, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import type { Work } from "./work.ts";

export function rollbackWork(distribution: string, options: Options): Work {
  const raw = rawInputs(distribution, options);
  const request = parseRollbackRequest(raw, nameOption);
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: request.timeoutMs,
    writes: !request.dryRun,
    async run(context) {
      const result = await rollback(context, request);
      return { result: output === "json" ? JSON.stringify(result, undefined, 2) : plain(line(result)) };
    },
  };
}

function line({ target, to, from, done }: RolledBack): string {
  const verb = done ? "is" : "would be";
  return `${target.title}: VM ${to.vmid} on node ${to.node} (build ${to.build} of ${to.created}) ${verb} the template again${from ? `; VM ${from.vmid} on node ${from.node} ${verb} retired` : ""}`;
}
