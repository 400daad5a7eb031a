import { $ as upidSchema, Ct as inEnglish, F as readConfigIfThere, Gt as optional, P as readConfig, Pt as number, Q as taskStart, R as readStatus, U as updateConfig, V as startVm, Wt as object, Zt as string, an as _toLowerCase, bt as ProxmoxError, f as checkGuestNetwork, in as _regex, nt as sayDuration, q as nextVmid, rn as _maxLength, un as Failure, vt as apiPath, zt as int } from "./core.mjs";
import { n as runTask, t as confirmWrite } from "./write.mjs";
import { n as readOwnConfig, t as isOurs } from "./own-vm.mjs";
import { _ as newMac, c as fail_default, d as ethernet, f as yamlText, h as seedStepName, i as watchGuest, l as shellQuoted, m as lastLines, o as uploadSeedIso, p as markerDisk, s as signal_default, t as SmokeFailure, u as writeSeed } from "./smoke-failure.mjs";

// src/proxmox/clone.ts
async function cloneLinked(proxmox, node, vmid, clone) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/clone`,
		parameters: {
			newid: clone.newid,
			name: clone.name,
			pool: clone.pool,
			full: 0
		},
		schema: upidSchema
	});
}

// src/templates/smoke-clone.ts
const attempts = 12;
async function cloneCandidate(proxmox, vm, pool, undo) {
	const { node, remnant: candidate } = vm;
	const name = `kubehenge-smoke-${candidate.build}`;
	for (let attempt = 1;; attempt += 1) {
		const vmid = await nextVmid(proxmox);
		const remnant = {
			kind: "vm",
			node,
			vmid,
			build: candidate.build,
			clonedFrom: vm.vmid
		};
		undo.push(remnant);
		try {
			const { upid } = await runTask(proxmox, {
				doing: `cloning VM ${vm.vmid} to VM ${vmid}`,
				start: () => cloneLinked(proxmox, node, vm.vmid, {
					newid: vmid,
					name,
					pool
				}),
				task: {
					node,
					type: "qmclone",
					vmid: vm.vmid,
					notBefore: vm.createdAt
				},
				isDone: async () => {
					const config = await readConfigIfThere(proxmox, node, vmid);
					return config !== void 0 && config.lock === void 0 && isOurs(config, candidate.build);
				},
				once: true,
				onTask: (task) => undo.push({
					...remnant,
					upid: task
				})
			});
			undo.push(remnant);
			await readOwnConfig(proxmox, remnant);
			return {
				node,
				vmid,
				name,
				remnant,
				createdAt: upid ? taskStart(upid) : vm.createdAt
			};
		} catch (error) {
			if (!(error instanceof ProxmoxError && /already exists/i.test(error.reason)) || attempt >= attempts) throw error;
			undo.release(remnant);
			await proxmox.clock.sleep(100 + Math.random() * 400, proxmox.signal);
		}
	}
}
async function equipClone(proxmox, clone, parameters) {
	await confirmWrite(proxmox, () => updateConfig(proxmox, clone.node, clone.vmid, parameters), async () => {
		const config = await readConfig(proxmox, clone.node, clone.vmid);
		return Object.keys(parameters).every((option) => config[option] !== void 0) && config["cores"] === cloneSize.cores;
	});
}
const cloneSize = {
	cores: 2,
	memory: 2048
};
async function startClone(proxmox, clone) {
	await runTask(proxmox, {
		doing: `starting VM ${clone.vmid}, a clone of the candidate`,
		start: () => startVm(proxmox, clone.node, clone.vmid),
		task: {
			node: clone.node,
			type: "qmstart",
			vmid: clone.vmid,
			notBefore: clone.createdAt
		},
		isDone: async () => (await readStatus(proxmox, clone.node, clone.vmid)).status === "running"
	});
}
function smbiosUuid(config, vmid) {
	const uuid = /(?:^|,)uuid=([0-9a-f-]{36})(?:,|$)/i.exec(config.smbios1 ?? "")?.[1];
	if (uuid) return uuid.toLowerCase();
	throw new Failure("verification", `VM ${vmid} has no SMBIOS UUID (smbios1), so that a clone could not be told apart`);
}

// src/proxmox/console.ts
const proxySchema = object({
	port: number().check(int()),
	ticket: string(),
	user: string()
});
const totalLimit = 8388608;
const pollMs = 200;
const greetingMs = 2e4;
const keepAliveMs = 3e4;
async function openConsole(proxmox, node, vmid) {
	const { clock, signal } = proxmox;
	const proxy = await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/termproxy`,
		parameters: { serial: "serial0" },
		schema: proxySchema
	});
	const decoder = new TextDecoder();
	let received = "";
	let total = 0;
	let closed = false;
	const socket = await proxmox.openWebSocket({
		path: apiPath`/nodes/${node}/qemu/${vmid}/vncwebsocket`,
		parameters: {
			port: proxy.port,
			vncticket: proxy.ticket
		},
		protocol: "binary",
		onData(payload) {
			total += payload.length;
			received = (received + decoder.decode(payload, { stream: true })).slice(-65536);
		},
		onClose: () => closed = true
	});
	socket.send(`${proxy.user}:${proxy.ticket}\n`);
	let keptAlive = clock.now();
	const waitUntil = async (isThere, timeoutMs) => {
		const until = clock.now() + timeoutMs;
		for (;;) {
			if (isThere()) return "found";
			if (closed) return "closed";
			if (total > totalLimit) return "flooded";
			if (clock.now() >= until) return "late";
			if (clock.now() - keptAlive >= keepAliveMs) {
				keptAlive = clock.now();
				socket.send("2");
			}
			await clock.sleep(pollMs, signal);
		}
	};
	try {
		const greeting = await waitUntil(() => received.startsWith("OK"), greetingMs);
		if (greeting !== "found") throw notLetIn(proxmox, node, vmid, greeting);
		received = received.slice(2);
	} catch (error) {
		socket.close();
		throw error;
	}
	return {
		waitFor: (pattern, timeoutMs) => waitUntil(() => pattern.test(withoutControls(received)), timeoutMs),
		text: () => withoutControls(received),
		close: () => socket.close()
	};
}
function notLetIn(proxmox, node, vmid, how) {
	return new Failure("access", `The serial console of VM ${vmid} on node ${node} did not let ${proxmox.tokenName} in: ${how === "closed" ? "it closed the connection" : "it said nothing"}`, { remedy: ["API tokens can use consoles since late releases of Proxmox VE 9.0: upgrade, or use a session (--user)"] });
}
function withoutControls(text) {
	return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, "").replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "");
}

// src/templates/smoke-console.ts
const maintenance = /entering maintenance (?:service|mode)|booted into maintenance mode/i;
const boundMs = 3e5;
const what = "it boots into maintenance mode, as its serial console says";
async function proveTalos({ proxmox }, clone, undo, phases) {
	await equipClone(proxmox, clone, cloneSize);
	await startClone(proxmox, clone);
	const console = await openConsole(proxmox, clone.node, clone.vmid).catch((error) => {
		throw withoutConsole(error, clone);
	});
	try {
		phases.progress("reading the clone's serial console");
		const end = await console.waitFor(maintenance, boundMs);
		if (end !== "found") {
			const { status } = await readStatus(proxmox, clone.node, clone.vmid);
			throw silent(clone, end, status, lastLines(console.text()));
		}
	} finally {
		console.close();
	}
	await undo.remove(proxmox, clone.remnant);
	return [{
		what,
		ok: true
	}];
}
function silent({ vmid }, end, status, evidence) {
	const how = status === "stopped" ? "it is switched off" : {
		late: `its serial console did not say so within ${sayDuration(boundMs)}`,
		closed: "its serial console closed the connection before it said so",
		flooded: "its serial console said too much else"
	}[end];
	const why = evidence.length === 0 ? `${how}, and nothing was to be read there` : how;
	const failure = new Failure(end === "late" && status !== "stopped" ? "deadline" : "verification", `VM ${vmid} did not come to Talos' maintenance mode: ${why}`, { evidence });
	return new SmokeFailure(failure, [{
		what,
		ok: false
	}]);
}
function withoutConsole(error, { vmid }) {
	if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "deadline") return error;
	const words = error instanceof ProxmoxError ? `${error.status} ${error.reason}` : error.message;
	return new Failure(error.kind, `The smoke test is not possible: the serial console of VM ${vmid} cannot be read: ${words}`, {
		remedy: error.remedy,
		cause: error
	});
}

// src/guest/smoke/proofs.ts
const byStep = {
	"smoke-cloud-init": [{
		what: "cloud-init ends without errors and warnings",
		reasons: [
			1,
			2,
			3
		]
	}],
	"smoke-identity": [
		{
			what: "the host name of its seed",
			reasons: [1]
		},
		{
			what: "a machine-id of its own",
			reasons: [2, 3]
		},
		{
			what: "fresh ssh host keys",
			reasons: [4, 5]
		},
		{
			what: "an address on its network card",
			reasons: [6]
		},
		{
			what: "the guest agent runs",
			reasons: [7]
		}
	],
	"smoke-containerd": [{
		what: "containerd answers",
		reasons: [1, 2]
	}, {
		what: "kubeadm's images are there",
		reasons: [3]
	}],
	"smoke-preflight": [{
		what: "kubeadm's preflight checks find nothing that the template is to blame for",
		reasons: [1, 2]
	}]
};
function proofsOf(steps, last) {
	if (last.kind === "nothing") return [{
		what: "it boots and reads its seed",
		ok: false
	}];
	const reached = last.kind === "done" ? 1e400 : last.step.code;
	const proofs = [{ what: "it boots and reads its seed" }, ...steps.filter(({ code }) => code < reached).flatMap(({ name }) => byStep[name] ?? [])].map(({ what }) => ({
		what,
		ok: true
	}));
	if (last.kind === "done") return proofs;
	const own = byStep[last.step.name] ?? [];
	const reason = last.kind === "failed" ? last.reason?.number : void 0;
	const at = own.findIndex(({ reasons }) => reason !== void 0 && reasons.includes(reason));
	if (at < 0) return [...proofs, {
		what: `an end of "${last.step.title}"`,
		ok: false
	}];
	return [...proofs, ...own.slice(0, at + 1).map(({ what }, index) => ({
		what,
		ok: index < at
	}))];
}

// src/guest/smoke/plan.ts
const uuid = string().check(_regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, "a UUID"), _toLowerCase());
const kubernetes = object({
	version: string().check(_regex(/^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$/, "an exact version such as v1.37.1")),
	imageRepository: optional(string().check(_maxLength(255), _regex(/^[a-z0-9.-]+(:[0-9]{1,5})?(\/[a-z0-9._-]+)*$/, "a registry such as registry.example.org/kubernetes")))
});
const planSchema = object({
	uuid,
	templateUuid: optional(uuid),
	hostname: string().check(_regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "a host name of one label (RFC 1123)")),
	mac: string().check(_regex(/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/, "a MAC address"), _toLowerCase()),
	kubernetes: optional(kubernetes)
});
function checkSmokePlan(plan) {
	const result = planSchema.safeParse(plan, inEnglish);
	if (!result.success) {
		const issue = result.error.issues[0];
		throw new Failure("usage", `The clone cannot be told its ${issue?.path.join(".") ?? "plan"}: expected ${issue?.message ?? "another value"}.`);
	}
	checkGuestNetwork(plan.network);
	return {
		...plan,
		...result.data
	};
}

// src/guest/smoke/scripts/smoke-cloud-init.sh
var smoke_cloud_init_default = "#!/bin/bash\n# cloud-init has ended, without errors and without warnings: Cluster API's Proxmox provider takes any exit code of\n# `cloud-init status` but 0 for a failed machine, and cloud-init from 23.4 on ends with 2 for mere warnings.\n# shellcheck source=step.sh\n. /run/kubehenge-smoke/step.sh\n\nsaid=$(timeout 270 cloud-init status --wait --long 2>&1) && code=0 || code=$?\nprintf '%s\\n' \"$said\"\nwords=$(printf '%s' \"$said\" | tr '\\n' ' ' | tr -s '. ' | cut -c1-300)\ncase $code in\n  0) ;;\n  1) fail 1 \"cloud-init ended with an error: $words\" ;;\n  2) fail 2 \"cloud-init ended with warnings: $words\" ;;\n  124 | 137) fail 3 \"cloud-init did not end within 270 s.\" ;;\n  *) fail 1 \"cloud-init status ended with $code: $words\" ;;\nesac\ncase $said in\n  *degraded*) fail 2 \"cloud-init ended with warnings: $words\" ;;\nesac\n";

// src/guest/smoke/scripts/smoke-containerd.sh
var smoke_containerd_default = "#!/bin/bash\n# containerd answers as a container runtime, and holds the images that kubeadm names.\n# shellcheck source=step.sh\n. /run/kubehenge-smoke/step.sh\n\nruns() { systemctl is-active --quiet containerd.service; }\nwait_for 60 runs ||\n  fail 1 \"containerd does not run: $(systemctl status --no-pager --lines=5 containerd.service 2>&1 | tr '\\n' ' ')\"\nanswers() { timeout 20 crictl version >\"$state/runtime\" 2>&1; }\nwait_for 60 answers || fail 2 \"containerd does not answer crictl: $(tr '\\n' ' ' <\"$state/runtime\")\"\ncat \"$state/runtime\"\n\nkubeadm config images list --kubernetes-version \"$KUBERNETES_VERSION\" \\\n  ${IMAGE_REPOSITORY:+--image-repository \"$IMAGE_REPOSITORY\"} >\"$state/wanted-images\"\n# \"check -q\" names only images that are whole and unpacked.\nctr --namespace k8s.io images check -q >\"$state/whole-images\"\nwhile read -r image; do\n  grep -qxF -- \"$image\" \"$state/whole-images\" || fail 3 \"The image $image is not in containerd.\"\ndone <\"$state/wanted-images\"\n";

// src/guest/smoke/scripts/smoke-identity.sh
var smoke_identity_default = "#!/bin/bash\n# What a machine is called by and known by is this clone's own, and neither the template's nor nobody's.\n# shellcheck source=step.sh\n. /run/kubehenge-smoke/step.sh\n\nname=$(cat /proc/sys/kernel/hostname)\n[ \"$name\" = \"$SMOKE_HOSTNAME\" ] || fail 1 \"The host name is $name, not $SMOKE_HOSTNAME.\"\nsaved=$(cat /etc/hostname)\n[ \"$saved\" = \"$SMOKE_HOSTNAME\" ] || fail 1 \"The host name in /etc/hostname is $saved, not $SMOKE_HOSTNAME.\"\n\nid=$(cat /etc/machine-id 2>/dev/null || true)\nprintf '%s\\n' \"$id\" | grep -xE '[0-9a-f]{32}' >/dev/null || fail 2 \"/etc/machine-id holds no machine-id: $id\"\nif [ -n \"$TEMPLATE_MACHINE_ID\" ] && [ \"$id\" = \"$TEMPLATE_MACHINE_ID\" ]; then\n  fail 3 \"The machine-id $id is made of the template's SMBIOS UUID.\"\nfi\n\nkeys=$(find /etc/ssh -maxdepth 1 -name 'ssh_host_*_key')\n[ -n \"$keys\" ] || fail 4 \"There is no host key in /etc/ssh.\"\nwhile read -r key; do\n  # bootcmd has touched that file in this boot, before cloud-init made the keys.\n  [ \"$key\" -nt \"$state/started\" ] || fail 5 \"The host key $key is older than this boot.\"\ndone <<<\"$keys\"\n\nhas_address() { ip -o address show up scope global | awk '/ inet/ && !/ tentative/ { found = 1 } END { exit !found }'; }\nwait_for 60 has_address || fail 6 \"No network card has an address: $(ip -br address | tr -s ' \\n' ' ')\"\n\nagent_runs() { systemctl is-active --quiet qemu-guest-agent.service; }\nwait_for 60 agent_runs || fail 7 \"qemu-guest-agent does not run: $(systemctl is-active qemu-guest-agent.service)\"\n";

// src/guest/smoke/scripts/smoke-preflight.sh
var smoke_preflight_default = "#!/bin/bash\n# kubeadm's own checks before `kubeadm init`. Left out is what a clone as small as this one cannot have; the images are\n# there, so nothing is pulled.\n# shellcheck source=step.sh\n. /run/kubehenge-smoke/step.sh\n\n# The newest version of the configuration that this kubeadm knows, as it writes it itself.\napi=$(kubeadm config print init-defaults | awk '$1 == \"apiVersion:\" && $2 ~ /^kubeadm\\.k8s\\.io\\// { print $2; exit }')\nconfig=\"$state/kubeadm.yaml\"\n{\n  printf 'apiVersion: %s\\nkind: InitConfiguration\\n' \"$api\"\n  printf 'nodeRegistration:\\n  criSocket: unix:///run/containerd/containerd.sock\\n---\\n'\n  # Without the version kubeadm would ask the internet for the newest one.\n  printf 'apiVersion: %s\\nkind: ClusterConfiguration\\nkubernetesVersion: %s\\n' \"$api\" \"$KUBERNETES_VERSION\"\n  if [ -n \"$IMAGE_REPOSITORY\" ]; then printf 'imageRepository: %s\\n' \"$IMAGE_REPOSITORY\"; fi\n} >\"$config\"\n\nsaid=\"$state/preflight\"\ntimeout 220 kubeadm init phase preflight --config \"$config\" --ignore-preflight-errors=NumCPU,Mem >\"$said\" 2>&1 &&\n  code=0 || code=$?\ncat \"$said\"\nif [ \"$code\" -ne 0 ]; then\n  fail 1 \"kubeadm init phase preflight ended with $code: $(grep -F '[ERROR' \"$said\" | tr -s '\\t\\n' ' ' | cut -c1-300)\"\nfi\n# Warnings about the network or the machine's size are not the template's; these are.\nblame=$(grep -E '\\[WARNING (FileExisting-|Service-|Swap)' \"$said\" | tr -s '\\t\\n' ' ' | cut -c1-300 || true)\nif [ -n \"$blame\" ]; then fail 2 \"kubeadm init phase preflight warns: $blame\"; fi\n";

// src/guest/smoke/scripts/run.sh
var run_default = "#!/bin/bash\n# Puts a clone to the proof in its first boot, one step after the other, each within its bound, and says which one it is\n# in. The machine stays up: the builder switches it off.\nset -Eeuo pipefail\n\nsmoke=/run/kubehenge-smoke\nstate=/run/kubehenge\n# shellcheck source=../../scripts/signal.sh\n. \"$smoke/signal.sh\"\n\n# tell CODE TEXT: as signal, but without the host name, which is among what is proven.\ntell() {\n  local disk\n  disk=$(marker_disk)\n  if [ -n \"$disk\" ]; then\n    dd if=/dev/zero of=\"$disk\" bs=512 seek=\"$1\" count=1 oflag=direct conv=notrunc,nocreat status=none || true\n  fi\n  printf 'KUBEHENGE code=%s %s\\n' \"$1\" \"$2\" | to_console\n}\n\n# give_up CODE NAME: the verdict, and the last words on the console.\ngive_up() {\n  local reason failure=$((500 + $1))\n  if [ -s \"$state/reason\" ]; then\n    read -r reason <\"$state/reason\"\n    failure=$((1000 + 10 * $1 + reason))\n  fi\n  signal \"$failure\" \"FAILED step=$2\"\n  {\n    printf 'KUBEHENGE-LOG-BEGIN\\n'\n    tail -n 40 \"$state/log\" | cut -c1-300\n    printf 'KUBEHENGE-LOG-END\\n'\n  } | to_console\n}\n\nmain() {\n  local steps step code bound name status\n  mkdir -p \"$state\"\n  exec </dev/null >>\"$state/log\" 2>&1\n  mapfile -t steps <\"$smoke/steps\"\n  for step in \"${steps[@]}\"; do\n    read -r code bound name <<<\"$step\"\n    rm -f \"$state/reason\"\n    tell \"$code\" \"step=$name\"\n    printf '== %s, at most %s s\\n' \"$name\" \"$bound\"\n    status=0\n    timeout --kill-after=10 \"$bound\" /bin/bash \"$smoke/$name.sh\" || status=$?\n    if [ \"$status\" -eq 124 ] || [ \"$status\" -eq 137 ]; then\n      printf 'FAILED: the step \"%s\" took longer than %s s.\\n' \"$name\" \"$bound\"\n      printf '8\\n' >\"$state/reason\"\n    fi\n    if [ \"$status\" -ne 0 ]; then\n      give_up \"$code\" \"$name\"\n      exit 1\n    fi\n  done\n  signal 100 'proven'\n}\n\nmain\nexit 0\n";

// src/guest/smoke/scripts/step.sh
var step_default = "#!/bin/bash\n# What every proof begins with: the settings, and the ways to fail and to wait. Sourced.\n# shellcheck disable=SC2034 # the scripts that source this use the variables\nset -Eeuo pipefail\nexport LC_ALL=C\n\nsmoke=/run/kubehenge-smoke\nstate=/run/kubehenge\n# shellcheck source=/dev/null\n. \"$smoke/settings\"\n# shellcheck source=../../scripts/fail.sh\n. \"$smoke/fail.sh\"\n";

// src/guest/smoke/steps.ts
function smokeSteps(kubernetes) {
	return [
		{
			name: seedStepName,
			code: 1,
			boundSeconds: 420,
			title: "cloud-init reads the clone's seed"
		},
		{
			name: "smoke-cloud-init",
			code: 10,
			boundSeconds: 360,
			title: "waiting for cloud-init to end"
		},
		{
			name: "smoke-identity",
			code: 20,
			boundSeconds: 300,
			title: "proving that what it is called by is its own"
		},
		kubernetes && {
			name: "smoke-containerd",
			code: 30,
			boundSeconds: 240,
			title: "asking containerd"
		},
		kubernetes && {
			name: "smoke-preflight",
			code: 40,
			boundSeconds: 300,
			title: "running kubeadm's preflight checks"
		}
	].filter((step) => step !== false);
}
function smokeStepsFile(steps) {
	return steps.filter((step) => step.name !== seedStepName).map((step) => `${step.code} ${step.boundSeconds - 60} ${step.name}\n`).join("");
}

// src/guest/smoke/units/kubehenge-smoke.service
var kubehenge_smoke_default = "[Unit]\nDescription=Prove that this clone is what its template promises\nAfter=cloud-final.service network-online.target\nWants=network-online.target\n\n[Service]\nType=oneshot\nExecStart=/bin/bash /run/kubehenge-smoke/run.sh\nTimeoutStopSec=20\n";

// src/guest/smoke/seed.ts
const folder = "/run/kubehenge-smoke";
function smokeSeedFiles(plan) {
	const { uuid, hostname, kubernetes, mac, network } = checkSmokePlan(plan);
	return {
		"user-data": userData(checkSmokePlan(plan)),
		"meta-data": yamlText({
			"instance-id": uuid,
			"local-hostname": hostname,
			hostname,
			"provider-id": `proxmox://${uuid}`,
			...kubernetes ? { "kubernetes-version": kubernetes.version } : {}
		}),
		"network-config": yamlText({ network: {
			version: 2,
			renderer: "networkd",
			ethernets: { eth0: ethernet(mac, network) }
		} })
	};
}
function smokeSeedIso(plan, created) {
	return writeSeed(smokeSeedFiles(plan), created);
}
function userData(plan) {
	const steps = smokeSteps(plan.kubernetes !== void 0);
	const seconds = steps.reduce((sum, { boundSeconds }) => sum + boundSeconds, 0);
	const files = [
		[`${folder}/settings`, settings(plan)],
		[`${folder}/steps`, smokeStepsFile(steps)],
		[`${folder}/run.sh`, run_default],
		[`${folder}/fail.sh`, fail_default],
		[`${folder}/step.sh`, step_default],
		[`${folder}/signal.sh`, signal_default],
		[`${folder}/smoke-cloud-init.sh`, smoke_cloud_init_default],
		[`${folder}/smoke-identity.sh`, smoke_identity_default],
		...plan.kubernetes ? [[`${folder}/smoke-containerd.sh`, smoke_containerd_default], [`${folder}/smoke-preflight.sh`, smoke_preflight_default]] : [],
		["/run/systemd/system/kubehenge-smoke.service", kubehenge_smoke_default],
		["/run/systemd/system/kubehenge-smoke.service.d/timeout.conf", `[Service]\nTimeoutStartSec=${seconds}\n`]
	];
	return `#cloud-config\n${yamlText({
		bootcmd: [
			[
				"mkdir",
				"-p",
				"/run/kubehenge"
			],
			["touch", "/run/kubehenge/started"],
			[
				"udevadm",
				"settle",
				"--timeout=30",
				`--exit-if-exists=${markerDisk}`
			],
			[
				"dd",
				"if=/dev/zero",
				`of=${markerDisk}`,
				"bs=512",
				"seek=1",
				"count=1",
				"oflag=direct",
				"conv=notrunc,nocreat"
			]
		],
		write_files: files.map(([path, content]) => ({
			path,
			permissions: "0644",
			content
		})),
		runcmd: [["systemctl", "daemon-reload"], [
			"systemctl",
			"start",
			"--no-block",
			"kubehenge-smoke.service"
		]]
	})}`;
}
function settings({ hostname, templateUuid, kubernetes }) {
	const values = {
		SMOKE_HOSTNAME: hostname,
		TEMPLATE_MACHINE_ID: templateUuid?.replaceAll("-", ""),
		KUBERNETES_VERSION: kubernetes?.version,
		IMAGE_REPOSITORY: kubernetes?.imageRepository
	};
	return Object.entries(values).map(([key, value]) => `${key}=${shellQuoted(value ?? "")}\n`).join("");
}

// src/templates/smoke-guest.ts
function cloneSeedDrive(job) {
	return job.place.arch === "arm64" ? "scsi2" : "ide0";
}
async function proveGuest(context, job, vm, clone, undo, phases) {
	const { proxmox } = context;
	const { request, place, ingredients } = job;
	const kubernetes = ingredients.guest?.kubernetes;
	const steps = smokeSteps(kubernetes !== void 0);
	const mac = newMac();
	const [own, template] = await Promise.all([readOwnConfig(proxmox, clone.remnant), readConfig(proxmox, vm.node, vm.vmid)]);
	const iso = smokeSeedIso({
		uuid: smbiosUuid(own, clone.vmid),
		templateUuid: smbiosUuid(template, vm.vmid),
		hostname: clone.name,
		mac,
		network: request.network,
		kubernetes: kubernetes && {
			version: kubernetes.version,
			imageRepository: request.imageRepository
		}
	}, new Date(proxmox.clock.now()));
	const seed = await uploadSeedIso(proxmox, job, iso, undo);
	const drive = cloneSeedDrive(job);
	await equipClone(proxmox, clone, {
		...cloneSize,
		net0: `virtio=${mac},bridge=${request.bridge}${request.vlan === void 0 ? "" : `,tag=${request.vlan}`}`,
		scsi1: `${place.disk.name}:0.01`,
		[drive]: `${seed.volume},media=cdrom`,
		boot: `order=scsi0;${drive}`
	});
	await startClone(proxmox, clone);
	let last = { kind: "nothing" };
	try {
		await watchGuest(proxmox, {
			node: clone.node,
			vmid: clone.vmid,
			steps,
			onStep: phases.progress,
			onSignal: (signal) => last = signal
		});
	} catch (error) {
		if (!(error instanceof Failure) || error.kind !== "verification" && error.kind !== "deadline") throw error;
		throw new SmokeFailure(error, proofsOf(steps, last));
	}
	await undo.remove(proxmox, clone.remnant);
	await undo.remove(proxmox, seed.remnant);
	return proofsOf(steps, { kind: "done" });
}

// src/templates/smoke-test.ts
async function smokeTest(context, job, vm, undo, phases) {
	return await phases.run("booting a clone", async () => {
		try {
			const clone = await cloneCandidate(context.proxmox, vm, job.place.pool, undo);
			return job.ingredients.guest ? await proveGuest(context, job, vm, clone, undo, phases) : await proveTalos(context, clone, undo, phases);
		} catch (error) {
			throw notProven(error, job, vm);
		}
	});
}
function notProven(error, { target, replaces }, vm) {
	if (!(error instanceof Failure) || error.kind === "interrupted") return error;
	const stays = replaces ? `; VM ${replaces.row.vmid} stays the template` : "";
	const failed = error instanceof SmokeFailure;
	const failure = new Failure(error.kind, `The new template of ${target.title} (VM ${vm.vmid}) ${failed ? "did not pass" : "could not be put to"} its smoke test${stays}: ${error.message}`, {
		remedy: [...error.remedy, "--smoke-test false (smoke-test: false) publishes without booting a clone"],
		evidence: error.evidence,
		cause: error
	});
	return failed ? new SmokeFailure(failure, error.proofs) : failure;
}

export { smokeTest };