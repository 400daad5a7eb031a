import { l as setSecret, r as getInput } from "./actions-core.mjs";
import { G as parseUpstreams, Kt as Failure, Ut as parseConnection, lt as escapeMarkdown } from "./core.mjs";
import { t as requestDefaults } from "./start.mjs";
import { readFileSync } from "node:fs";

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

// src/action/inputs.ts
const inputDefaults = {
	command: "create",
	...requestDefaults,
	"proxmox-insecure": "false"
};
const names = [
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
	const raw = Object.fromEntries(names.map((name) => [name, getInput(name)]));
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
		return readFileSync(path);
	} catch (error) {
		throw new Failure("usage", `${nameInput("ubuntu-keyring")}: ${error.message}`, {
			remedy: ["check the repository out first (actions/checkout) if the file lies in it"],
			cause: error
		});
	}
}

export { codeBlock as a, cell as i, readConnection as n, ganttText as o, readInputs as r, logLine as s, nameInput as t };