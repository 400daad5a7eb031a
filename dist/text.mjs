import { G as parseUpstreams, Kt as Failure, Ut as parseConnection } from "./core.mjs";
import { readFileSync } from "node:fs";
import { Writable } from "node:stream";
import { createInterface } from "node:readline";

// src/cli/password.ts
async function readPassword(user, environment) {
	const given = environment["KUBEHENGE_PROXMOX_PASSWORD"];
	if (given) return given;
	if (!process.stdin.isTTY || !process.stderr.isTTY) throw new Failure("usage", `No password for ${user}: set KUBEHENGE_PROXMOX_PASSWORD, or run on a terminal to be asked for it`);
	process.stderr.write(`Password of ${user}: `);
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

// src/cli/text.ts
function plain(text) {
	return text.replace(/[\r\n\t]+/g, " ").replace(/[\u0000-\u001f\u007f-\u009f]/g, "");
}
function columns(rows) {
	const widths = rows.reduce((widest, row) => row.map((text, at) => Math.max(widest[at] ?? 0, text.length)), []);
	return rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  ").trimEnd()).join("\n");
}

export { readConnection as a, rawInputs as i, plain as n, readUpstreams as o, nameOption as r, withEnvironment as s, columns as t };