import { n as withDefaultPool, x as nameInput } from "./action.mjs";

// src/action/commands/upkeep.ts
function upkeep(command) {
	return (raw) => {
		const request = command.parse(withDefaultPool(raw), nameInput);
		return {
			timeoutMs: request.timeoutMs,
			interleaved: false,
			async run(context) {
				const result = await command.run(context, request);
				command.setOutputs(result, request);
				return {
					summary: command.summary(result, request),
					failures: []
				};
			}
		};
	};
}

export { upkeep as t };