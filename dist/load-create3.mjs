import { Ot as sayLeft, i as parseCreateRequest, n as saveLock, nt as sayDuration, p as createTemplates, t as lockedRequest, un as Failure } from "./core.mjs";
import { c as outputFormat, l as rawInputs, o as plain, s as nameOption, t as doWork, u as withEnvironment } from "./command-line.mjs";

// src/cli/create.ts
const create = (distribution, options) => doWork(() => work(distribution, options));
function work(distribution, options) {
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
				const news = changes ? `: ${changes.changed.length} parts changed, ${changes.added.length} added, ${changes.removed.length} removed since the build that it replaces` : "";
				context.reporter.note(`SBOM ${file}${news}`, title);
			}
			const left = [...report.left, ...report.outcomes.flatMap((outcome) => outcome.left)];
			for (const remains of sayLeft(left)) context.reporter.note(remains);
			return {
				result: output === "json" ? json(report) : text(report),
				failures
			};
		}
	};
}
async function writeSbom({ outcomes }, options) {
	const directory = options["sbom"];
	if (typeof directory !== "string" || !directory) return {
		files: [],
		failures: []
	};
	const { saveSboms } = await import("./load-sbom-files.mjs");
	try {
		return {
			files: saveSboms(outcomes, directory),
			failures: []
		};
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		return {
			files: [],
			failures: [error]
		};
	}
}
function text({ outcomes }) {
	return outcomes.filter(({ result }) => result !== "failed").map((outcome) => plain(line(outcome))).join("\n");
}
function line({ target, result, template, why, startedAt, endedAt }) {
	if (!template) return `${target.title} would be created: ${why}; tags ${target.tags.join(";")}`;
	const took = result === "created" ? ` in ${sayDuration(endedAt - startedAt)}` : "";
	return `${target.title} ${result}${took}: VM ${template.vmid} on node ${template.node}, storage ${template.storage}, tags ${target.tags.join(";")}`;
}
function json({ outcomes }) {
	return JSON.stringify(outcomes.map(({ target, result, why, template, verified, smokeTest, failure, phases }) => ({
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
		digest: template?.digest || void 0,
		manifest: template?.manifest,
		verified: verified.length > 0 ? verified : void 0,
		smokeTest,
		error: failure && {
			kind: failure.kind,
			message: failure.message,
			remedy: failure.remedy
		},
		phases: phases.length > 0 ? phases : void 0
	})), void 0, 2);
}

export { create };