import { _t as withSession, rt as journalInto, un as Failure } from "./core.mjs";

// src/library/index.ts
const name = (input) => input;
const silent = {
	phase() {},
	progress() {},
	note() {},
	warn() {},
	done() {}
};
function openTemplates(options) {
	const session = {
		connection: {
			origin: options.origin,
			authentication: options.authentication,
			ca: options.ca,
			fingerprint: options.fingerprint,
			insecure: false
		},
		upstreams: options.upstreams ?? {},
		environment: process.env,
		signal: options.signal ?? new AbortController().signal,
		reporter: {
			...silent,
			...options.reporter
		},
		journal: journalInto((open) => options.journal?.(open)),
		run: options.run
	};
	return {
		create: async (inputs) => {
			const { parseCreateRequest } = await import("./load-request.mjs");
			const { createTemplates } = await import("./load-create.mjs");
			const request = parseCreateRequest(inputs, name);
			return await withSession(session, (context) => createTemplates(context, request));
		},
		list: async (inputs = {}) => {
			const { parseListRequest } = await import("./load-upkeep-requests.mjs");
			const { listTemplates } = await import("./load-list.mjs");
			const request = parseListRequest(inputs, name);
			return await withSession(session, ({ proxmox }) => listTemplates(proxmox, request));
		},
		delete: async (inputs) => {
			const { parseDeleteRequest } = await import("./load-upkeep-requests.mjs");
			const { deleteTemplate } = await import("./load-delete.mjs");
			const request = parseDeleteRequest(inputs, name);
			return await withSession(session, (context) => deleteTemplate(context, request));
		},
		rollback: async (inputs) => {
			const { parseRollbackRequest } = await import("./load-upkeep-requests.mjs");
			const { rollback } = await import("./load-rollback.mjs");
			const request = parseRollbackRequest(inputs, name);
			return await withSession(session, (context) => rollback(context, request));
		},
		prune: async (inputs) => {
			const { parsePruneRequest } = await import("./load-upkeep-requests.mjs");
			const { pruneTemplates } = await import("./load-prune.mjs");
			const request = parsePruneRequest(inputs, name);
			return await withSession(session, (context) => pruneTemplates(context, request));
		}
	};
}

export { Failure, openTemplates };