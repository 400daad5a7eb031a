import { createHash, randomBytes } from "node:crypto";
import { $t as unknown, A as convertToTemplate, At as remnantKey, B as shutdownVm, F as readConfigIfThere, G as listGuests, H as stopVm, It as array, J as TaskFailure, K as listNodes, N as isWholeTemplate, P as readConfig, Pt as number, Q as taskStart, R as readStatus, U as updateConfig, V as startVm, W as listBridges, Y as findTask, Yt as record, Zt as string, _ as templateOf, bt as ProxmoxError, et as waitForTask, ft as newLease, g as planTarget, h as readUntagged, j as createVm, lt as manifestDigest, ot as leaseNotes, q as nextVmid, st as readNotes, un as Failure, xt as grantLines, z as resizeDisk } from "./core.mjs";
import { i as listVolumes, n as downloadImage, r as listStorages } from "./storage.mjs";
import { a as readyOnes, c as settleClaim, n as deleteLine, o as refuseKept, r as liveClaims, s as sayClaim, t as claimsOn } from "./claim.mjs";
import { t as recoverPublications } from "./recover.mjs";
import { n as sweepVms, r as sweepVolumes } from "./sweep.mjs";
import { _ as newMac, a as uploadSeed, g as createParameters, i as watchGuest, n as inspectionHint, r as readReport, t as SmokeFailure, v as seedDrive, y as strippedParameters } from "./smoke-failure.mjs";
import { n as runTask, t as confirmWrite } from "./write.mjs";
import { n as readOwnConfig, t as isOurs } from "./own-vm.mjs";
import { i as publish } from "./publish.mjs";
import { t as pruneTemplates } from "./prune.mjs";
import { n as removeRemnant } from "./remove-remnant.mjs";

// src/proxmox/pool.ts
async function poolExists(proxmox, pool) {
	try {
		await proxmox.call({
			method: "GET",
			path: "/pools/",
			parameters: { poolid: pool },
			schema: array(unknown())
		});
		return true;
	} catch (error) {
		if (error instanceof ProxmoxError && /^pool '.*' does not exist/.test(error.reason)) return false;
		throw error;
	}
}
async function createPool(proxmox, pool) {
	try {
		await proxmox.call({
			method: "POST",
			path: "/pools",
			parameters: {
				poolid: pool,
				comment: "VM templates made by kubehenge"
			},
			schema: unknown()
		});
	} catch (error) {
		if (error instanceof ProxmoxError && /already exists/.test(error.reason)) return;
		if (error instanceof ProxmoxError && error.treatment === "ambiguous" && await poolExists(proxmox, pool)) return;
		throw error;
	}
}

// src/templates/await-other.ts
const firstPauseMs = 1e3;
const slowestPauseMs = 1e4;
async function awaitOther(context, wanted, phases) {
	const { proxmox, reporter } = context;
	const { target, pool } = wanted;
	let pause = firstPauseMs;
	let said = "";
	for (;;) {
		const guests = await listGuests(proxmox);
		const plan = await planTarget(proxmox, target, guests, {
			pool,
			node: void 0
		});
		if (plan.action === "reuse" && plan.found.row.vmid !== wanted.replaces) return plan.found;
		const { claims, ready } = await readUntagged(proxmox, guests, pool);
		const mature = readyOnes(ready, target);
		if (mature.length > 0) {
			await recoverPublications(context, mature, pool);
			continue;
		}
		refuseKept(claims, target, wanted.replaces !== void 0);
		const swept = await sweepVms(context, claimsOn(claims, target));
		for (const { what } of swept.removed) reporter.note(`Removed ${what}: it has outlived its lease`, target.title);
		const [other] = liveClaims(claims, target, proxmox.clock.now());
		if (!other) return void 0;
		const news = `Waiting for ${sayClaim(other)}`;
		if (news !== said) reporter.note(news, target.title);
		said = news;
		await phases.run("waiting for another run", () => proxmox.clock.sleep(pause, proxmox.signal)).catch((error) => {
			throw whileWaiting(error, other);
		});
		pause = Math.min(pause * 1.5, slowestPauseMs);
	}
}
function whileWaiting(error, other) {
	if (!(error instanceof Failure) || error.kind !== "deadline") return error;
	return new Failure("deadline", `${error.message}; it was waiting for ${sayClaim(other)}`, {
		remedy: error.remedy,
		cause: error
	});
}

// src/templates/create-vm.ts
var GaveWay = class extends Error {
	name = "GaveWay";
	to;
	constructor(to) {
		super("another run builds this template");
		this.to = to;
	}
};
async function createBuildVm(context, fetched, undo, phases) {
	const { proxmox, reporter } = context;
	const { job, image, mac, boot } = fetched;
	const { target, request, place, ingredients } = job;
	const lease = newLease(job.build, target, context.run, proxmox.clock.now(), job.deadlineMs, {
		seed: boot?.volume,
		image: image.volume
	});
	const machine = {
		target,
		hardware: ingredients.hardware,
		place,
		notes: leaseNotes(lease),
		boot: boot && {
			seed: boot.volume,
			mac,
			bridge: request.bridge,
			vlan: request.vlan
		}
	};
	const made = await phases.run("creating the VM and importing the image", () => importInto(proxmox, job, image, (vmid, source) => createParameters({
		...machine,
		vmid,
		image: source
	}), undo, phases));
	for (const warning of made.warnings) reporter.warn("Proxmox VE warned while it created the VM", warning, target.title);
	const vm = {
		node: place.node,
		vmid: made.vmid,
		lease,
		remnant: made.remnant,
		createdAt: made.createdAt,
		boot
	};
	const standing = await settleClaim(proxmox, {
		vmid: vm.vmid,
		pool: place.pool,
		lease,
		replaces: job.replaces?.row.vmid
	}, target);
	if (!standing.wins) throw new GaveWay(standing.to);
	await growDisk(proxmox, job, vm);
	return vm;
}
const attempts = 12;
async function importInto(proxmox, job, image, parameters, undo, phases) {
	let source = image.volume;
	for (let attempt = 1;; attempt += 1) {
		const vmid = await nextVmid(proxmox);
		const remnant = {
			kind: "vm",
			node: job.place.node,
			vmid,
			build: job.build
		};
		undo.push(remnant);
		try {
			const { upid, certain } = await startCreate(proxmox, remnant, parameters(vmid, source));
			if (certain) undo.push({
				...remnant,
				upid
			});
			const warnings = await awaitCreate(proxmox, remnant, upid, phases);
			if (!certain && !await isThere(proxmox, remnant)) continue;
			undo.push(remnant);
			return {
				vmid,
				remnant,
				createdAt: taskStart(upid),
				warnings
			};
		} catch (error) {
			if (attempt >= attempts) throw error;
			if (isTaken(error)) {
				undo.release(remnant);
				await proxmox.clock.sleep(100 + Math.random() * 400, proxmox.signal);
			} else if (isPoolMissing(error)) {
				undo.release(remnant);
				await createPool(proxmox, job.place.pool);
			} else if (isImageGone(error, source)) {
				await undo.remove(proxmox, remnant);
				job.images.forget(job.ingredients.image);
				source = (await job.images.ensure(job.ingredients.image, phases.progress)).volume;
			} else if (error instanceof TaskFailure && (error.lockTimeout || error.outcomeUnknown)) {
				await undo.remove(proxmox, remnant).catch(() => {
					throw error;
				});
				await proxmox.clock.sleep(1e3 * attempt, proxmox.signal);
			} else throw error;
		}
	}
}
async function startCreate(proxmox, remnant, parameters) {
	for (let attempt = 1;; attempt += 1) try {
		return {
			upid: await createVm(proxmox, remnant.node, parameters),
			certain: true
		};
	} catch (error) {
		const lost = error instanceof ProxmoxError && error.treatment === "ambiguous" && attempt < 3;
		const cameLate = attempt > 1 && isTaken(error);
		if (!lost && !cameLate) throw error;
		await proxmox.clock.sleep(1e3, proxmox.signal);
		const task = await findTask(proxmox, remnant.node, {
			type: "qmcreate",
			id: String(remnant.vmid),
			vmid: remnant.vmid
		});
		const config = await readConfigIfThere(proxmox, remnant.node, remnant.vmid);
		if (task && (config !== void 0 || task.status === void 0 || task.status === "RUNNING" || isOfNow(proxmox, task.starttime))) return {
			upid: task.upid,
			certain: false
		};
		if (!lost) throw error;
	}
}
async function isThere(proxmox, remnant) {
	const config = await readConfigIfThere(proxmox, remnant.node, remnant.vmid);
	return config !== void 0 && isOurs(config, remnant.build);
}
function isOfNow(proxmox, starttime) {
	return Math.abs(proxmox.clock.now() / 1e3 - starttime) < 300;
}
async function awaitCreate(proxmox, remnant, upid, phases) {
	try {
		return (await waitForTask(proxmox, upid, {
			doing: `creating VM ${remnant.vmid} on node ${remnant.node} and importing its disk`,
			onProgress: phases.progress,
			stallMs: stallMs$1
		})).warnings;
	} catch (error) {
		if (!(error instanceof TaskFailure) || !error.outcomeUnknown) throw error;
		const config = await readConfigIfThere(proxmox, remnant.node, remnant.vmid);
		if (config && isOurs(config, remnant.build) && config.lock === void 0 && config.scsi0) return [];
		throw error;
	}
}
const stallMs$1 = 9e5;
function isTaken(error) {
	const words = error instanceof ProxmoxError ? error.reason : error instanceof TaskFailure ? error.exitStatus : "";
	return /VM \d+ already exists|config file already exists|CT \d+ already exists/i.test(words);
}
function isPoolMissing(error) {
	return error instanceof ProxmoxError && /pool '.*' does not exist/.test(error.reason);
}
function isImageGone(error, source) {
	const words = error instanceof ProxmoxError ? error.reason : error instanceof TaskFailure ? error.exitStatus : "";
	const name = source.slice(source.lastIndexOf("/") + 1);
	return words.includes(name) && /does not exist|no such file|not found|failed to stat|could not open/i.test(words);
}
async function growDisk(proxmox, job, vm) {
	const wanted = job.request.diskGiB ?? job.ingredients.diskGiB;
	if (wanted === void 0) return;
	const current = sizeOfDrive((await readOwnConfig(proxmox, vm.remnant)).scsi0 ?? "");
	if (current !== void 0 && current > wanted) {
		if (job.request.diskGiB === void 0) return;
		throw tooSmall(job.target, wanted, current);
	}
	if (current === wanted) return;
	await runTask(proxmox, {
		doing: `growing the disk of VM ${vm.vmid} to ${wanted} GiB`,
		start: () => resizeDisk(proxmox, vm.node, vm.vmid, "scsi0", `${wanted}G`),
		task: {
			node: vm.node,
			type: "resize",
			vmid: vm.vmid,
			notBefore: vm.createdAt
		},
		isDone: async () => sizeOfDrive((await readConfig(proxmox, vm.node, vm.vmid)).scsi0 ?? "") === wanted
	});
}
function sizeOfDrive(drive) {
	const size = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT]?)/.exec(drive);
	if (!size?.[1]) return void 0;
	const factor = {
		"": 1 / 1024 ** 3,
		K: 1 / 1024 ** 2,
		M: 1 / 1024,
		G: 1,
		T: 1024
	}[size[2] ?? ""] ?? 1;
	return Number(size[1]) * factor;
}
function tooSmall(target, wanted, current) {
	return new Failure("usage", `The image of ${target.title} is ${current.toFixed(1)} GiB, more than the wanted disk of ${wanted} GiB; Proxmox VE cannot shrink disks`, { remedy: [`--disk-size ${Math.ceil(current)} or more`] });
}

// src/templates/fetch-parts.ts
async function fetchParts(context, asked, undo, phases) {
	const mac = newMac();
	const [{ job, image }, boot] = await both(fetchImage$1(context, asked, phases), asked.ingredients.guest ? uploadSeed(context.proxmox, asked, mac, undo) : Promise.resolve(void 0));
	return {
		job,
		image,
		mac,
		boot
	};
}
async function fetchImage$1({ reporter }, job, phases) {
	const { image } = job.ingredients;
	try {
		return {
			job,
			image: await job.images.ensure(image, phases.progress)
		};
	} catch (error) {
		if (!(error instanceof Failure && (error.kind === "verification" || error.kind === "not-found") && image.sha256 !== void 0)) throw error;
		const fresh = await job.freshIngredients();
		if (fresh.image.sha256 === image.sha256) throw error;
		reporter.note(`Upstream has published a newer image in the meantime (sha256 ${fresh.image.sha256?.slice(0, 12)}…): taking that one`, job.target.title);
		return {
			job: {
				...job,
				ingredients: fresh
			},
			image: await job.images.ensure(fresh.image, phases.progress)
		};
	}
}
async function both(one, other) {
	const [first, second] = await Promise.allSettled([one, other]);
	if (first.status === "rejected") throw first.reason;
	if (second.status === "rejected") throw second.reason;
	return [first.value, second.value];
}

// src/templates/prepare-guest.ts
const shutdownSeconds = 120;
async function prepareGuest(context, job, vm, undo, phases) {
	const { proxmox, reporter } = context;
	const { node, vmid, boot } = vm;
	if (!boot) return void 0;
	await phases.run("starting the guest", () => runTask(proxmox, {
		doing: `starting VM ${vmid}`,
		start: () => startVm(proxmox, node, vmid),
		task: {
			node,
			type: "qmstart",
			vmid,
			notBefore: vm.createdAt
		},
		isDone: async () => (await readStatus(proxmox, node, vmid)).status === "running"
	}));
	await phases.run("preparing the guest", () => watchGuest(proxmox, {
		node,
		vmid,
		steps: boot.steps,
		onStep: phases.progress
	}));
	const report = await readReport(proxmox, vm);
	for (const warning of report?.warnings ?? []) reporter.warn("The guest warned", warning, job.target.title);
	await phases.run("switching the guest off", async () => {
		const { digest } = await readOwnConfig(proxmox, vm.remnant);
		await runTask(proxmox, {
			doing: `shutting VM ${vmid} down`,
			start: () => shutdownVm(proxmox, node, vmid, shutdownSeconds),
			task: {
				node,
				type: "qmshutdown",
				vmid,
				notBefore: vm.createdAt
			},
			isDone: async () => (await readStatus(proxmox, node, vmid)).status === "stopped",
			onTask: (upid) => undo.push({
				...vm.remnant,
				upid
			})
		});
		undo.push(vm.remnant);
		await strip(context, job, vm, digest);
		await undo.remove(proxmox, boot.remnant);
	});
	return report;
}
async function strip({ proxmox }, job, { node, vmid }, digest) {
	const drive = seedDrive(job.place.arch);
	await confirmWrite(proxmox, () => updateConfig(proxmox, node, vmid, {
		...strippedParameters(job.place.arch),
		digest
	}), async () => {
		const config = await readConfig(proxmox, node, vmid);
		return config["net0"] === void 0 && config[drive] === void 0 && config.scsi1 === void 0 && config["unused0"] === void 0;
	});
}

// src/templates/build.ts
async function buildTemplate(context, asked, undo, phases) {
	const fetched = await phases.run("fetching the image", () => fetchParts(context, asked, undo, phases));
	const { job } = fetched;
	const vm = await createBuildVm(context, fetched, undo, phases);
	const report = vm.boot ? await prepareGuest(context, job, vm, undo, phases) : void 0;
	await phases.run("converting to a template", () => convert(context, vm, undo));
	const smokeTest = job.request.smokeTest ? await (await import("./load-smoke-test.mjs")).smokeTest(context, job, vm, undo, phases) : void 0;
	return {
		template: await phases.run("publishing", () => finish(context, job, vm, report, undo)),
		contents: report,
		replaced: readNotes(job.replaces?.config.description)?.manifest?.build,
		...smokeTest ? { smokeTest } : {}
	};
}
async function convert({ proxmox }, vm, undo) {
	await runTask(proxmox, {
		doing: `converting VM ${vm.vmid} to a template`,
		start: () => convertToTemplate(proxmox, vm.node, vm.vmid),
		task: {
			node: vm.node,
			type: "qmtemplate",
			vmid: vm.vmid,
			notBefore: vm.createdAt
		},
		isDone: async () => isWholeTemplate(await readConfig(proxmox, vm.node, vm.vmid)),
		once: true,
		onTask: (upid) => undo.push({
			...vm.remnant,
			upid
		})
	});
	undo.push(vm.remnant);
	const config = await readOwnConfig(proxmox, vm.remnant);
	if (!isWholeTemplate(config)) throw new Failure("failure", `VM ${vm.vmid} was converted, but its disk is no base volume: ${config.scsi0 ?? "it has no scsi0"}`);
}
async function finish(context, job, vm, report, undo) {
	const { target, place } = job;
	const manifest = manifestOf(context, job, report);
	await publish(context.proxmox, {
		node: vm.node,
		vmid: vm.vmid,
		target,
		manifest
	}, job.replaces);
	undo.release(vm.remnant);
	return {
		vmid: vm.vmid,
		node: vm.node,
		storage: place.disk.name,
		name: target.name,
		tags: target.tags,
		manifest,
		digest: manifestDigest(manifest)
	};
}
function manifestOf({ run, proxmox }, job, report) {
	const { target, ingredients, place } = job;
	const packages = ingredients.guest?.kubernetes?.packages;
	const list = report && Object.entries(report.packages).map(([name, version]) => `${name} ${version}`).sort();
	return {
		schema: 1,
		build: job.build,
		distribution: target.distribution,
		version: target.version,
		...target.ubuntuRelease ? { ubuntuRelease: target.ubuntuRelease } : {},
		...target.node ? { node: target.node } : {},
		architecture: place.arch,
		image: {
			url: withoutUserinfo(ingredients.image.url),
			file: ingredients.image.fileName,
			...ingredients.image.sha256 ? { sha256: ingredients.image.sha256 } : {}
		},
		verified: ingredients.verified.map(({ what, by, signer, signedAt }) => ({
			what,
			by,
			...signer ? { signer } : {},
			...signedAt ? { signedAt } : {}
		})),
		...packages ? { packages: {
			kubeadm: packages.kubeadm,
			kubelet: packages.kubelet,
			kubectl: packages.kubectl,
			"cri-tools": packages.criTools,
			...report?.packages["containerd"] ? { containerd: report.packages["containerd"] } : {}
		} } : {},
		...list && report ? {
			packageListSha256: createHash("sha256").update(list.join("\n")).digest("hex"),
			packageCount: list.length,
			kernel: report.kernel
		} : {},
		created: new Date(proxmox.clock.now()).toISOString(),
		run: run.id,
		...run.url ? { runUrl: run.url } : {},
		program: run.program
	};
}
function withoutUserinfo(address) {
	const url = new URL(address);
	url.username = "";
	url.password = "";
	return url.href;
}

// src/templates/cleaner.ts
const cleanUpMs = 3e5;
const cleanUpAfterSignalMs = 7e3;
function oneCleaner({ proxmox }) {
	let last;
	return () => {
		const reason = proxmox.signal?.reason;
		if (!(reason instanceof Failure) || reason.kind !== "interrupted") return proxmox.under(AbortSignal.timeout(cleanUpMs));
		last ??= proxmox.under(AbortSignal.timeout(cleanUpAfterSignalMs));
		return last;
	};
}

// src/templates/images.ts
function imagesOf(proxmox, store, undo) {
	const started = /* @__PURE__ */ new Map();
	let present = store.present;
	return {
		ensure(image, onProgress) {
			const running = started.get(image.fileName);
			if (running) return running;
			const volume = volumeOf(store, image);
			const promise = present.some((one) => one.id === volume) ? Promise.resolve({
				volume,
				downloaded: false
			}) : fetchImage(proxmox, store, image, undo, onProgress);
			started.set(image.fileName, promise);
			return promise;
		},
		forget(image) {
			started.delete(image.fileName);
			present = present.filter((one) => one.id !== volumeOf(store, image));
		}
	};
}
function volumeOf(store, image) {
	return `${store.storage}:import/${image.fileName}`;
}
const downloadAttempts = 6;
const fileIsThere = /refusing to override|file exists|unable to rename/i;
function mayGoBetter(error) {
	if (!(error instanceof TaskFailure)) return false;
	return error.outcomeUnknown || error.lockTimeout || fileIsThere.test(error.exitStatus) || /received interrupt/i.test(error.exitStatus);
}
const stallMs = 6e5;
const listingAttempts = 6;
async function fetchImage(proxmox, store, image, undo, onProgress) {
	const volume = volumeOf(store, image);
	const remnant = {
		kind: "volume",
		node: store.node,
		volume
	};
	undo.push(remnant);
	for (let attempt = 1;; attempt += 1) {
		try {
			await download(proxmox, store, image, undo, remnant, onProgress);
		} catch (error) {
			if (attempt >= downloadAttempts || !mayGoBetter(error)) throw error;
			await proxmox.clock.sleep(1e3 * attempt * (.5 + Math.random()), proxmox.signal);
			continue;
		}
		if (await isSeen(proxmox, store, volume)) return {
			volume,
			downloaded: true
		};
		if (attempt >= downloadAttempts) throw notListed(store, volume);
	}
}
async function download(proxmox, store, image, undo, remnant, onProgress) {
	const { volume } = remnant;
	const upid = await startDownload(proxmox, store, image, undo, remnant);
	if (upid) {
		undo.push({
			...remnant,
			upid
		});
		try {
			await waitForTask(proxmox, upid, {
				doing: `downloading ${image.url} to ${store.storage} on node ${store.node}`,
				onProgress,
				stallMs
			});
		} catch (error) {
			if (!await madeBySomebodyElse(proxmox, store, volume, error)) throw explain(error, image);
		}
	}
	undo.push({
		...remnant,
		whole: true
	});
}
async function startDownload(proxmox, store, image, undo, remnant) {
	try {
		return await downloadImage(proxmox, store.node, store.storage, {
			url: image.url,
			fileName: image.fileName,
			sha256: image.sha256
		});
	} catch (error) {
		if (!(error instanceof ProxmoxError)) throw error;
		if (error.treatment !== "ambiguous") {
			undo.release(remnant);
			throw error;
		}
		const task = await findTask(proxmox, store.node, {
			type: "download",
			id: image.fileName
		});
		if (task) return task.upid;
		if (await isListed(proxmox, store, volumeOf(store, image))) return void 0;
		return await downloadImage(proxmox, store.node, store.storage, {
			url: image.url,
			fileName: image.fileName,
			sha256: image.sha256
		});
	}
}
async function madeBySomebodyElse(proxmox, store, volume, error) {
	return error instanceof TaskFailure && fileIsThere.test(error.exitStatus) && await isListed(proxmox, store, volume);
}
function explain(error, image) {
	if (!(error instanceof TaskFailure)) return error;
	if (error.kind === "verification") return new Failure("verification", `${error.message}. The bytes at ${image.url} are not those of the signed list; nothing of them was kept`, {
		remedy: ["if upstream has just published a new image, run again", "else a mirror or proxy changes what it hands on"],
		evidence: error.evidence,
		cause: error
	});
	if ([error.exitStatus, ...error.evidence].some((line) => /(?:ERROR|failed:) (?:403|404|410)\b/.test(line))) return new Failure("not-found", `${error.message}. The image ${image.url} is not there`, {
		evidence: error.evidence,
		cause: error
	});
	return error;
}
async function isSeen(proxmox, store, volume) {
	for (let attempt = 1; attempt <= listingAttempts; attempt += 1) {
		if (await isListed(proxmox, store, volume)) return true;
		await proxmox.clock.sleep(500 * attempt, proxmox.signal);
	}
	return false;
}
function notListed({ storage, node }, volume) {
	return new Failure("failure", `The download has ended well, but storage ${storage} on node ${node} does not list ${volume}`, { remedy: [`pvesm list ${storage} --content import   # on node ${node}`] });
}
async function isListed(proxmox, store, volume) {
	return (await listVolumes(proxmox, store.node, store.storage, "import")).some((one) => one.id === volume);
}

// src/templates/in-parallel.ts
async function inParallel(items, limit, work) {
	const results = [];
	let next = 0;
	const worker = async () => {
		while (next < items.length) {
			const at = next;
			next += 1;
			results[at] = await work(items[at]);
		}
	};
	const ends = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
	for (const end of ends) if (end.status === "rejected") throw end.reason;
	return results;
}

// src/templates/keep.ts
const reasonLimit = 600;
async function keepVm(proxmox, target, pool, undo, reason, replaces) {
	const vms = undo.pending.filter((remnant) => remnant.kind === "vm").toReversed();
	const kept = [];
	for (const vm of vms) if (await keepOne(proxmox, vm, undo, reason)) kept.push(vm);
	if (kept.length === 0) return void 0;
	const names = kept.map(({ vmid }) => `VM ${vmid}`).join(" and ");
	const removal = replaces ? kept.map(({ vmid }) => `qm destroy ${vmid} --purge`).join("; ") : deleteLine(target, pool);
	return `${names} on node ${kept[0]?.node} ${kept.length > 1 ? "were" : "was"} kept for inspection, switched off; remove ${kept.length > 1 ? "them" : "it"} with: ${removal}`;
}
async function keepOne(proxmox, vm, undo, reason) {
	try {
		const config = await readConfigIfThere(proxmox, vm.node, vm.vmid);
		const lease = readNotes(config?.description)?.lease;
		if (!config || lease?.build !== vm.build || config.lock !== void 0) return false;
		if ((await readStatus(proxmox, vm.node, vm.vmid)).status === "running") await waitForTask(proxmox, await stopVm(proxmox, vm.node, vm.vmid), { doing: `switching VM ${vm.vmid} off` });
		const seeded = [
			"ide0",
			"ide2",
			"scsi2"
		].filter((drive) => lease.seed !== void 0 && isOn(config[drive], lease.seed));
		await updateConfig(proxmox, vm.node, vm.vmid, {
			description: leaseNotes({
				...lease,
				state: "kept",
				reason: reason.slice(0, reasonLimit)
			}),
			...seeded.length > 0 ? { delete: seeded.join(",") } : {}
		});
		undo.release(vm);
		return true;
	} catch {
		return false;
	}
}
function isOn(drive, volume) {
	return typeof drive === "string" && drive.startsWith(volume);
}

// src/templates/phases.ts
function timePhases(template, reporter, clock) {
	const list = [];
	return {
		async run(title, work) {
			const startedAt = clock.now();
			reporter.phase(template, title);
			try {
				return await work();
			} finally {
				list.push({
					title,
					startedAt,
					endedAt: clock.now()
				});
			}
		},
		progress: (text) => reporter.progress(template, text),
		list
	};
}

// src/proxmox/access.ts
const permissionsSchema = record(string(), record(string(), number()));
async function readPermissions(proxmox) {
	return permissionsOf(await proxmox.call({
		method: "GET",
		path: "/access/permissions",
		schema: permissionsSchema
	}));
}
function permissionsOf(listed) {
	return {
		has(path, privilege) {
			const own = listed[path];
			if (own) return privilege in own;
			for (let above = parentOf(path); above !== void 0; above = parentOf(above)) {
				const inherited = listed[above];
				if (inherited) return inherited[privilege] === 1;
			}
			return false;
		},
		none: Object.values(listed).every((privileges) => Object.keys(privileges).length === 0),
		paths: Object.keys(listed)
	};
}
function parentOf(path) {
	if (path === "/") return void 0;
	return path.slice(0, path.lastIndexOf("/")) || "/";
}

// src/templates/place.ts
async function findPlace(proxmox, request, guests, boots) {
	const [permissions, nodes] = await Promise.all([readPermissions(proxmox), listNodes(proxmox)]);
	if (permissions.none) throw noPrivileges(proxmox.tokenName);
	const node = chooseNode(nodes, request.node);
	const isPoolShown = guests.some((row) => row.pool === request.pool);
	const mayMakePool = permissions.has(`/pool/${request.pool}`, "Pool.Allocate");
	const [storages, images, bridges, poolThere] = await Promise.all([
		listStorages(proxmox, node.name),
		listImages(proxmox, node.name, request.importStorage),
		boots ? listBridges(proxmox, node.name) : void 0,
		isPoolShown ? true : mayMakePool ? void 0 : poolExists(proxmox, request.pool)
	]);
	if (bridges) checkBridge(bridges, request.bridge, node.name, permissions, proxmox.tokenName);
	if (poolThere === false) throw missingPool(request.pool, proxmox.tokenName);
	const choose = storageChooser(storages, node.name, permissions, proxmox.tokenName);
	return {
		node: node.name,
		arch: node.arch,
		nodes: nodes.length,
		importStorage: choose.named(request.importStorage, "import", "--import-storage"),
		images,
		disk: request.storage ? choose.named(request.storage, "images", "--storage") : choose.only("images", "--storage"),
		iso: boots ? request.isoStorage ? choose.named(request.isoStorage, "iso", "--iso-storage") : choose.first("iso", "--iso-storage") : void 0,
		pool: request.pool,
		poolUnproven: poolThere === void 0,
		permissions
	};
}
function noPrivileges(tokenName) {
	const user = tokenName.split("!")[0] ?? tokenName;
	return new Failure("access", `The token ${tokenName} has no privilege at all`, { remedy: [
		`with privilege separation a token has only what both it and ${user} have: give the ACLs to both, or make the token with --privsep 0`,
		`pveum user permissions '${user}'; pveum user token permissions '${user}' '${tokenName.split("!")[1] ?? ""}'`,
		"docs/proxmox-setup.md has all lines to paste"
	] });
}
function chooseNode(nodes, wanted) {
	const names = nodes.map((row) => `${row.name}${row.online ? "" : " (offline)"}`).join(", ");
	if (wanted === void 0) {
		const online = nodes.filter((row) => row.online);
		if (online.length === 1 && online[0]) return online[0];
		throw new Failure("usage", `Several nodes are online, so say on which to build: ${names}`, { remedy: ["--node NAME, or the input node"] });
	}
	const node = nodes.find((row) => row.name === wanted);
	if (!node) throw new Failure("not-found", `There is no node ${wanted} in this cluster`, { remedy: [`nodes: ${names}`] });
	if (!node.online) throw new Failure("failure", `Node ${wanted} is offline`, { remedy: [`nodes: ${names}`] });
	return node;
}
async function listImages(proxmox, node, storage) {
	try {
		return await listVolumes(proxmox, node, storage, "import");
	} catch (error) {
		if (error instanceof Failure && (error.kind === "not-found" || error.kind === "access")) return [];
		throw error;
	}
}
function checkBridge(bridges, wanted, node, permissions, tokenName) {
	if (bridges.some(({ name }) => name === wanted)) return;
	const path = `/sdn/zones/localnetwork/${wanted}`;
	if (!permissions.has(path, "SDN.Use") && !permissions.has(path, "SDN.Audit")) return;
	throw new Failure("not-found", `Node ${node} has no bridge ${wanted}`, { remedy: [bridges.length > 0 ? `bridges that the token ${tokenName} may use: ${bridges.map(({ name }) => name).join(", ")}` : `the token ${tokenName} may use no bridge (SDN.Use)`] });
}
function missingPool(pool, tokenName) {
	return new Failure("not-found", `There is no pool ${pool}, and the token ${tokenName} may not make it (Pool.Allocate at /pool/${pool})`, { remedy: [
		`pvesh create /pools --poolid ${pool}`,
		...grantLines(`/pool/${pool}`, ["Pool.Allocate"], tokenName),
		"or name another one with --pool"
	] });
}
function storageChooser(storages, node, permissions, tokenName) {
	const holding = (content) => storages.filter((storage) => storage.usable && storage.content.includes(content));
	const named = (name, content, option) => {
		const storage = storages.find((one) => one.name === name);
		if (!storage) throw absent(name, option);
		if (!storage.usable) throw new Failure("failure", `Storage ${name} is disabled or not reachable on node ${node}`, { remedy: [`pvesm status --storage ${name}   # on node ${node}`] });
		if (!storage.content.includes(content)) throw withoutContent(storage, content, option);
		return storage;
	};
	const absent = (name, option) => {
		const path = `/storage/${name}`;
		if (!(permissions.has(path, "Datastore.Audit") || permissions.has(path, "Datastore.AllocateSpace"))) return new Failure("access", `Node ${node} shows no storage ${name} (${option}) to the token ${tokenName}: it is not there, or the token lacks Datastore.Audit at ${path}`, { remedy: [`storages that the token sees: ${list(storages)}`, `pveum acl modify ${path} --roles PVEDatastoreAdmin --users '${tokenName.split("!")[0]}' --tokens '${tokenName}'`] });
		return new Failure("not-found", `Node ${node} has no storage ${name} (${option})`, { remedy: [`storages of the node: ${list(storages)}`] });
	};
	const withoutContent = (storage, content, option) => {
		const able = content !== "import" || [
			"dir",
			"btrfs",
			"nfs",
			"cifs",
			"cephfs"
		].includes(storage.type);
		const others = holding(content).filter((one) => one.name !== storage.name);
		return new Failure("not-found", `Storage ${storage.name} (${option}) does not hold the content type ${content}; it holds ${storage.content.join(", ")}`, { remedy: [able ? `pvesm set ${storage.name} --content ${[...storage.content, content].sort().join(",")}` : `a storage of type ${storage.type} cannot hold ${content}: take one of type dir, btrfs, nfs, cifs or cephfs`, ...others.length > 0 ? [`${option} ${others[0]?.name}   # holds it: ${list(others)}`] : []] });
	};
	const none = (content, option) => new Failure("not-found", `Node ${node} has no storage for ${content} that the token ${tokenName} sees`, { remedy: [`name one with ${option}; the token sees: ${list(storages)}`] });
	return {
		named,
		only(content, option) {
			const able = holding(content);
			if (able.length > 1) throw new Failure("usage", `Several storages of node ${node} can hold the disk, so say which: ${list(able)}`, { remedy: [`${option} NAME, or the input ${option.slice(2)}`] });
			if (!able[0]) throw none(content, option);
			return able[0];
		},
		first(content, option) {
			const [first] = holding(content);
			if (!first) throw none(content, option);
			return first;
		}
	};
}
function list(storages) {
	return storages.length === 0 ? "none" : storages.map((storage) => `${storage.name} (${storage.type}${storage.shared ? ", shared" : ""}: ${storage.content.join(", ")})`).join("; ");
}

// src/templates/privileges.ts
function buildNeeds(input) {
	const pool = `/pool/${input.pool}`;
	const onPool = (privilege, why) => ({
		path: pool,
		anyOf: [privilege],
		orAt: "/vms",
		why
	});
	const importPath = `/storage/${input.importStorage}`;
	const needs = [
		onPool("VM.Allocate", "to create, convert and remove VMs"),
		onPool("VM.Audit", "to see VMs and templates"),
		onPool("VM.Config.CPU", "to set the VM's CPU"),
		onPool("VM.Config.Disk", "to set disks and the boot order"),
		onPool("VM.Config.HWType", "to set the disk controller and the serial port"),
		onPool("VM.Config.Memory", "to set the VM's memory"),
		onPool("VM.Config.Options", "to set name, tags, notes and the guest agent"),
		{
			path: `/storage/${input.diskStorage}`,
			anyOf: ["Datastore.AllocateSpace"],
			why: "to make the VM's disk"
		},
		{
			path: importPath,
			anyOf: ["Datastore.Audit", "Datastore.AllocateSpace"],
			why: "to see images and import from them"
		}
	];
	if (input.downloads) needs.push({
		path: `/nodes/${input.node}`,
		anyOf: ["Sys.AccessNetwork"],
		why: "to have the node download the image"
	}, {
		path: importPath,
		anyOf: ["Datastore.AllocateTemplate"],
		why: "to download the image"
	}, {
		path: importPath,
		anyOf: ["Datastore.Allocate"],
		why: "to remove the image afterwards"
	});
	if (input.smokeTest) {
		needs.push(onPool("VM.Clone", "to boot a clone of the template as its proof (smoke-test)"));
		if (input.isoStorage === void 0) needs.push(onPool("VM.Console", "to read the clone's serial console (smoke-test)"), onPool("VM.PowerMgmt", "to start the clone and switch it off (smoke-test)"));
	}
	if (input.isoStorage !== void 0) {
		const isoPath = `/storage/${input.isoStorage}`;
		needs.push({
			path: isoPath,
			anyOf: ["Datastore.AllocateTemplate"],
			why: "to upload the seed ISO"
		}, {
			path: isoPath,
			anyOf: ["Datastore.Audit", "Datastore.AllocateSpace"],
			why: "to attach the seed ISO"
		}, {
			path: isoPath,
			anyOf: ["Datastore.Allocate"],
			why: "to remove the seed ISO afterwards"
		}, onPool("VM.Config.CDROM", "to take the seed ISO out of the template"), onPool("VM.Config.Network", "to give the build VM its network card and take it away"), onPool("VM.PowerMgmt", "to start the build VM and switch it off"));
	}
	if (input.bridge !== void 0) {
		const bridge = `/sdn/zones/localnetwork/${input.bridge}`;
		needs.push({
			path: input.vlan === void 0 ? bridge : `${bridge}/${input.vlan}`,
			anyOf: ["SDN.Use"],
			why: "to use the bridge"
		});
	}
	return needs;
}
function checkNeeds(permissions, needs, tokenName) {
	const missing = needs.filter((need) => !holds(permissions, need));
	if (missing.length === 0) return;
	const byPath = /* @__PURE__ */ new Map();
	for (const { path, anyOf } of missing) byPath.set(path, [...byPath.get(path) ?? [], anyOf[0] ?? ""]);
	const list = missing.map(({ path, anyOf, why }) => `${anyOf.join(" or ")} at ${path} (${why})`).join("; ");
	const user = tokenName.split("!")[0];
	throw new Failure("access", `The token ${tokenName} lacks ${list}`, { remedy: [...permissions.none ? [`the token has no privilege at all: with privilege separation it needs its own ACLs beside those of ${user}, or make it with --privsep 0`] : [], ...[...byPath].flatMap(([path, privileges]) => grantLines(path, [...new Set(privileges)], tokenName))] });
}
function holds(permissions, need) {
	if ((need.orAt ? [need.path, need.orAt] : [need.path]).some((path) => need.anyOf.some((privilege) => permissions.has(path, privilege)))) return true;
	return need.anyOf.includes("Sys.AccessNetwork") && permissions.has("/", "Sys.Audit") && permissions.has("/", "Sys.Modify");
}

// src/templates/preflight.ts
async function preflight(context, request, distribution, targets, guests) {
	const { proxmox } = context;
	const boots = request.distribution !== "talos";
	const place = await findPlace(proxmox, request, guests, boots);
	const needsOf = (downloads) => buildNeeds({
		node: place.node,
		pool: place.pool,
		diskStorage: place.disk.name,
		importStorage: place.importStorage.name,
		isoStorage: place.iso?.name,
		bridge: boots ? request.bridge : void 0,
		vlan: request.vlan,
		downloads,
		smokeTest: request.smokeTest
	});
	checkNeeds(place.permissions, needsOf(false), proxmox.tokenName);
	const parts = await Promise.all(targets.map(async (target) => [target.name, await distribution.ingredients(target, place.arch, context.sources)]));
	const present = new Set(place.images.map((one) => one.id));
	const downloads = parts.some(([, { image }]) => !present.has(volumeOf({ storage: place.importStorage.name }, image)));
	checkNeeds(place.permissions, needsOf(downloads), proxmox.tokenName);
	return {
		place,
		ingredients: new Map(parts)
	};
}

// src/templates/release-images.ts
const patienceMs = 6e4;
const pauseMs$1 = 3e3;
async function releaseImages(proxmox, place, undo, run) {
	if (undo.pending.length === 0) return [];
	const until = proxmox.clock.now() + (run.wasEnded ? 0 : patienceMs);
	const ownVms = new Set(run.left.flatMap(({ remnant }) => remnant.kind === "vm" ? [remnant.vmid] : []));
	const imports = (row) => row.node === place.node && row.lock === "create" && !ownVms.has(row.vmid);
	try {
		while (proxmox.clock.now() < until && (await listGuests(proxmox)).some(imports)) await proxmox.clock.sleep(pauseMs$1, proxmox.signal);
	} catch {}
	return await undo.run(proxmox);
}

// src/templates/undo.ts
const pauseMs = 2e3;
function createUndo(journal) {
	const stack = /* @__PURE__ */ new Map();
	const release = (remnant) => {
		stack.delete(remnantKey(remnant));
		journal.settled(remnant);
	};
	return {
		push(remnant) {
			stack.set(remnantKey(remnant), remnant);
			journal.about(remnant);
		},
		async remove(proxmox, remnant) {
			await removeRemnant(proxmox, stack.get(remnantKey(remnant)) ?? remnant);
			release(remnant);
		},
		release,
		async run(proxmox) {
			const removeAll = async () => {
				const left = [];
				for (const remnant of [...stack.values()].reverse()) try {
					await removeRemnant(proxmox, remnant);
					release(remnant);
				} catch (error) {
					left.push({
						remnant,
						why: error instanceof Error ? error.message : String(error)
					});
				}
				return left;
			};
			const left = await removeAll();
			if (left.length === 0) return left;
			await proxmox.clock.sleep(pauseMs, proxmox.signal).catch(() => {});
			return await removeAll();
		},
		get pending() {
			return [...stack.values()];
		}
	};
}

// src/templates/build-all.ts
async function buildAll(context, input) {
	const { proxmox, reporter, journal } = context;
	const { request, plans, claims, guests } = input;
	for (const { target, replaces } of plans) refuseKept(claims, target, replaces !== void 0);
	const targets = plans.map(({ target }) => target);
	const { place, ingredients } = await preflight(context, request, input.distribution, targets, guests);
	for (const [, parts] of ingredients) for (const { title, text } of parts.warnings ?? []) reporter.warn(title, text);
	if (!request.perNode && place.nodes > 1 && !place.disk.shared) reporter.warn("A template on local storage", `Storage ${place.disk.name} is not shared, so clones can start on node ${place.node} only, of ${place.nodes} nodes. Take shared storage, or one template per node (per-node), which then has a tag of its node.`);
	if (request.dryRun) return {
		left: [],
		pruned: [],
		outcomes: plans.map((plan) => plannedOutcome(context, plan, ingredients.get(plan.target.name)))
	};
	if (place.poolUnproven) await createPool(proxmox, place.pool);
	const swept = await sweepPlace(context, place, {
		guests,
		timeoutMs: request.timeoutMs
	});
	const cleaner = oneCleaner(context);
	const imageUndo = createUndo(journal);
	const present = place.images.filter(({ id }) => !swept.gone.has(id));
	const images = imagesOf(proxmox, {
		node: place.node,
		storage: place.importStorage.name,
		present
	}, imageUndo);
	const outcomes = await inParallel(plans, request.parallel, (plan) => buildOne(context, {
		...input,
		plan,
		place,
		parts: partsOf(plan.target, ingredients),
		images,
		cleaner
	}));
	const left = await releaseImages(cleaner(), place, imageUndo, {
		wasEnded: proxmox.signal?.aborted === true,
		left: outcomes.flatMap((outcome) => outcome.left)
	});
	return {
		outcomes,
		left: [...swept.left, ...left],
		pruned: await pruneReplaced(context, request, plans, outcomes)
	};
}
async function pruneReplaced(context, request, plans, outcomes) {
	const replaced = new Set(plans.filter(({ replaces }) => replaces).map(({ target }) => target.name));
	const refreshed = new Set(outcomes.filter(({ result, target }) => result === "created" && replaced.has(target.name)).map(({ target }) => target.tags.join(";")));
	if (refreshed.size === 0) return [];
	const prune = {
		...request,
		keepVersions: void 0,
		force: false,
		concerns: ({ tags }) => refreshed.has(tags.join(";"))
	};
	try {
		return await pruneTemplates(context, prune);
	} catch (error) {
		if (!(error instanceof Failure)) throw error;
		context.reporter.warn("Old builds were not pruned", error.message);
		return [];
	}
}
async function buildOne(context, one) {
	const { proxmox, reporter, journal } = context;
	const { request, parts } = one;
	const { target, why, replaces } = one.plan;
	const startedAt = proxmox.clock.now();
	const phases = timePhases(target.title, reporter, proxmox.clock);
	const end = (outcome) => {
		reporter.done(target.title);
		return {
			target,
			verified: parts.verified,
			warnings: [],
			left: [],
			phases: phases.list,
			startedAt,
			endedAt: proxmox.clock.now(),
			...outcome
		};
	};
	for (let contended = claimsOn(one.claims, target).length > 0;; contended = true) {
		const undo = createUndo(journal);
		try {
			proxmox.signal?.throwIfAborted();
			const other = contended ? await awaitOther(context, {
				target,
				pool: request.pool,
				replaces: replaces?.row.vmid
			}, phases) : void 0;
			if (other) return end({
				result: "reused",
				why: "another run has just made it",
				template: templateOf(target, other)
			});
			const freshIngredients = () => one.distribution.ingredients(target, one.place.arch, context.sources, { fresh: true });
			const job = {
				target,
				ingredients: parts,
				freshIngredients,
				place: one.place,
				request,
				build: newBuildId(),
				deadlineMs: one.deadlineMs,
				images: one.images,
				replaces
			};
			return end({
				result: "created",
				why,
				...await buildTemplate(context, job, undo, phases),
				left: await undo.run(one.cleaner())
			});
		} catch (error) {
			const kept = error instanceof GaveWay ? void 0 : await keep(one.cleaner(), request, one.plan, undo, error);
			const left = await undo.run(one.cleaner());
			if (error instanceof GaveWay && left.length === 0) continue;
			const proofs = error instanceof SmokeFailure ? { smokeTest: error.proofs } : {};
			return end({
				result: "failed",
				why,
				failure: asFailure(error, kept),
				left,
				...proofs
			});
		}
	}
}
function partsOf(target, ingredients) {
	const parts = ingredients.get(target.name);
	if (!parts) throw new Error(`no ingredients for ${target.title}`);
	return parts;
}
function newBuildId() {
	return randomBytes(6).toString("hex");
}
async function sweepPlace(context, place, seen) {
	const seeds = place.iso ? await listVolumes(context.proxmox, place.node, place.iso.name, "iso") : [];
	const swept = await sweepVolumes(context, {
		...seen,
		node: place.node,
		volumes: [...place.images, ...seeds],
		dryRun: false
	});
	for (const { what } of swept.removed) context.reporter.note(`Removed ${what}`);
	return {
		gone: new Set(swept.removed.flatMap(({ remnant }) => remnant.kind === "volume" ? [remnant.volume] : [])),
		left: swept.left
	};
}
async function keep(proxmox, request, { target, replaces }, undo, error) {
	if (!request.keepOnFailure) return void 0;
	const reason = error instanceof Error ? error.message : String(error);
	return await keepVm(proxmox, target, request.pool, undo, reason, replaces !== void 0);
}
function asFailure(error, kept) {
	if (!(error instanceof Failure)) throw error;
	return kept ? new Failure(error.kind, error.message, {
		remedy: [kept, ...error.remedy.filter((line) => line !== inspectionHint)],
		evidence: error.evidence,
		cause: error
	}) : error;
}
function plannedOutcome({ proxmox }, plan, ingredients) {
	const now = proxmox.clock.now();
	return {
		target: plan.target,
		result: "planned",
		why: plan.why,
		verified: ingredients?.verified ?? [],
		warnings: [],
		left: [],
		phases: [],
		startedAt: now,
		endedAt: now
	};
}

export { buildAll };