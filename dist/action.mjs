import { Ct as inEnglish, It as array, Ot as sayLeft, at as escapeMarkdown, i as parseCreateRequest, it as parseUpstreams, jt as remnantSchema, n as saveLock, nt as sayDuration, p as createTemplates, rt as journalInto, t as lockedRequest, un as Failure, yt as parseConnection } from "./core.mjs";
import { t as requestDefaults } from "./start.mjs";
import * as os from "os";
import { EOL } from "os";
import * as crypto from "crypto";
import * as fs from "fs";
import { constants, promises } from "fs";
import { readFileSync as readFileSync$1 } from "node:fs";
import path from "node:path";

// node_modules/@actions/core/lib/utils.js
function toCommandValue(input) {
	if (input === null || input === void 0) return "";
	else if (typeof input === "string" || input instanceof String) return input;
	return JSON.stringify(input);
}
function toCommandProperties(annotationProperties) {
	if (!Object.keys(annotationProperties).length) return {};
	return {
		title: annotationProperties.title,
		file: annotationProperties.file,
		line: annotationProperties.startLine,
		endLine: annotationProperties.endLine,
		col: annotationProperties.startColumn,
		endColumn: annotationProperties.endColumn
	};
}

// node_modules/@actions/core/lib/command.js
function issueCommand(command, properties, message) {
	const cmd = new Command(command, properties, message);
	process.stdout.write(cmd.toString() + os.EOL);
}
function issue(name, message = "") {
	issueCommand(name, {}, message);
}
const CMD_STRING = "::";
var Command = class {
	constructor(command, properties, message) {
		if (!command) command = "missing.command";
		this.command = command;
		this.properties = properties;
		this.message = message;
	}
	toString() {
		let cmdStr = CMD_STRING + this.command;
		if (this.properties && Object.keys(this.properties).length > 0) {
			cmdStr += " ";
			let first = true;
			for (const key in this.properties) if (this.properties.hasOwnProperty(key)) {
				const val = this.properties[key];
				if (val) {
					if (first) first = false;
					else cmdStr += ",";
					cmdStr += `${key}=${escapeProperty(val)}`;
				}
			}
		}
		cmdStr += `${CMD_STRING}${escapeData(this.message)}`;
		return cmdStr;
	}
};
function escapeData(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
function escapeProperty(s) {
	return toCommandValue(s).replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/:/g, "%3A").replace(/,/g, "%2C");
}

// node_modules/@actions/core/lib/file-command.js
function issueFileCommand(command, message) {
	const filePath = process.env[`GITHUB_${command}`];
	if (!filePath) throw new Error(`Unable to find environment variable for file command ${command}`);
	if (!fs.existsSync(filePath)) throw new Error(`Missing file at path: ${filePath}`);
	fs.appendFileSync(filePath, `${toCommandValue(message)}${os.EOL}`, { encoding: "utf8" });
}
function prepareKeyValueMessage(key, value) {
	const delimiter = `ghadelimiter_${crypto.randomUUID()}`;
	const convertedValue = toCommandValue(value);
	if (key.includes(delimiter)) throw new Error(`Unexpected input: name should not contain the delimiter "${delimiter}"`);
	if (convertedValue.includes(delimiter)) throw new Error(`Unexpected input: value should not contain the delimiter "${delimiter}"`);
	return `${key}<<${delimiter}${os.EOL}${convertedValue}${os.EOL}${delimiter}`;
}

// node_modules/@actions/core/lib/summary.js
var __awaiter$1 = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
const { access, appendFile, writeFile } = promises;
const SUMMARY_ENV_VAR = "GITHUB_STEP_SUMMARY";
var Summary = class {
	constructor() {
		this._buffer = "";
	}
	filePath() {
		return __awaiter$1(this, void 0, void 0, function* () {
			if (this._filePath) return this._filePath;
			const pathFromEnv = process.env[SUMMARY_ENV_VAR];
			if (!pathFromEnv) throw new Error(`Unable to find environment variable for $${SUMMARY_ENV_VAR}. Check if your runtime environment supports job summaries.`);
			try {
				yield access(pathFromEnv, constants.R_OK | constants.W_OK);
			} catch (_a) {
				throw new Error(`Unable to access summary file: '${pathFromEnv}'. Check if the file has correct read/write permissions.`);
			}
			this._filePath = pathFromEnv;
			return this._filePath;
		});
	}
	wrap(tag, content, attrs = {}) {
		const htmlAttrs = Object.entries(attrs).map(([key, value]) => ` ${key}="${value}"`).join("");
		if (!content) return `<${tag}${htmlAttrs}>`;
		return `<${tag}${htmlAttrs}>${content}</${tag}>`;
	}
	write(options) {
		return __awaiter$1(this, void 0, void 0, function* () {
			const overwrite = !!(options === null || options === void 0 ? void 0 : options.overwrite);
			const filePath = yield this.filePath();
			yield (overwrite ? writeFile : appendFile)(filePath, this._buffer, { encoding: "utf8" });
			return this.emptyBuffer();
		});
	}
	clear() {
		return __awaiter$1(this, void 0, void 0, function* () {
			return this.emptyBuffer().write({ overwrite: true });
		});
	}
	stringify() {
		return this._buffer;
	}
	isEmptyBuffer() {
		return this._buffer.length === 0;
	}
	emptyBuffer() {
		this._buffer = "";
		return this;
	}
	addRaw(text, addEOL = false) {
		this._buffer += text;
		return addEOL ? this.addEOL() : this;
	}
	addEOL() {
		return this.addRaw(EOL);
	}
	addCodeBlock(code, lang) {
		const attrs = Object.assign({}, lang && { lang });
		const element = this.wrap("pre", this.wrap("code", code), attrs);
		return this.addRaw(element).addEOL();
	}
	addList(items, ordered = false) {
		const tag = ordered ? "ol" : "ul";
		const listItems = items.map((item) => this.wrap("li", item)).join("");
		const element = this.wrap(tag, listItems);
		return this.addRaw(element).addEOL();
	}
	addTable(rows) {
		const tableBody = rows.map((row) => {
			const cells = row.map((cell) => {
				if (typeof cell === "string") return this.wrap("td", cell);
				const { header, data, colspan, rowspan } = cell;
				const tag = header ? "th" : "td";
				const attrs = Object.assign(Object.assign({}, colspan && { colspan }), rowspan && { rowspan });
				return this.wrap(tag, data, attrs);
			}).join("");
			return this.wrap("tr", cells);
		}).join("");
		const element = this.wrap("table", tableBody);
		return this.addRaw(element).addEOL();
	}
	addDetails(label, content) {
		const element = this.wrap("details", this.wrap("summary", label) + content);
		return this.addRaw(element).addEOL();
	}
	addImage(src, alt, options) {
		const { width, height } = options || {};
		const attrs = Object.assign(Object.assign({}, width && { width }), height && { height });
		const element = this.wrap("img", null, Object.assign({
			src,
			alt
		}, attrs));
		return this.addRaw(element).addEOL();
	}
	addHeading(text, level) {
		const tag = `h${level}`;
		const allowedTag = [
			"h1",
			"h2",
			"h3",
			"h4",
			"h5",
			"h6"
		].includes(tag) ? tag : "h1";
		const element = this.wrap(allowedTag, text);
		return this.addRaw(element).addEOL();
	}
	addSeparator() {
		const element = this.wrap("hr", null);
		return this.addRaw(element).addEOL();
	}
	addBreak() {
		const element = this.wrap("br", null);
		return this.addRaw(element).addEOL();
	}
	addQuote(text, cite) {
		const attrs = Object.assign({}, cite && { cite });
		const element = this.wrap("blockquote", text, attrs);
		return this.addRaw(element).addEOL();
	}
	addLink(text, href) {
		const element = this.wrap("a", text, { href });
		return this.addRaw(element).addEOL();
	}
};
const _summary = new Summary();
const summary = _summary;

// node_modules/@actions/core/lib/core.js
var __awaiter = void 0 && (void 0).__awaiter || function(thisArg, _arguments, P, generator) {
	function adopt(value) {
		return value instanceof P ? value : new P(function(resolve) {
			resolve(value);
		});
	}
	return new (P || (P = Promise))(function(resolve, reject) {
		function fulfilled(value) {
			try {
				step(generator.next(value));
			} catch (e) {
				reject(e);
			}
		}
		function rejected(value) {
			try {
				step(generator["throw"](value));
			} catch (e) {
				reject(e);
			}
		}
		function step(result) {
			result.done ? resolve(result.value) : adopt(result.value).then(fulfilled, rejected);
		}
		step((generator = generator.apply(thisArg, _arguments || [])).next());
	});
};
var ExitCode;
(function(ExitCode) {
	ExitCode[ExitCode["Success"] = 0] = "Success";
	ExitCode[ExitCode["Failure"] = 1] = "Failure";
})(ExitCode || (ExitCode = {}));
function setSecret(secret) {
	issueCommand("add-mask", {}, secret);
}
function getInput(name, options) {
	const val = process.env[`INPUT_${name.replace(/ /g, "_").toUpperCase()}`] || "";
	if (options && options.required && !val) throw new Error(`Input required and not supplied: ${name}`);
	if (options && options.trimWhitespace === false) return val;
	return val.trim();
}
function setOutput(name, value) {
	if (process.env["GITHUB_OUTPUT"] || "") return issueFileCommand("OUTPUT", prepareKeyValueMessage(name, value));
	process.stdout.write(os.EOL);
	issueCommand("set-output", { name }, toCommandValue(value));
}
function setFailed(message) {
	process.exitCode = ExitCode.Failure;
	error(message);
}
function error(message, properties = {}) {
	issueCommand("error", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function warning(message, properties = {}) {
	issueCommand("warning", toCommandProperties(properties), message instanceof Error ? message.toString() : message);
}
function info(message) {
	process.stdout.write(message + os.EOL);
}
function startGroup(name) {
	issue("group", name);
}
function endGroup() {
	issue("endgroup");
}
function saveState(name, value) {
	if (process.env["GITHUB_STATE"] || "") return issueFileCommand("STATE", prepareKeyValueMessage(name, value));
	issueCommand("save-state", { name }, toCommandValue(value));
}
function getState(name) {
	return process.env[`STATE_${name}`] || "";
}

// src/action/text.ts
function logLine(text) {
	return text.replace(/[\r\n]+/g, " ").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "").replace(/:(?=:)/g, ":​").replace(/##\[/g, "#​#[");
}
function cell(text) {
	return escapeMarkdown(text);
}
function codeBlock(lines) {
	const shown = lines.map((line) => line.replace(/[\r\n]+/g, " ").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ""));
	const longest = Math.max(2, ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map((ticks) => ticks[0].length)));
	const fence = "`".repeat(longest + 1);
	return [
		fence,
		...shown,
		fence
	].join("\n");
}
function ganttText(text) {
	return text.replace(/[:;,#\r\n%"'`<>{}]/g, " ").trim() || "work";
}

// src/action/failures.ts
function failJob(title, failure) {
	error(logLine(`${failure.message}${failure.remedy.length > 0 ? `. What to do: ${failure.remedy.join("; ")}` : ""}`), { title: logLine(title) });
	for (const line of failure.remedy) info(`  ${logLine(line)}`);
	for (const line of failure.evidence) info(`  | ${logLine(line)}`);
	process.exitCode = 1;
}
function failUnexpectedly(error) {
	setFailed(error instanceof Error ? error : String(error));
	if (error instanceof Error && error.stack) info(error.stack.split("\n").map(logLine).join("\n"));
}

// src/action/inputs.ts
const inputDefaults = {
	command: "create",
	...requestDefaults,
	"proxmox-insecure": "false"
};
const requestInputs = [
	"distribution",
	"versions",
	"ubuntu-release",
	"node",
	"storage",
	"pool",
	"import-storage",
	"iso-storage",
	"bridge",
	"vlan",
	"build-address",
	"build-gateway",
	"build-dns",
	"disk-size",
	"timeout",
	"parallel",
	"keep-on-failure",
	"dry-run",
	"refresh",
	"max-age",
	"smoke-test",
	"keep",
	"keep-versions",
	"force",
	"per-node",
	"pin",
	"protect",
	"lock-file",
	"lock",
	"sbom-directory",
	"build",
	"ubuntu-url",
	"ubuntu-keyring",
	"talos-factory-url",
	"kubernetes-packages-url",
	"kubernetes-releases-url",
	"kubernetes-key-fingerprint",
	"image-repository",
	"apt-mirror"
];
const commands = [
	"create",
	"list",
	"delete",
	"sweep",
	"plan",
	"verify",
	"rollback",
	"prune"
];
const nameInput = (input) => `input ${input}`;
function readInputs(environment) {
	const connection = readConnection();
	const raw = Object.fromEntries(requestInputs.map((name) => [name, getInput(name)]));
	return {
		command: readCommand(),
		raw,
		connection,
		upstreams: readUpstreams(raw, environment)
	};
}
function readConnection() {
	const token = getInput("proxmox-token");
	maskToken(token);
	return parseConnection({
		url: getInput("proxmox-url"),
		token,
		ca: getInput("proxmox-ca-certificate"),
		fingerprint: getInput("proxmox-fingerprint"),
		insecure: readFlag("proxmox-insecure")
	}, (option) => nameInput({
		url: "proxmox-url",
		token: "proxmox-token",
		ca: "proxmox-ca-certificate",
		fingerprint: "proxmox-fingerprint"
	}[option]));
}
function maskToken(token) {
	for (const secret of [token, token.slice(token.indexOf("=") + 1)]) if (secret.length >= 6) setSecret(secret);
}
function readCommand() {
	const text = getInput("command") || inputDefaults["command"];
	const command = commands.find((one) => one === text);
	if (!command) throw new Failure("usage", `${nameInput("command")} is one of ${commands.join(", ")}, not ${JSON.stringify(text)}`);
	return command;
}
function readFlag(name) {
	const text = (getInput(name) || "false").toLowerCase();
	if (text !== "true" && text !== "false") throw new Failure("usage", `${nameInput(name)} wants true or false, not ${JSON.stringify(text)}`);
	return text === "true";
}
function readUpstreams(raw, environment) {
	const token = getInput("github-token");
	if (token.length >= 6) setSecret(token);
	return {
		...parseUpstreams(raw, nameInput),
		ubuntuKeyring: raw["ubuntu-keyring"] ? readKeyring(raw["ubuntu-keyring"]) : void 0,
		githubApiUrl: environment["GITHUB_API_URL"],
		githubToken: token || void 0
	};
}
function readKeyring(path) {
	try {
		return readFileSync$1(path);
	} catch (error) {
		throw new Failure("usage", `${nameInput("ubuntu-keyring")}: ${error.message}`, {
			remedy: ["check the repository out first (actions/checkout) if the file lies in it"],
			cause: error
		});
	}
}

// src/action/journal.ts
const stateName = "remnants";
function stateJournal() {
	return journalInto((open) => saveState(stateName, JSON.stringify(open)));
}
function readState() {
	const text = getState(stateName);
	if (!text) return [];
	return array(remnantSchema()).parse(JSON.parse(text), inEnglish);
}

// src/action/reporter.ts
function actionReporter(options) {
	const held = /* @__PURE__ */ new Map();
	const tell = (template, line) => {
		if (options.interleaved) held.set(template, [...held.get(template) ?? [], line]);
		else {
			if (!held.has(template)) startGroup(logLine(template));
			held.set(template, []);
			info(line);
		}
	};
	return {
		phase(template, title) {
			if (options.interleaved) info(logLine(`${template}: ${title}`));
			tell(template, logLine(title));
		},
		progress: (template, text) => tell(template, `  ${logLine(text)}`),
		note: (text, template) => info(logLine(template ? `${template}: ${text}` : text)),
		warn: (title, text, template) => warning(logLine(template ? `${template}: ${text}` : text), { title: logLine(title) }),
		done(template) {
			const lines = held.get(template);
			if (!lines) return;
			if (options.interleaved) {
				startGroup(logLine(template));
				for (const line of lines) info(line);
			}
			endGroup();
			held.delete(template);
		}
	};
}

// src/action/run.ts
const loaders = {
	create: () => import("./load-create2.mjs"),
	list: () => import("./load-list2.mjs"),
	delete: () => import("./load-delete2.mjs"),
	sweep: () => import("./load-sweep2.mjs"),
	plan: () => import("./load-plan.mjs"),
	verify: () => import("./load-verify.mjs"),
	rollback: () => import("./load-rollback2.mjs"),
	prune: () => import("./load-prune2.mjs")
};
async function prepareCommand({ command, raw }) {
	const { prepare } = await loaders[command]();
	return prepare(raw);
}
function runIdentity(environment) {
	const { GITHUB_RUN_ID: run = "local", GITHUB_RUN_ATTEMPT: attempt = "1", GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = environment;
	return {
		id: `${run}-${attempt}`,
		url: server && repository ? `${server}/${repository}/actions/runs/${run}` : void 0
	};
}

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

// src/action/outputs.ts
function outputOfOutcome({ target, template, result }) {
	return outputOfTemplate(target, template, result === "reused");
}
function outputOfTemplate(target, template, reused) {
	return {
		distribution: target.distribution,
		version: target.version,
		ubuntuRelease: target.ubuntuRelease ?? "",
		vmid: template?.vmid ?? "",
		node: template?.node ?? "",
		storage: template?.storage ?? "",
		name: template?.name ?? target.name,
		tags: target.tags.join(";"),
		created: template?.manifest?.created ?? "",
		reused,
		digest: template?.digest ?? "",
		image: template?.manifest?.image.url ?? ""
	};
}
function outputOfListed(row) {
	return {
		distribution: row.target.distribution,
		version: row.target.version,
		ubuntuRelease: row.target.ubuntuRelease ?? "",
		vmid: row.vmid,
		node: row.node,
		storage: row.storage ?? "",
		name: row.name ?? "",
		tags: row.tags.join(";"),
		created: row.manifest?.created ?? "",
		reused: true,
		digest: row.digest ?? "",
		image: row.manifest?.image.url ?? ""
	};
}
function outputOfDeletion(deletion) {
	return {
		vmid: deletion.vmid,
		node: deletion.node,
		name: deletion.name
	};
}
function setOutputs(templates, changed) {
	setOutput("templates", JSON.stringify(templates));
	setOutput("changed", String(changed));
	setOutput("count", String(templates.length));
	const [only] = templates;
	if (templates.length !== 1 || !only) return;
	for (const name of [
		"vmid",
		"node",
		"name",
		"tags",
		"version",
		"digest"
	]) if (name in only) setOutput(name, String(only[name]));
}
function setSbom(files) {
	const [only] = files;
	if (only) setOutput("sbom", files.length === 1 ? only.file : path.dirname(only.file));
}
function setMatrix(work) {
	setOutput("matrix", JSON.stringify(work));
	setOutput("has-work", String(work.length > 0));
	setOutput("changed", "false");
	setOutput("count", String(work.length));
}

// src/action/commands/command.ts
function withDefaultPool(raw) {
	return {
		...raw,
		pool: raw["pool"] || void 0
	};
}

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

export { readInputs as C, info as D, logLine as E, warning as O, readConnection as S, failUnexpectedly as T, runIdentity as _, outputOfTemplate as a, stateJournal as b, deleteSummary as c, planSummary as d, pruneSummary as f, prepareCommand as g, verifySummary as h, outputOfListed as i, summary as k, failureSummary as l, sweepSummary as m, withDefaultPool as n, setMatrix as o, rollbackSummary as p, outputOfDeletion as r, setOutputs as s, prepare as t, listSummary as u, actionReporter as v, failJob as w, nameInput as x, readState as y };