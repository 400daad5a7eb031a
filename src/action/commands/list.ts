import { listTemplates } from "../../templates/list.ts";
import { parseListRequest } from "../../templates/upkeep-requests.ts";
import { nameInput } from "../inputs.ts";
import { outputOfListed, setOutputs } from "../outputs.ts";
import { listSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

export const prepare: Prepare = (raw) => {
  const request = parseListRequest(withDefaultPool(raw), nameInput);
  return {
    timeoutMs: 10 * 60_000,
    interleaved: false,
    async run({ proxmox }) {
      const rows = await listTemplates(proxmox, request);
      setOutputs(rows.map(outputOfListed), false);
      return { summary: listSummary(rows), failures: [] };
    },
  };
};
