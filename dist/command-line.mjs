import { homedir, hostname } from "node:os";
import { _t as withSession, gt as withDeadline, ht as onSignals, it as parseUpstreams, kt as sayRemains, rt as journalInto, un as Failure, yt as parseConnection } from "./core.mjs";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Writable } from "node:stream";
import path from "node:path";

// src/cli/password.ts
async function readPassword(user, environment) {
	const given = environment["KUBEHENGE_PROXMOX_PASSWORD"];
	if (given) return given;
	if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Failure("usage", `No password for ${user}: set KUBEHENGE_PROXMOX_PASSWORD, or run on a terminal to be asked for it`);
	process.stderr.write(`Password of ${user}: `);
	const { createInterface } = await import("node:readline");
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const lines = createInterface({
		input: process.stdin,
		output: silent,
		terminal: true
	});
	try {
		return await new Promise((resolve, reject) => {
			lines.once("line", resolve);
			lines.once("SIGINT", () => reject(new Failure("interrupted", "No password was given")));
			lines.once("close", () => reject(new Failure("usage", `No password for ${user} was given`)));
		});
	} finally {
		lines.close();
		process.stderr.write("\n");
	}
}

// src/cli/inputs.ts
const versionOptions = {
	talos: "talosVersion",
	kubeadm: "kubernetesVersion",
	rke2: "ubuntuRelease",
	k3s: "ubuntuRelease"
};
function nameOption(input) {
	return input === "versions" ? "the version" : input === "distribution" ? "the distribution" : `--${input}`;
}
function rawInputs(distribution, options) {
	const raw = { distribution };
	for (const [name, value] of Object.entries(options)) {
		const input = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
		raw[input] = Array.isArray(value) ? value.join("\n") : value === void 0 ? void 0 : String(value);
	}
	const own = versionOptions[distribution];
	for (const other of ["talosVersion", "kubernetesVersion"]) {
		if (own === void 0 || own === other || options[other] === void 0) continue;
		const flag = `--${other.replace("V", "-v")}`;
		throw new Failure("usage", `${flag} says nothing about a template of ${distribution}`, { remedy: [distribution === "talos" || distribution === "kubeadm" ? `leave it out; its version is given with --${own.replace("V", "-v")}` : `leave it out: ${distribution} installs itself when a node boots, so its template is one per Ubuntu release (--ubuntu-release)`] });
	}
	if (own === "talosVersion" || own === "kubernetesVersion") raw["versions"] = options[own] === void 0 ? void 0 : String(options[own]);
	return raw;
}
async function readConnection(options, environment) {
	const user = text(options["user"]) ?? environment["KUBEHENGE_PROXMOX_USER"];
	const caFile = text(options["caFile"]) ?? environment["KUBEHENGE_PROXMOX_CA_FILE"];
	return parseConnection({
		url: text(options["proxmoxUrl"]) ?? environment["KUBEHENGE_PROXMOX_URL"],
		token: environment["KUBEHENGE_PROXMOX_TOKEN"],
		session: user ? {
			user,
			password: await readPassword(user, environment)
		} : void 0,
		ca: caFile ? readFile(caFile, "--ca-file") : void 0,
		fingerprint: text(options["fingerprint"]) ?? environment["KUBEHENGE_PROXMOX_FINGERPRINT"],
		insecure: options["insecure"] === true
	}, (option) => ({
		url: "--proxmox-url or KUBEHENGE_PROXMOX_URL",
		token: "KUBEHENGE_PROXMOX_TOKEN",
		ca: "--ca-file or KUBEHENGE_PROXMOX_CA_FILE",
		fingerprint: "--fingerprint or KUBEHENGE_PROXMOX_FINGERPRINT"
	})[option]);
}
const upstreamInputs = [
	"ubuntu-url",
	"ubuntu-keyring",
	"talos-factory-url",
	"kubernetes-packages-url",
	"kubernetes-releases-url",
	"kubernetes-key-fingerprint"
];
function readUpstreams(raw, environment) {
	const set = withEnvironment(raw, upstreamInputs, environment);
	const keyring = set["ubuntu-keyring"];
	return {
		...parseUpstreams(set, nameOption),
		ubuntuKeyring: keyring ? Buffer.from(readFile(keyring, "--ubuntu-keyring"), "latin1") : void 0,
		githubApiUrl: environment["GITHUB_API_URL"],
		githubToken: environment["GITHUB_TOKEN"]
	};
}
function withEnvironment(raw, names, environment) {
	const fromEnvironment = names.map((name) => [name, raw[name] || environment[`KUBEHENGE_${name.replaceAll("-", "_").toUpperCase()}`]]);
	return {
		...raw,
		...Object.fromEntries(fromEnvironment)
	};
}
function text(value) {
	return typeof value === "string" && value !== "" ? value : void 0;
}
function readFile(path, option) {
	try {
		return readFileSync(path, "latin1");
	} catch (error) {
		throw new Failure("usage", `${option}: ${error.message}`, { cause: error });
	}
}
function outputFormat(options) {
	const output = options["output"];
	if (output !== "text" && output !== "json") throw new Failure("usage", `-o is text or json, not ${JSON.stringify(output)}`);
	return output;
}

// src/cli/text.ts
function plain(text) {
	return text.replace(/[\r\n\t]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "");
}
function columns(rows) {
	const widths = rows.reduce((widest, row) => row.map((text, at) => Math.max(widest[at] ?? 0, text.length)), []);
	return rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  ").trimEnd()).join("\n");
}

// src/cli/exit-codes.ts
const exitCodes = {
	failure: 1,
	usage: 2,
	"not-found": 3,
	access: 4,
	conflict: 5,
	verification: 6,
	deadline: 124,
	interrupted: 130
};

// src/cli/reporter.ts
function terminalReporter(terminal) {
	let live = false;
	const clear = () => {
		if (live) terminal.write("\r\x1B[2K");
		live = false;
	};
	const line = (text) => {
		clear();
		terminal.write(`${text}\n`);
	};
	const phaseOf = /* @__PURE__ */ new Map();
	const show = (template, text) => {
		const whole = plain(`${template}: ${text}`);
		if (!terminal.isTTY) return line(whole);
		clear();
		terminal.write(whole.slice(0, Math.max(20, terminal.columns - 1)));
		live = true;
	};
	const yellow = (text) => terminal.color ? `\u001b[33m${text}\u001b[39m` : text;
	return {
		clear,
		phase(template, title) {
			phaseOf.set(template, title);
			show(template, title);
		},
		progress: (template, text) => show(template, terminal.isTTY ? `${phaseOf.get(template) ?? ""}: ${text}` : `  ${text}`),
		note: (text, template) => line(plain(template ? `${template}: ${text}` : text)),
		warn: (title, text, template) => line(`${yellow("warning:")} ${plain(`${title}: ${template ? `${template}: ` : ""}${text}`)}`),
		done: () => clear()
	};
}

// src/cli/state.ts
function fileJournal(environment, run, origin) {
	const folder = stateFolder(environment);
	const file = path.join(folder, `${run.replace(/[^A-Za-z0-9.-]/g, "_")}.json`);
	return journalInto((open) => {
		if (open.length === 0) return rmSync(file, { force: true });
		mkdirSync(folder, {
			recursive: true,
			mode: 448
		});
		writeFileSync(`${file}.new`, JSON.stringify({
			run,
			origin,
			host: hostname(),
			pid: process.pid,
			remnants: open
		}), { mode: 384 });
		renameSync(`${file}.new`, file);
	});
}
function stateFolder(environment) {
	return path.join(environment["XDG_STATE_HOME"] || path.join(environment["HOME"] || homedir(), ".local", "state"), "kubehenge");
}
function isAnythingLeft(environment) {
	try {
		return readdirSync(stateFolder(environment)).length > 0;
	} catch {
		return false;
	}
}
function halfWrittenJournals(folder) {
	const host = hostname().replace(/[^A-Za-z0-9.-]/g, "_");
	try {
		return readdirSync(folder).flatMap((name) => {
			const pid = name.startsWith(`${host}-`) && /^(\d+)-[0-9a-z]+\.json\.new$/.exec(name.slice(host.length + 1))?.[1];
			return pid ? [{
				file: path.join(folder, name),
				pid: Number(pid)
			}] : [];
		});
	} catch {
		return [];
	}
}
function leftJournals(folder) {
	try {
		return readdirSync(folder).filter((name) => name.endsWith(".json")).map((name) => ({
			file: path.join(folder, name),
			text: readFileSync(path.join(folder, name), "utf8")
		}));
	} catch {
		return [];
	}
}

// src/cli/work.ts
async function doWork(prepare) {
	const reporter = terminalReporter({
		write: (text) => process.stderr.write(text),
		isTTY: process.stderr.isTTY,
		columns: process.stderr.columns || 80,
		color: process.stderr.isTTY && !process.env["NO_COLOR"]
	});
	try {
		const work = prepare();
		const connection = await readConnection(work.options, process.env);
		const run = `${hostname()}-${process.pid}-${Date.now().toString(36)}`;
		const journal = fileJournal(process.env, run, connection.origin);
		const interruption = onSignals((exitCode) => {
			reporter.clear();
			for (const line of sayRemains(journal.open)) process.stderr.write(`${plain(line)}\n`);
			process.exit(exitCode);
		});
		try {
			const end = await withSession({
				connection,
				upstreams: readUpstreams(work.raw, process.env),
				environment: process.env,
				signal: withDeadline(interruption.signal, work.timeoutMs, "--timeout MINUTES"),
				reporter,
				journal,
				run: { id: run }
			}, async (context) => {
				if (work.writes && isAnythingLeft(process.env)) await (await import("./load-left-journals.mjs")).settleLeftJournals(context, process.env);
				return await work.run(context);
			});
			reporter.clear();
			if (end.result) process.stdout.write(end.result.endsWith("\n") ? end.result : `${end.result}\n`);
			for (const failure of end.failures ?? []) tell(failure, reporter);
			process.exitCode = interruption.exitCode() ?? (end.failures?.[0] ? exitCodes[end.failures[0].kind] : 0);
		} catch (error) {
			if (!(error instanceof Failure)) throw error;
			tell(error, reporter);
			process.exitCode = interruption.exitCode() ?? exitCodes[error.kind];
		} finally {
			interruption.stop();
		}
	} catch (error) {
		reporter.clear();
		if (!(error instanceof Failure)) throw error;
		tell(error, reporter);
		process.exitCode = exitCodes[error.kind];
	}
}
function tell(failure, reporter) {
	reporter.clear();
	const lines = [
		`error: ${plain(failure.message)}`,
		...failure.remedy.map((line) => `  -> ${plain(line)}`),
		...failure.evidence.map((line) => `  | ${plain(line)}`)
	];
	process.stderr.write(`${lines.join("\n")}\n`);
}

export { columns as a, outputFormat as c, stateFolder as i, rawInputs as l, halfWrittenJournals as n, plain as o, leftJournals as r, nameOption as s, doWork as t, withEnvironment as u };