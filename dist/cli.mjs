#!/usr/bin/env node
import { n as __exportAll } from "./rolldown-runtime.mjs";
import { n as CommanderError, t as Command } from "./commander.mjs";
import { n as version, t as requestDefaults } from "./start.mjs";

// src/cli/options.ts
var options_exports = /* @__PURE__ */ __exportAll({
	addConnectionOptions: () => addConnectionOptions,
	addCreateOptions: () => addCreateOptions,
	addDeleteOptions: () => addDeleteOptions,
	addListOptions: () => addListOptions,
	addPlanOptions: () => addPlanOptions,
	addPruneOptions: () => addPruneOptions,
	addRollbackOptions: () => addRollbackOptions,
	addSweepOptions: () => addSweepOptions,
	addUpstreamOptions: () => addUpstreamOptions,
	addVerifyOptions: () => addVerifyOptions
});
const connection$1 = [
	{
		flags: "--proxmox-url <url>",
		text: "address of the Proxmox VE API, such as https://pve.example.org:8006 (env KUBEHENGE_PROXMOX_URL)"
	},
	{
		flags: "--ca-file <file>",
		text: "certificate (PEM) of the authority that signed the server's (env KUBEHENGE_PROXMOX_CA_FILE)"
	},
	{
		flags: "--fingerprint <sha256>",
		text: "SHA-256 fingerprint of the server's certificate, checked before the token is sent (env KUBEHENGE_PROXMOX_FINGERPRINT)"
	},
	{
		flags: "--user <user@realm>",
		text: "log in as this user instead of using a token (env KUBEHENGE_PROXMOX_USER); the password is asked for, or env KUBEHENGE_PROXMOX_PASSWORD"
	},
	{
		flags: "--insecure",
		text: "accept any certificate; warns each time"
	}
];
const upstreams$1 = [
	{
		flags: "--ubuntu-url <url>",
		text: "mirror of https://cloud-images.ubuntu.com"
	},
	{
		flags: "--ubuntu-keyring <file>",
		text: "OpenPGP key that signs that mirror's lists, in place of Ubuntu's"
	},
	{
		flags: "--talos-factory-url <url>",
		text: "Image Factory in place of https://factory.talos.dev"
	},
	{
		flags: "--kubernetes-packages-url <url>",
		text: "mirror of https://pkgs.k8s.io"
	},
	{
		flags: "--kubernetes-releases-url <url>",
		text: "mirror of https://dl.k8s.io"
	},
	{
		flags: "--kubernetes-key-fingerprint <hex>",
		text: "key that signs the Kubernetes packages, in place of pkgs.k8s.io's"
	}
];
const versions = [
	{
		flags: "--talos-version <version>",
		text: "Talos release: exact, a range such as ~1.14, or latest"
	},
	{
		flags: "--kubernetes-version <version>",
		text: "Kubernetes release: exact, a range such as 1.37.x, or latest"
	},
	{
		flags: "--ubuntu-release <release>",
		text: "Ubuntu release: a number or codename; the newest LTS when left out"
	}
];
const build = [
	{
		flags: "--node <name>",
		text: "node that builds; may be left out where one node is online"
	},
	{
		flags: "--storage <name>",
		text: "storage of the template's disk; the node's only one for images when left out"
	},
	{
		flags: "--import-storage <name>",
		text: "storage with content type import",
		default: requestDefaults["import-storage"]
	},
	{
		flags: "--iso-storage <name>",
		text: "storage with content type iso; the node's first one when left out"
	},
	{
		flags: "--bridge <name>",
		text: "bridge of the guest while it is built",
		default: requestDefaults.bridge
	},
	{
		flags: "--vlan <tag>",
		text: "VLAN tag of the guest's network card while it is built"
	},
	{
		flags: "--build-address <cidr>",
		text: "the guest's address while it is built; DHCP when left out"
	},
	{
		flags: "--build-gateway <address>",
		text: "its gateway"
	},
	{
		flags: "--disk-size <GiB>",
		text: "size of the disk; the image's own when left out, grown where updates and pulled images need room"
	},
	{
		flags: "--image-repository <registry>",
		text: "registry of kubeadm's images, in place of registry.k8s.io"
	},
	{
		flags: "--apt-mirror <url>",
		text: "Ubuntu package mirror that the guest uses while it is built"
	},
	{
		flags: "--parallel <number>",
		text: "templates that are built at the same time, where several versions are given",
		default: requestDefaults.parallel
	},
	{
		flags: "--keep-on-failure",
		text: "keep the VM of a failed build, switched off, for inspection"
	}
];
const pool = {
	flags: "--pool <name>",
	text: "resource pool of the templates",
	default: requestDefaults.pool
};
const dryRun = {
	flags: "--dry-run",
	text: "say what would be done, and change nothing"
};
const timeout = {
	flags: "--timeout <minutes>",
	text: "bound of the whole run",
	default: requestDefaults.timeout
};
function add(command, options) {
	for (const option of options) command.option(option.flags, option.default === void 0 ? option.text : `${option.text} (default: ${option.default})`);
	return command;
}
const refresh = [
	{
		flags: "--refresh <when>",
		text: "when a template that is there is built anew: never, outdated or always",
		default: requestDefaults.refresh
	},
	{
		flags: "--max-age <age>",
		text: "age from which a template is outdated, such as 7d"
	},
	{
		flags: "--smoke-test <boolean>",
		text: "true boots a clone of the new template and publishes it only when the clone proves itself; default: true with --refresh, else false"
	},
	{
		flags: "--per-node",
		text: "one template on each node, with a tag of its node: for clusters without shared storage"
	}
];
const keep = [{
	flags: "--keep <number>",
	text: "retired builds that are kept of each template",
	default: requestDefaults.keep
}];
const pins = [
	{
		flags: "--pin <digest>",
		text: "digest that the template must have; nothing is built then"
	},
	{
		flags: "--lock-file <file>",
		text: "file with the digests of the only templates that are allowed"
	},
	{
		flags: "--lock <mode>",
		text: "what is done with the lock file: check or write (default: check)"
	}
];
const sbom = {
	flags: "--sbom <directory>",
	text: "where to write what is in each template that is made, as SPDX 2.3 JSON"
};
const anyPool = {
	...pool,
	text: `${pool.text}; '' takes in every pool`
};
const output = (command, formats = "text or json", first = "text") => command.option("-o, --output <format>", formats, first);
const addConnectionOptions = (command) => add(command, connection$1);
const addUpstreamOptions = (command) => add(command, upstreams$1);
const addCreateOptions = (command) => output(add(command, [
	...versions,
	...build,
	...refresh,
	...keep,
	...pins,
	sbom,
	pool,
	dryRun,
	timeout
]).option("--build-dns <address>", "its DNS server; may be given several times", (one, all = []) => [...all, one]));
const addListOptions = (command) => output(add(command, [anyPool]), "table, wide, json or capmox", "table");
const addDeleteOptions = (command) => output(add(command, [
	...versions,
	anyPool,
	dryRun,
	timeout
]));
const addSweepOptions = (command) => output(add(command, [
	anyPool,
	dryRun,
	timeout
]));
const addPlanOptions = (command) => output(add(command, [
	...versions,
	{
		flags: "--node <name>",
		text: "node that would build"
	},
	...refresh,
	pool,
	timeout
]));
const addVerifyOptions = (command) => output(add(command, [
	...versions,
	{
		flags: "--digest <digest>",
		text: "the pinned digest: sha256:…"
	},
	{
		flags: "--protect <boolean>",
		text: "true protects the template from deletion, pruning and refreshing; false lifts that"
	},
	anyPool,
	timeout
]));
const addRollbackOptions = (command) => output(add(command, [
	...versions,
	{
		flags: "--build <id>",
		text: "the retired build to bring back; the newest one when left out"
	},
	anyPool,
	dryRun,
	timeout
]));
const addPruneOptions = (command) => output(add(command, [
	...keep,
	{
		flags: "--keep-versions <number>",
		text: "newest versions that are kept of each distribution; all when left out"
	},
	{
		flags: "--force",
		text: "delete even where the storage cannot tell whether linked clones hang on a template"
	},
	anyPool,
	dryRun,
	timeout
]));

// src/cli/main.ts
const program = new Command("kubehenge").description("VM templates on Proxmox VE for Cluster API clusters").version(version).exitOverride();
const template = program.command("template").description("make and keep VM templates").exitOverride();
const distribution = "talos, rke2, k3s or kubeadm";
function subcommand(usage, description, options, load) {
	const command = template.command(usage).description(description).exitOverride();
	for (const addOptions of options) addOptions(command);
	command.action(async (...given) => {
		const [{ doWork }, prepare] = await Promise.all([import("./load-work.mjs"), load()]);
		await doWork(() => prepare(...given.slice(0, -1)));
	});
}
const { addConnectionOptions: connection, addUpstreamOptions: upstreams } = options_exports;
subcommand("create <distribution>", `create a template, or reuse the one that is there; the distribution is ${distribution}`, [
	addCreateOptions,
	connection,
	upstreams
], async () => (await import("./load-create2.mjs")).createWork);
subcommand("list", "list the templates", [addListOptions, connection], async () => (await import("./load-list2.mjs")).listWork);
subcommand("delete <distribution>", "delete a template, or what a failed build left", [
	addDeleteOptions,
	connection,
	upstreams
], async () => (await import("./load-delete2.mjs")).deleteWork);
subcommand("plan [distributions...]", "say what would have to be built, and why", [
	addPlanOptions,
	connection,
	upstreams
], async () => (await import("./load-plan2.mjs")).planWork);
subcommand("verify <distribution>", "prove that a template is the pinned one", [
	addVerifyOptions,
	connection,
	upstreams
], async () => (await import("./load-verify2.mjs")).verifyWork);
subcommand("rollback <distribution>", "bring the build before back, and retire the present one", [
	addRollbackOptions,
	connection,
	upstreams
], async () => (await import("./load-rollback2.mjs")).rollbackWork);
subcommand("prune [distribution]", "delete old builds and old versions that no clone hangs on", [addPruneOptions, connection], async () => (await import("./load-prune2.mjs")).pruneWork);
subcommand("sweep", "remove what dead runs have left: build VMs, seeds and images that have outlived their lease", [addSweepOptions, connection], async () => (await import("./load-sweep2.mjs")).sweepWork);
try {
	await program.parseAsync();
} catch (error) {
	if (!(error instanceof CommanderError)) throw error;
	process.exitCode = error.exitCode === 0 ? 0 : 2;
}

export {  };