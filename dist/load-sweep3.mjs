import { Ot as sayLeft } from "./core.mjs";
import { t as sweep } from "./sweep.mjs";
import { a as parseSweepRequest } from "./upkeep-requests.mjs";
import { t as upkeep } from "./upkeep2.mjs";

// src/cli/sweep.ts
const sweepAll = upkeep({
	parse: parseSweepRequest,
	run: sweep,
	lines({ removed, left }, { dryRun }, reporter) {
		for (const line of sayLeft(left)) reporter.note(line);
		if (removed.length === 0 && left.length === 0) reporter.note("Nothing has outlived its lease");
		return removed.map(({ what }) => `${what}: ${dryRun ? "would be removed" : "removed"}`);
	}
});
const sweepLeft = (options) => sweepAll(void 0, options);

export { sweepLeft };