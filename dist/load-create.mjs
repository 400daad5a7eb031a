import path from "node:path";
import { Kt as Failure, S as createTemplates, p as parseCreateRequest } from "./core.mjs";
import { n as saveLock, t as lockedRequest } from "./lock-file.mjs";
import { t as nameInput } from "./inputs.mjs";
import { c as setSbom, i as outputOfOutcome, s as setOutputs, t as withDefaultPool } from "./command.mjs";
import { t as createSummary } from "./summary.mjs";

// src/action/commands/create.ts
async function writeSbom(outcomes, raw) {
	const temporary = process.env["RUNNER_TEMP"];
	const directory = raw["sbom-directory"]?.trim() || (temporary ? path.join(temporary, "kubehenge-sbom") : "");
	if (!directory || outcomes.every(({ template }) => !template)) return { files: [] };
	const { saveSboms } = await import("./load-sbom-files.mjs");
	try {
		return { files: saveSboms(outcomes, directory) };
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return {
			files: [],
			failure: error
		};
	}
}
const prepare = (raw) => {
	const request = lockedRequest(parseCreateRequest(withDefaultPool(raw), nameInput), raw, nameInput);
	return {
		timeoutMs: request.timeoutMs,
		interleaved: request.parallel > 1 && request.versions.length > 1,
		async run(context) {
			const report = await createTemplates(context, request);
			const there = report.outcomes.filter(({ result }) => result !== "failed");
			setOutputs(there.map(outputOfOutcome), report.outcomes.some(({ result }) => result === "created"));
			saveLock(report, raw, nameInput);
			const sbom = await writeSbom(there, raw);
			setSbom(sbom.files);
			return {
				summary: createSummary(report, sbom.files),
				failures: [...report.outcomes.flatMap(({ target, failure }) => failure ? [{
					title: `${target.title} failed`,
					failure
				}] : []), ...sbom.failure ? [{
					title: "No SBOM",
					failure: sbom.failure
				}] : []]
			};
		}
	};
};

export { prepare };