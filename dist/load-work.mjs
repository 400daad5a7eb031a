import { homedir, hostname } from "node:os";
import { J as withSession, K as onSignals, Kt as Failure, W as journalInto, at as remnantSchema, ct as sayRemnant, et as sayRemains, q as withDeadline, st as removeRemnant } from "./core.mjs";
import { a as array, c as int, f as object, m as string } from "./zod.mjs";
import { a as readConnection, n as plain, o as readUpstreams } from "./text.mjs";
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

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

// src/cli/left-journals.ts
const journalSchema = object({
	run: string(),
	origin: string(),
	host: string(),
	pid: int(),
	remnants: array(remnantSchema)
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
		return journalSchema.safeParse(JSON.parse(text)).data;
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
				if (work.writes) await settleLeftJournals(context, process.env);
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

export { doWork };