import { sayLeft } from "../shell/remains.ts";
import { sweep } from "../templates/sweep.ts";
import { parseSweepRequest } from "../templates/upkeep-requests.ts";
import type { Options } from "./inputs.ts";
import { upkeep } from "./upkeep.ts";

const sweepAll = upkeep({
  parse: parseSweepRequest,
  run: sweep,
  lines({ removed, left }, { dryRun }, reporter) {
    for (const line of sayLeft(left)) reporter.note(line);
    if (removed.length === 0 && left.length === 0) reporter.note("Nothing has outlived its lease");
    return removed.map(({ what }) => `${what}: ${dryRun ? "would be removed" : "removed"}`);
  },
});

/** It takes no distribution: what dead runs have left is of any. */
export const sweepLeft = (options: Options): Promise<void> => sweepAll(undefined, options);
