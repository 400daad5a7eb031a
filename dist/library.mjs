import { J as withSession, Kt as Failure, S as createTemplates, W as journalInto, b as deleteTemplate, c as parseListRequest, l as parsePruneRequest, n as rollback, p as parseCreateRequest, s as parseDeleteRequest, t as pruneTemplates, u as parseRollbackRequest, y as listTemplates } from "./core.mjs";

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
			const request = parseCreateRequest(inputs, name);
			return await withSession(session, (context) => createTemplates(context, request));
		},
		list: async (inputs = {}) => {
			const request = parseListRequest(inputs, name);
			return await withSession(session, ({ proxmox }) => listTemplates(proxmox, request));
		},
		delete: async (inputs) => {
			const request = parseDeleteRequest(inputs, name);
			return await withSession(session, (context) => deleteTemplate(context, request));
		},
		rollback: async (inputs) => {
			const request = parseRollbackRequest(inputs, name);
			return await withSession(session, (context) => rollback(context, request));
		},
		prune: async (inputs) => {
			const request = parsePruneRequest(inputs, name);
			return await withSession(session, (context) => pruneTemplates(context, request));
		}
	};
}

export { Failure, openTemplates };