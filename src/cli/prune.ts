import { parsePruneRequest } from "../templates/upkeep-requests.ts";
import { pruneTemplates, type Pruned } from "../templates/prune.ts";
import { outputFormat } from "./create.ts";
import { nameOption, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import type { Work } from "./work.ts";

export function pruneWork(distribution: string | undefined, options: Options): Work {
  const raw = rawInputs(distribution, options);
  const request = parsePruneRequest(raw, nameOption);
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: request.timeoutMs,
    writes: !request.dryRun,
    async run(context) {
      const pruned = await pruneTemplates(context, request);
      if (pruned.length === 0) context.reporter.note("Nothing is more than is to be kept");
      return {
        result:
          output === "json" ? JSON.stringify(pruned, undefined, 2) : pruned.map((one) => plain(line(one))).join("\n"),
      };
    },
  };
}

function line({ title, vmid, node, why, result, because }: Pruned): string {
  return `${title}: VM ${vmid} on node ${node} ${result}${because ? ` (${because})` : ""}: ${why}`;
}
