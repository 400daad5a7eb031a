import { c as outputFormat, l as rawInputs, o as plain, s as nameOption, t as doWork } from "./command-line.mjs";

// src/cli/upkeep.ts
function upkeep(command) {
	const work = (distribution, options) => {
		const raw = rawInputs(distribution, options);
		const request = command.parse(raw, nameOption);
		const output = outputFormat(options);
		return {
			options,
			raw,
			timeoutMs: request.timeoutMs,
			writes: !request.dryRun,
			async run(context) {
				const result = await command.run(context, request);
				const lines = command.lines(result, request, context.reporter);
				return { result: output === "json" ? JSON.stringify(result, void 0, 2) : lines.map(plain).join("\n") };
			}
		};
	};
	return (distribution, options) => doWork(() => work(distribution, options));
}

export { upkeep as t };