import path from "node:path";
import { Failure } from "../../failure/failure.ts";
import type { SbomFile } from "../../shell/sbom-files.ts";
import { createTemplates } from "../../templates/create.ts";
import type { Outcome } from "../../templates/outcome.ts";
import { parseCreateRequest } from "../../templates/request.ts";
import type { RawInputs } from "../../templates/request-inputs.ts";
import { lockedRequest, saveLock } from "../../shell/lock-file.ts";
import { nameInput } from "../inputs.ts";
import { outputOfOutcome, setOutputs, setSbom } from "../outputs.ts";
import { createSummary } from "../summary.ts";
import { withDefaultPool, type Prepare } from "./command.ts";

/** The templates are made by now: that a file cannot be written fails the job, and keeps nothing from being told. */
async function writeSbom(
  outcomes: readonly Outcome[],
  raw: RawInputs,
): Promise<{ files: readonly SbomFile[]; failure?: Failure }> {
  const temporary = process.env["RUNNER_TEMP"];
  const directory = raw["sbom-directory"]?.trim() || (temporary ? path.join(temporary, "kubehenge-sbom") : "");
  if (!directory || outcomes.every(({ template }) => !template)) return { files: [] };
  const { saveSboms } = await import("../../shell/sbom-files.ts");
  try {
    return { files: saveSboms(outcomes, directory) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { files: [], failure: error };
  }
}

export const prepare: Prepare = (raw) => {
  const request = lockedRequest(parseCreateRequest(withDefaultPool(raw), nameInput), raw, nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: request.parallel > 1 && request.versions.length > 1,
    async run(context) {
      const report = await createTemplates(context, request);
      const there = report.outcomes.filter(({ result }) => result !== "failed");
      setOutputs(
        there.map(outputOfOutcome),
        report.outcomes.some(({ result }) => result === "created"),
      );
      saveLock(report, raw, nameInput);
      const sbom = await writeSbom(there, raw);
      setSbom(sbom.files);
      return {
        summary: createSummary(report, sbom.files),
        failures: [
          ...report.outcomes.flatMap(({ target, failure }) =>
            failure ? [{ title: `${target.title} failed`, failure }] : [],
          ),
          ...(sbom.failure ? [{ title: "No SBOM", failure: sbom.failure }] : []),
        ],
      };
    },
  };
};
