import { $ as sayLeft, Vt as sayDuration } from "./core.mjs";
import { a as codeBlock, i as cell, o as ganttText } from "./inputs.mjs";

// src/action/summary.ts
const summaryLimit = 1024e3;
function createSummary(report, sboms = []) {
	const { outcomes } = report;
	return limit([
		`## ${verdict(outcomes)}`,
		table([
			"Template",
			"Version",
			"VMID",
			"Node",
			"Storage",
			"Result",
			"Took"
		], outcomes.map((outcome) => [
			outcome.target.title,
			outcome.target.version,
			String(outcome.template?.vmid ?? ""),
			outcome.template?.node ?? "",
			outcome.template?.storage ?? "",
			`${outcome.result}: ${outcome.why}`,
			sayDuration(outcome.endedAt - outcome.startedAt)
		])),
		...outcomes.filter(({ failure }) => failure).map(failureOf),
		...report.left.length > 0 ? [`### Left behind`, codeBlock(sayLeft(report.left))] : [],
		...report.pruned.length > 0 ? ["### Old builds", prunedTable(report.pruned)] : [],
		verifiedOf(outcomes),
		provenOf(outcomes),
		...sboms.map(changesOf),
		selectorsOf(outcomes),
		gantt(outcomes)
	].filter(Boolean).join("\n\n"));
}
function listSummary(rows) {
	return limit(`${`## ${rows.length} ${rows.length === 1 ? "template" : "templates"}`}\n\n${table([
		"Template",
		"VMID",
		"Node",
		"Storage",
		"State",
		"Made"
	], rows.map((row) => [
		row.target.title,
		String(row.vmid),
		row.node,
		row.storage ?? "",
		row.state,
		row.manifest?.created ?? ""
	]))}`);
}
function deleteSummary(deletions) {
	return limit(`## Deleted\n\n${table([
		"Template",
		"What",
		"VMID",
		"Node",
		"Result"
	], deletions.map((one) => [
		one.title,
		one.what,
		String(one.vmid),
		one.node,
		one.deleted ? "deleted" : "would be deleted"
	]))}`);
}
function sweepSummary({ removed, left }, dryRun) {
	return limit([
		`## ${removed.length} ${dryRun ? "to be removed" : "removed"}${left.length > 0 ? `, ${left.length} left` : ""}`,
		...removed.map(({ what }) => `- ${cell(what)}`),
		...left.length > 0 ? [
			"",
			"### Left behind",
			codeBlock(sayLeft(left))
		] : []
	].join("\n"));
}
function pruneSummary(pruned) {
	const count = (result) => pruned.filter((one) => one.result === result).length;
	return limit([pruned.length === 0 ? "## Nothing to prune" : `## ${count("deleted") + count("would be deleted")} of ${pruned.length} ${count("would be deleted") > 0 ? "would be pruned" : "pruned"}`, ...pruned.length > 0 ? [prunedTable(pruned)] : []].join("\n\n"));
}
function prunedTable(pruned) {
	return table([
		"Template",
		"VMID",
		"Node",
		"Why",
		"Result"
	], pruned.map((one) => [
		one.title,
		String(one.vmid),
		one.node,
		one.why,
		one.because ? `${one.result}: ${one.because}` : one.result
	]));
}
function rollbackSummary({ target, to, from, done }) {
	const rows = [[
		done ? "is the template again" : "would be the template again",
		String(to.vmid),
		to.node,
		`build ${to.build} of ${to.created}`
	], ...from ? [[
		done ? "was retired" : "would be retired",
		String(from.vmid),
		from.node,
		""
	]] : []];
	return limit(`## ${cell(target.title)} rolled back\n\n${table([
		"What",
		"VMID",
		"Node",
		"Build"
	], rows)}`);
}
function verifySummary({ target, template, pinned }) {
	return limit(`## ${cell(target.title)} is the pinned template\n\n${table([
		"VMID",
		"Node",
		"Digest",
		"Protected"
	], [[
		String(template.vmid),
		template.node,
		template.digest,
		pinned ? "yes" : "no"
	]])}`);
}
function planSummary(work) {
	if (work.length === 0) return "## Nothing to build\n";
	return limit(`## ${work.length} to build\n\n${table([
		"Distribution",
		"Version",
		"Ubuntu",
		"Node",
		"Why"
	], work.map((one) => [
		one.distribution,
		one.versions,
		one["ubuntu-release"],
		one.node,
		one.why
	]))}`);
}
function failureSummary(failure) {
	return limit(`## Failed\n\n${failureText(failure)}`);
}
function verdict(outcomes) {
	const count = (result) => outcomes.filter((outcome) => outcome.result === result).length;
	const parts = [
		"created",
		"reused",
		"planned",
		"failed"
	].filter((result) => count(result) > 0).map((result) => `${count(result)} ${result === "planned" ? "to be created" : result}`);
	return `${outcomes.length} ${outcomes.length === 1 ? "template" : "templates"}: ${parts.join(", ")}`;
}
function failureOf({ target, failure, left }) {
	if (!failure) return "";
	return [
		`### ${cell(target.title)} failed`,
		failureText(failure),
		...left.length > 0 ? ["Not everything could be removed:", codeBlock(sayLeft(left))] : []
	].join("\n\n");
}
function failureText(failure) {
	return [
		cell(failure.message),
		...failure.remedy.length > 0 ? ["What to do:", codeBlock(failure.remedy)] : [],
		...failure.evidence.length > 0 ? ["Last lines of the task or guest:", codeBlock(failure.evidence)] : []
	].join("\n\n");
}
function verifiedOf(outcomes) {
	const verified = outcomes.flatMap((outcome) => outcome.verified.length > 0 ? outcome.verified : outcome.template?.manifest?.verified ?? []);
	const unique = [...new Map(verified.map((one) => [`${one.what} ${one.signer ?? ""}`, one])).values()];
	if (unique.length === 0) return "";
	return `### Verified\n\n${table([
		"What",
		"By",
		"Signed"
	], unique.map((one) => [
		one.what,
		one.by === "signature" ? `signature of ${one.signer ?? ""}` : "TLS only: upstream signs no such image",
		one.signedAt ?? ""
	]))}`;
}
function provenOf(outcomes) {
	const rows = outcomes.flatMap(({ target, smokeTest = [] }) => smokeTest.map(({ what, ok }) => [
		target.title,
		what,
		ok ? "yes" : "no"
	]));
	return rows.length === 0 ? "" : `### Proven on a clone\n\n${table([
		"Template",
		"What",
		"Proven"
	], rows)}`;
}
const changesShown = 100;
function changesOf({ title, changes }) {
	if (!changes) return "";
	const rows = [
		...changes.changed.map(({ name, from, to }) => [
			name,
			from,
			to
		]),
		...changes.added.map(({ name, version }) => [
			name,
			"",
			version
		]),
		...changes.removed.map(({ name, version }) => [
			name,
			version,
			""
		])
	];
	const counts = `${changes.changed.length} changed, ${changes.added.length} added, ${changes.removed.length} removed`;
	const more = rows.length > changesShown ? `\n\n${rows.length - changesShown} more are in the SBOM.` : "";
	const head = `### What changed in ${cell(title)}\n\nAgainst the build that it replaces: ${counts}.`;
	return rows.length === 0 ? head : `${head}\n\n${table([
		"Package or image",
		"From",
		"To"
	], rows.slice(0, changesShown))}${more}`;
}
function selectorsOf(outcomes) {
	const there = outcomes.filter(({ template }) => template);
	if (there.length === 0) return "";
	return [
		"### For Cluster API",
		"In a `ProxmoxMachineTemplate`:",
		...there.map(({ target }) => `${cell(target.title)}\n\n${codeBlock(templateSelector(target.tags))}`)
	].join("\n\n");
}
function templateSelector(tags) {
	return [
		"templateSelector:",
		"  matchTags:",
		...tags.map((tag) => `    - ${tag}`)
	];
}
function gantt(outcomes) {
	const timed = outcomes.filter(({ phases }) => phases.length > 0);
	if (timed.length === 0) return "";
	return [
		"<details><summary>Where the time went</summary>",
		"",
		"```mermaid",
		"gantt",
		"    dateFormat x",
		"    axisFormat %H:%M:%S",
		...timed.flatMap((outcome) => [`    section ${ganttText(outcome.target.title)}`, ...outcome.phases.map((phase) => `    ${ganttText(phase.title)} :${phase.startedAt}, ${Math.max(phase.endedAt, phase.startedAt + 1)}`)]),
		"```",
		"",
		"</details>"
	].join("\n");
}
function table(head, rows) {
	return [
		`| ${head.join(" | ")} |`,
		`| ${head.map(() => "---").join(" | ")} |`,
		...rows.map((row) => `| ${row.map(cell).join(" | ")} |`)
	].join("\n");
}
function limit(text) {
	return Buffer.byteLength(text) <= summaryLimit ? `${text}\n` : `${text.slice(0, summaryLimit / 4)}\n\n(cut: the summary was too long)\n`;
}

export { planSummary as a, sweepSummary as c, listSummary as i, verifySummary as l, deleteSummary as n, pruneSummary as o, failureSummary as r, rollbackSummary as s, createSummary as t };