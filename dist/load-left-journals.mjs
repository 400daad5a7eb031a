import { rmSync } from "node:fs";
import { hostname } from "node:os";
import { It as array, Nt as sayRemnant, Wt as object, Zt as string, jt as remnantSchema, zt as int } from "./core.mjs";
import { i as stateFolder, n as halfWrittenJournals, r as leftJournals } from "./command-line.mjs";
import { n as removeRemnant } from "./remove-remnant.mjs";

// src/cli/left-journals.ts
const journalSchema = () => object({
	run: string(),
	origin: string(),
	host: string(),
	pid: int(),
	remnants: array(remnantSchema())
});
async function settleLeftJournals(context, environment) {
	const { proxmox, reporter } = context;
	const folder = stateFolder(environment);
	for (const { file, pid } of halfWrittenJournals(folder)) if (!isAlive(pid)) rmSync(file, { force: true });
	for (const { file, text } of leftJournals(folder)) {
		const journal = parse(text);
		if (!journal || journal.origin !== proxmox.origin || journal.host !== hostname() || isAlive(journal.pid)) continue;
		let left = 0;
		for (const remnant of journal.remnants.toReversed()) try {
			if (await removeRemnant(proxmox, remnant) === "removed") reporter.note(`Removed ${sayRemnant(remnant)}, which run ${journal.run} had left`);
		} catch (error) {
			left += 1;
			reporter.warn("Left behind by an earlier run", `${sayRemnant(remnant)} could not be removed: ${error.message}`);
		}
		if (left === 0) rmSync(file, { force: true });
	}
}
function parse(text) {
	try {
		return journalSchema().safeParse(JSON.parse(text)).data;
	} catch {
		return;
	}
}
function isAlive(pid) {
	if (pid === process.pid) return false;
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === "EPERM";
	}
}

export { settleLeftJournals };