import { Failure } from "../failure/failure.ts";
import { lockedRequest, saveLock } from "../shell/lock-file.ts";
import type { SbomFile } from "../shell/sbom-files.ts";
import { sayLeft } from "../shell/remains.ts";
import { createTemplates } from "../templates/create.ts";
import type { CreateReport, Outcome } from "../templates/outcome.ts";
import { parseCreateRequest } from "../templates/request.ts";
import { sayDuration } from "../time/duration.ts";
import { nameOption, outputFormat, rawInputs, withEnvironment, type Options } from "./inputs.ts";
import { plain } from "./text.ts";
import { doWork, type Work } from "./work.ts";

export const create = (distribution: string, options: Options): Promise<void> =>
  doWork(() => work(distribution, options));

function work(distribution: string, options: Options): Work {
  const raw = withEnvironment(rawInputs(distribution, options), ["image-repository", "apt-mirror"], process.env);
  const request = lockedRequest(parseCreateRequest(raw, nameOption), raw, nameOption);
  const output = outputFormat(options);
  return {
    options,
    raw,
    timeoutMs: request.timeoutMs,
    writes: !request.dryRun,
    async run(context) {
      const report = await createTemplates(context, request);
      saveLock(report, raw, nameOption);
      const sbom = await writeSbom(report, options);
      const failures = [...report.outcomes.flatMap(({ failure }) => failure ?? []), ...sbom.failures];
      for (const { title, file, changes } of sbom.files) {
        const news = changes
          ? `: ${changes.changed.length} parts changed, ${changes.added.length} added, ${changes.removed.length} removed since the build that it replaces`
          : "";
        context.reporter.note(`SBOM ${file}${news}`, title);
      }
      const left = [...report.left, ...report.outcomes.flatMap((outcome) => outcome.left)];
      for (const remains of sayLeft(left)) context.reporter.note(remains);
      return { result: output === "json" ? json(report) : text(report), failures };
    },
  };
}

async function writeSbom(
  { outcomes }: CreateReport,
  options: Options,
): Promise<{ files: readonly SbomFile[]; failures: readonly Failure[] }> {
  const directory = options["sbom"];
  if (typeof directory !== "string" || !directory) return { files: [], failures: [] };
  const { saveSboms } = await import("../shell/sbom-files.ts");
  try {
    return { files: saveSboms(outcomes, directory), failures: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { files: [], failures: [error] };
  }
}

function text({ outcomes }: CreateReport): string {
  return outcomes
    .filter(({ result }) => result !== "failed")
    .map((outcome) => plain(line(outcome)))
    .join("\n");
}

function line({ target, result, template, why, startedAt, endedAt }: Outcome): string {
  if (!template) return `${target.title} would be created: ${why}; tags ${target.tags.join(";")}`;
  const took = result === "created" ? ` in ${sayDuration(endedAt - startedAt)}` : "";
  return `${target.title} ${result}${took}: VM ${template.vmid} on node ${template.node}, storage ${template.storage}, tags ${target.tags.join(";")}`;
}

function json({ outcomes }: CreateReport): string {
  return JSON.stringify(
    outcomes.map(({ target, result, why, template, verified, smokeTest, failure, phases }) => ({
      distribution: target.distribution,
      version: target.version,
      ubuntuRelease: target.ubuntuRelease,
      result,
      why,
      vmid: template?.vmid,
      node: template?.node,
      storage: template?.storage,
      name: template?.name,
      tags: target.tags,
      digest: template?.digest || undefined,
      manifest: template?.manifest,
      verified: verified.length > 0 ? verified : undefined,
      smokeTest,
      error: failure && { kind: failure.kind, message: failure.message, remedy: failure.remedy },
      phases: phases.length > 0 ? phases : undefined,
    })),
    undefined,
    2,
  );
}
