import { a as info, d as warning, i as getState, o as saveState, t as endGroup, u as startGroup } from "./actions-core.mjs";
import { W as journalInto, at as remnantSchema } from "./core.mjs";
import { a as array } from "./zod.mjs";
import { s as logLine } from "./inputs.mjs";

// src/action/journal.ts
const stateName = "remnants";
function stateJournal() {
	return journalInto((open) => saveState(stateName, JSON.stringify(open)));
}
function readState() {
	const text = getState(stateName);
	if (!text) return [];
	return array(remnantSchema).parse(JSON.parse(text));
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
	create: () => import("./load-create.mjs"),
	list: () => import("./load-list.mjs"),
	delete: () => import("./load-delete.mjs"),
	sweep: () => import("./load-sweep.mjs"),
	plan: () => import("./load-plan.mjs"),
	verify: () => import("./load-verify.mjs"),
	rollback: () => import("./load-rollback.mjs"),
	prune: () => import("./load-prune.mjs")
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

export { stateJournal as a, readState as i, runIdentity as n, actionReporter as r, prepareCommand as t };