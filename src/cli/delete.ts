import { deleteTemplate, type Deletion } from "../templates/delete.ts";
import { parseDeleteRequest } from "../templates/upkeep-requests.ts";
import { outputFormat } from "./create.ts";
import { nameOption, rawInputs, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import type { Work } from "./work.ts";

export function deleteWork(distribution: string, options: Options): Work {
  const raw = rawInputs(distribution, options);
  const request = parseDeleteRequest(raw, nameOption);
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: request.timeoutMs,
    writes: !request.dryRun,
    async run(context) {
      const deletions = await deleteTemplate(context, request);
      return {
        result:
          output === "json"
            ? JSON.stringify(deletions, undefined, 2)
            : deletions.map((one) => plain(line(one))).join("\n"),
      };
    },
  };
}

function line({ title, what, vmid, node, name, deleted }: Deletion): string {
  return `${title}: ${what} ${name} (VM ${vmid} on node ${node}) ${deleted ? "deleted" : "would be deleted"}`;
}
