// package.json
var version$1 = "0.1.0";

// src/shell/version.ts
const version = version$1;

// src/templates/request-defaults.ts
const requestDefaults = {
	pool: "kubehenge-templates",
	"import-storage": "local",
	bridge: "vmbr0",
	timeout: "60",
	parallel: "2",
	"keep-on-failure": "false",
	"dry-run": "false",
	refresh: "never",
	keep: "1",
	"per-node": "false",
	force: "false"
};

export { version as n, requestDefaults as t };