import { D as info, E as logLine, O as warning, S as readConnection, _ as runIdentity, b as stateJournal, v as actionReporter, y as readState } from "./action.mjs";
import { Mt as removalCommands, Nt as sayRemnant, _t as withSession } from "./core.mjs";
import { n as removeRemnant } from "./remove-remnant.mjs";

// src/action/post.ts
const boundMs = 9e4;
try {
	const remnants = readState();
	if (remnants.length > 0) {
		const reporter = actionReporter({ interleaved: false });
		const session = {
			connection: readConnection(),
			upstreams: {},
			environment: process.env,
			signal: AbortSignal.timeout(boundMs),
			reporter,
			journal: stateJournal(),
			run: runIdentity(process.env)
		};
		await withSession(session, async ({ proxmox }) => {
			for (const remnant of remnants.toReversed()) try {
				const end = await removeRemnant(proxmox, remnant);
				info(logLine(`${sayRemnant(remnant)}: ${{
					removed: "removed",
					absent: "already gone",
					"not-ours": "left alone, it is not this run's"
				}[end]}`));
			} catch (error) {
				warning(logLine(`${sayRemnant(remnant)} could not be removed: ${error.message}. By hand: ${removalCommands(remnant).join("; ")}`), { title: "Left behind" });
			}
		});
	}
} catch (error) {
	warning(logLine(`Cleaning up failed: ${error.message}`), { title: "Left behind" });
}
process.exitCode = 0;

export {  };