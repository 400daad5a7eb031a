import { Ct as inEnglish, Gt as optional, I as readGuestFile, It as array, L as readGuestHostName, R as readStatus, Wt as object, Xt as refine, Yt as record, Zt as string, bt as ProxmoxError, en as _gte, et as waitForTask, f as checkGuestNetwork, in as _regex, mt as seedFileName, nn as _lte, nt as sayDuration, rn as _maxLength, un as Failure, zt as int } from "./core.mjs";
import { a as takesFormat, i as listVolumes, o as uploadIso } from "./storage.mjs";
import { t as stringify } from "./yaml.mjs";
import { createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";

// src/templates/machine.ts
function seedDrive(arch) {
	return arch === "arm64" ? "scsi2" : "ide2";
}
function newMac() {
	return [
		"BC",
		"24",
		"11",
		...[...randomBytes(3)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase())
	].join(":");
}
function createParameters(input) {
	const { place, hardware, boot } = input;
	const format = takesFormat(place.disk) ? ",format=qcow2" : "";
	return {
		vmid: input.vmid,
		name: `build-${input.target.name}`,
		pool: place.pool,
		description: input.notes,
		ostype: "l26",
		bios: hardware.bios,
		machine: hardware.machine,
		cpu: hardware.cpu,
		scsihw: hardware.scsihw,
		...hardware.bios === "ovmf" ? { efidisk0: `${place.disk.name}:1,efitype=4m,pre-enrolled-keys=0${format}` } : {},
		scsi0: `${place.disk.name}:0,import-from=${input.image}${format},discard=on,ssd=1`,
		boot: "order=scsi0",
		agent: "enabled=1,fstrim_cloned_disks=1",
		serial0: "socket",
		vga: hardware.vga,
		balloon: 0,
		...boot ? {
			cores: 2,
			memory: 2048,
			net0: `virtio=${boot.mac},bridge=${boot.bridge}${boot.vlan === void 0 ? "" : `,tag=${boot.vlan}`}`,
			scsi1: `${place.disk.name}:0.01`,
			[seedDrive(place.arch)]: `${boot.seed},media=cdrom`
		} : templateSize
	};
}
const templateSize = {
	cores: 1,
	memory: 512
};
function strippedParameters(arch) {
	return {
		...templateSize,
		delete: [
			"net0",
			seedDrive(arch),
			"scsi1"
		].join(","),
		force: 1
	};
}

// src/guest/steps.ts
const seedStepName = "seed";
function guestSteps(plan) {
	return [
		{
			name: seedStepName,
			code: 1,
			boundSeconds: 420,
			title: "cloud-init has read the seed"
		},
		{
			name: "network",
			code: 10,
			boundSeconds: 240,
			title: "checking the network"
		},
		{
			name: "package-lists",
			code: 20,
			boundSeconds: 660,
			title: "reading the package lists"
		},
		{
			name: "agent",
			code: 30,
			boundSeconds: 660,
			title: "installing the guest agent"
		},
		{
			name: "upgrade",
			code: 40,
			boundSeconds: 1860,
			title: "upgrading all packages"
		},
		plan.kubernetes !== void 0 && {
			name: "kubernetes-packages",
			code: 50,
			boundSeconds: 1260,
			title: `installing containerd and Kubernetes ${plan.kubernetes.version}`
		},
		plan.kubernetes !== void 0 && {
			name: "kubernetes-node",
			code: 60,
			boundSeconds: 240,
			title: "setting up containerd, kernel and kubelet"
		},
		plan.kubernetes !== void 0 && {
			name: "kubernetes-images",
			code: 70,
			boundSeconds: 1860,
			title: "pulling the images that kubeadm names"
		},
		{
			name: "verify",
			code: 80,
			boundSeconds: 360,
			title: "proving what was installed"
		},
		{
			name: "seal",
			code: 90,
			boundSeconds: 360,
			title: "sealing"
		}
	].filter((step) => step !== false);
}

// src/guest/smoke/reasons.ts
const ownRemedy = "Sealing has left something of the build in the template: this is a defect, please report it.";
const cloudInitRemedy = "Cluster API's Proxmox provider would take every clone of this template for failed; the words of cloud-init stand in the clone's log.";
const smokeReasons = {
	"smoke-cloud-init": [
		{
			number: 1,
			title: "cloud-init ended with an error",
			remedy: cloudInitRemedy
		},
		{
			number: 2,
			title: "cloud-init ended with warnings",
			remedy: cloudInitRemedy
		},
		{
			number: 3,
			title: "cloud-init did not end"
		}
	],
	"smoke-identity": [
		{
			number: 1,
			title: "it does not bear the host name of its seed"
		},
		{
			number: 2,
			title: "it has no machine-id"
		},
		{
			number: 3,
			title: "its machine-id is the template's",
			remedy: ownRemedy
		},
		{
			number: 4,
			title: "it has no ssh host key"
		},
		{
			number: 5,
			title: "its ssh host keys are older than its first boot",
			remedy: ownRemedy
		},
		{
			number: 6,
			title: "its network card has no address",
			remedy: "Check that the DHCP server of --bridge and --vlan has addresses left, or give --build-address, --build-gateway and --build-dns."
		},
		{
			number: 7,
			title: "the guest agent does not run"
		}
	],
	"smoke-containerd": [
		{
			number: 1,
			title: "containerd does not run"
		},
		{
			number: 2,
			title: "containerd does not answer as a container runtime"
		},
		{
			number: 3,
			title: "an image that kubeadm names is not there"
		}
	],
	"smoke-preflight": [{
		number: 1,
		title: "kubeadm's preflight checks find an error"
	}, {
		number: 2,
		title: "kubeadm's preflight checks find something missing"
	}]
};

// src/guest/reasons.ts
const networkRemedy = "Check --bridge and --vlan, and that a DHCP server answers there; or give --build-address, --build-gateway and --build-dns.";
const diskFull = {
	number: 9,
	title: "the root file system is full",
	remedy: "Give the VM a bigger disk: --disk-size."
};
const tooLong = {
	number: 8,
	title: "it took longer than its bound"
};
const byStep = {
	network: [
		{
			number: 1,
			title: "it has no network card",
			remedy: networkRemedy
		},
		{
			number: 2,
			title: "it got no address",
			remedy: networkRemedy
		},
		{
			number: 3,
			title: "it has no default route",
			remedy: networkRemedy
		},
		{
			number: 4,
			title: "its gateway does not answer",
			remedy: networkRemedy
		},
		{
			number: 5,
			title: "it cannot resolve names by DNS",
			remedy: networkRemedy
		},
		{
			number: 6,
			title: "it cannot connect to the package mirror",
			remedy: "Check the route and firewall of the build network, or give a mirror it can reach: --apt-mirror."
		},
		{
			number: 7,
			title: "it cannot connect to the Kubernetes package repository or to the image registry",
			remedy: "Check the firewall of the build network, or give what it can reach: --kubernetes-packages-url, --image-repository."
		}
	],
	"package-lists": [
		{
			number: 1,
			title: "the package mirror does not stand in for any source of the image"
		},
		{
			number: 2,
			title: "the signature of a package list does not hold"
		},
		{
			number: 3,
			title: "the package lists cannot be fetched"
		},
		{
			number: 4,
			title: "another process kept the package lock"
		}
	],
	agent: [{
		number: 1,
		title: "qemu-guest-agent cannot be installed"
	}, {
		number: 4,
		title: "another process kept the package lock"
	}],
	upgrade: [{
		number: 1,
		title: "the upgrade failed"
	}, {
		number: 4,
		title: "another process kept the package lock"
	}],
	"kubernetes-packages": [
		{
			number: 1,
			title: "the packages cannot be installed"
		},
		{
			number: 2,
			title: "a package of the wanted version is not in the repository"
		},
		{
			number: 3,
			title: "the signature of a package list does not hold"
		},
		{
			number: 4,
			title: "another process kept the package lock"
		}
	],
	"kubernetes-node": [
		{
			number: 1,
			title: "kubeadm does not name a sandbox image"
		},
		{
			number: 2,
			title: "containerd's configuration could not be set"
		},
		{
			number: 3,
			title: "containerd does not run"
		},
		{
			number: 4,
			title: "a kernel module or setting is missing"
		}
	],
	"kubernetes-images": [{
		number: 1,
		title: "an image cannot be pulled"
	}, {
		number: 2,
		title: "an image is missing after the pull"
	}],
	verify: [{
		number: 1,
		title: "something promised is not there"
	}],
	seal: [{
		number: 1,
		title: "something of the build is left"
	}]
};
function reasonsOf(stepName) {
	return [
		...byStep[stepName] ?? smokeReasons[stepName] ?? [],
		tooLong,
		diskFull
	];
}

// src/guest/signal.ts
const sectorBytes$1 = 512;
const failureBase = 500;
const reasonBase = 1e3;
function readSignal(steps, wrHighestOffset) {
	return signalOfCode(steps, Math.floor((wrHighestOffset ?? 0) / sectorBytes$1) - 1);
}
function readHostNameSignal(steps, hostName) {
	const code = /^kubehenge-code-([0-9]{1,5})$/.exec(hostName)?.[1];
	return signalOfCode(steps, code === void 0 ? 0 : Number(code));
}
function signalOfCode(steps, code) {
	if (!(code >= 1)) return { kind: "nothing" };
	if (code === 100) return { kind: "done" };
	if (code < 100) {
		const step = steps.findLast((candidate) => candidate.code <= code);
		return step === void 0 ? { kind: "nothing" } : {
			kind: "step",
			step,
			code
		};
	}
	const named = code >= reasonBase;
	const stepCode = named ? Math.floor((code - reasonBase) / 10) : code - failureBase;
	const step = steps.find((candidate) => candidate.code === stepCode) ?? unknownStep(code);
	const reason = named ? reasonsOf(step.name).find(({ number }) => number === (code - reasonBase) % 10) : void 0;
	return {
		kind: "failed",
		step,
		code,
		...reason !== void 0 && { reason }
	};
}
function unknownStep(code) {
	return {
		name: "unknown",
		code,
		boundSeconds: 0,
		title: `a step that this version does not know (code ${code})`
	};
}

// src/guest/report.ts
const text = string().check(_maxLength(500), _regex(/^[ -~]*$/));
const reportSchema = object({
	kernel: text,
	cloudInit: text,
	packages: record(text, text),
	images: array(text),
	warnings: array(text)
});
function parseReport(content) {
	try {
		return reportSchema.parse(JSON.parse(content), inEnglish);
	} catch (cause) {
		throw new Failure("verification", "The guest's report of its packages cannot be read.", { cause });
	}
}
function lastLines(log, count = 40) {
	return log.split(/[\r\n]+/).map((line) => line.replace(/\p{Cc}\[[0-9;?]*[A-Za-z]|\p{Cc}/gu, "").slice(0, 300).trimEnd()).filter((line) => line !== "").slice(-count);
}

// src/guest/paths.ts
const markerDevice = "scsi1";
const markerDisk = `/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-${markerDevice}`;
const logPath = "/run/kubehenge/log";
const reportPath = "/run/kubehenge/report.json";
const buildFolder = "/var/lib/kubehenge-build";

// src/guest/yaml-text.ts
function yamlText(value) {
	return stringify(value, {
		version: "1.1",
		directives: false,
		lineWidth: 0,
		aliasDuplicateObjects: false
	});
}

// src/guest/network-config.ts
function networkConfig(mac, network) {
	return yamlText({
		version: 2,
		ethernets: { build: ethernet(mac, network) }
	});
}
function ethernet(mac, network) {
	const match = { macaddress: mac };
	return network.kind === "dhcp" ? {
		match,
		dhcp4: true
	} : {
		match,
		...staticNetwork(network)
	};
}
function staticNetwork(network) {
	return {
		dhcp4: false,
		dhcp6: false,
		addresses: [network.address],
		routes: [{
			to: network.gateway.includes(":") ? "::/0" : "0.0.0.0/0",
			via: network.gateway
		}],
		...network.dns.length > 0 && { nameservers: { addresses: [...network.dns] } }
	};
}

// src/guest/plan.ts
const url = string().check(_maxLength(500), _regex(/^https?:\/\/[A-Za-z0-9.:[\]-]+(\/[A-Za-z0-9._~:/%+-]*)?$/, "a plain http or https URL without user name, query or spaces"), refine((text) => URL.canParse(text), "a plain http or https URL"));
const debVersion = string().check(_regex(/^[0-9][A-Za-z0-9.+:~-]{0,99}$/, "an exact Debian package version"));
const kubernetes = object({
	version: string().check(_regex(/^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$/, "an exact version such as v1.37.1")),
	repositoryUrl: url,
	keyArmored: string().check(_maxLength(1e5), _regex(/^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[\t\r\n -~]*-----END PGP PUBLIC KEY BLOCK-----\s*$/, "an ASCII-armored OpenPGP public key")),
	packages: object({
		kubeadm: debVersion,
		kubelet: debVersion,
		kubectl: debVersion,
		criTools: debVersion,
		kubernetesCni: optional(debVersion)
	}),
	imageRepository: optional(string().check(_maxLength(255), _regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9][a-z0-9._-]*)*$/, "a registry such as registry.example.org/kubernetes")))
});
const planSchema = object({
	instanceId: string().check(_regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "letters, digits, dots, dashes")),
	hostname: string().check(_regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "a host name of one label (RFC 1123)")),
	mac: string().check(_regex(/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/, "a MAC address such as BC:24:11:00:00:01")),
	aptMirror: optional(url),
	kubernetes: optional(kubernetes),
	timeoutSeconds: int().check(_gte(60), _lte(86400))
});
function checkPlan(plan) {
	const result = planSchema.safeParse(plan, inEnglish);
	if (!result.success) {
		const issue = result.error.issues[0];
		throw new Failure("usage", `The guest cannot be told its ${issue?.path.join(".") ?? "plan"}: expected ${issue?.message ?? "another value"}.`);
	}
	checkGuestNetwork(plan.network);
	return {
		...plan,
		mac: plan.mac.toLowerCase()
	};
}

// src/guest/iso9660/fields.ts
const sectorBytes = 2048;
function sectorsFor(bytes) {
	return Math.ceil(bytes / sectorBytes);
}
function bothEndian16(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(4);
	const view = new DataView(bytes.buffer);
	view.setUint16(0, value, true);
	view.setUint16(2, value, false);
	return bytes;
}
function bothEndian32(value) {
	const bytes = /* @__PURE__ */ new Uint8Array(8);
	const view = new DataView(bytes.buffer);
	view.setUint32(0, value, true);
	view.setUint32(4, value, false);
	return bytes;
}
function paddedAscii(text, length) {
	const bytes = new Uint8Array(length).fill(32);
	bytes.set(asciiBytes(text).subarray(0, length));
	return bytes;
}
function paddedUcs2(text, length) {
	const bytes = new Uint8Array(length);
	bytes.set(ucs2Bytes(text.padEnd(Math.floor(length / 2), " ").slice(0, Math.floor(length / 2))));
	return bytes;
}
function asciiBytes(text) {
	return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
function ucs2Bytes(text) {
	const bytes = new Uint8Array(text.length * 2);
	const view = new DataView(bytes.buffer);
	for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), false);
	return bytes;
}
function shortTime(time) {
	return Uint8Array.of(time.getUTCFullYear() - 1900, time.getUTCMonth() + 1, time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds(), 0);
}
function longTime(time) {
	const bytes = /* @__PURE__ */ new Uint8Array(17);
	const digits = time === void 0 ? "0".repeat(16) : time.toISOString().replace(/\D/g, "").slice(0, 16);
	bytes.set(asciiBytes(digits));
	return bytes;
}
function concatBytes(parts) {
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
	let offset = 0;
	for (const part of parts) {
		bytes.set(part, offset);
		offset += part.length;
	}
	return bytes;
}

// src/guest/iso9660/directory.ts
function directoryRecord(entry) {
	const systemUse = entry.systemUse ?? /* @__PURE__ */ new Uint8Array(0);
	const nameEnd = 33 + entry.identifier.length;
	const useStart = nameEnd + nameEnd % 2;
	const length = useStart + systemUse.length + systemUse.length % 2;
	if (length > 255) throw new RangeError(`a directory record of ${length} bytes cannot be written`);
	const record = new Uint8Array(length);
	record[0] = length;
	record.set(bothEndian32(entry.sector), 2);
	record.set(bothEndian32(entry.bytes), 10);
	record.set(shortTime(entry.time), 18);
	record[25] = entry.folder ? 2 : 0;
	record.set(bothEndian16(1), 28);
	record[32] = entry.identifier.length;
	record.set(entry.identifier, 33);
	record.set(systemUse, useStart);
	return record;
}
function directoryExtent(records) {
	const sectors = [];
	let sector = new Uint8Array(sectorBytes);
	let used = 0;
	for (const record of records) {
		if (used + record.length > 2048) {
			sectors.push(sector);
			sector = new Uint8Array(sectorBytes);
			used = 0;
		}
		sector.set(record, used);
		used += record.length;
	}
	return concatBytes([...sectors, sector]);
}
function byIdentifier(fill) {
	return (a, b) => {
		const length = Math.max(a.identifier.length, b.identifier.length);
		for (let index = 0; index < length; index++) {
			const difference = (a.identifier[index] ?? fill) - (b.identifier[index] ?? fill);
			if (difference !== 0) return difference;
		}
		return 0;
	};
}

// src/guest/iso9660/names.ts
const longestName = 64;
function checkNames(names) {
	const seen = /* @__PURE__ */ new Set();
	for (const name of names) {
		if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name) || name.length > longestName) throw new Failure("failure", `The file name ${JSON.stringify(name)} cannot be written to an ISO image: names have 1 to ${longestName} characters of A-Z, a-z, 0-9, ".", "_" and "-", and do not begin with ".".`);
		if (seen.has(name)) throw new Failure("failure", `The file name ${JSON.stringify(name)} is given twice.`);
		seen.add(name);
	}
}
function plainNames(names) {
	const taken = /* @__PURE__ */ new Set();
	return names.map((name) => {
		const upper = name.toUpperCase();
		const dot = upper.lastIndexOf(".");
		const extension = dot < 0 ? "" : dCharacters(upper.slice(dot + 1)).slice(0, 8);
		const stem = dCharacters(dot < 0 ? upper : upper.slice(0, dot)).slice(0, 30 - extension.length) || "_";
		for (let count = 0;; count++) {
			const suffix = count === 0 ? "" : String(count);
			const plain = `${stem.slice(0, 30 - extension.length - suffix.length)}${suffix}.${extension}`;
			if (taken.has(plain)) continue;
			taken.add(plain);
			return `${plain};1`;
		}
	});
}
function dCharacters(text) {
	return text.replace(/[^A-Z0-9_]/g, "_");
}

// src/guest/iso9660/path-table.ts
function rootPathTable(rootSector, littleEndian) {
	const table = /* @__PURE__ */ new Uint8Array(10);
	const view = new DataView(table.buffer);
	table[0] = 1;
	view.setUint32(2, rootSector, littleEndian);
	view.setUint16(6, 1, littleEndian);
	return table;
}

// src/guest/iso9660/system-use.ts
function entry(signature, version, data) {
	return concatBytes([
		asciiBytes(signature),
		Uint8Array.of(4 + data.length, version),
		data
	]);
}
function sharingProtocol() {
	return entry("SP", 1, Uint8Array.of(190, 239, 0));
}
function continuation(sector, offset, length) {
	return entry("CE", 1, concatBytes([
		bothEndian32(sector),
		bothEndian32(offset),
		bothEndian32(length)
	]));
}
function rockRidgeReference() {
	const identifier = asciiBytes("IEEE_P1282");
	const description = asciiBytes("THE IEEE P1282 PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS");
	const source = asciiBytes("PLEASE CONTACT THE IEEE STANDARDS DEPARTMENT, PISCATAWAY, NJ, USA FOR THE P1282 SPECIFICATION");
	const lengths = Uint8Array.of(identifier.length, description.length, source.length, 1);
	return entry("ER", 1, concatBytes([
		lengths,
		identifier,
		description,
		source
	]));
}
function posixAttributes(mode, links, serial) {
	return entry("PX", 1, concatBytes([
		mode,
		links,
		0,
		0,
		serial
	].map((value) => bothEndian32(value))));
}
function timeStamps(time) {
	const modifyAccessAttributes = 14;
	const short = shortTime(time);
	return entry("TF", 1, concatBytes([
		Uint8Array.of(modifyAccessAttributes),
		short,
		short,
		short
	]));
}
function alternateName(name) {
	return entry("NM", 1, concatBytes([Uint8Array.of(0), asciiBytes(name)]));
}

// src/guest/iso9660/volume-descriptor.ts
function primaryDescriptor(volume) {
	return descriptor(1, volume, paddedAscii);
}
function jolietDescriptor(volume) {
	const bytes = descriptor(2, volume, paddedUcs2);
	bytes.set(asciiBytes("%/E"), 88);
	return bytes;
}
function terminator() {
	return header(255);
}
function header(type) {
	const bytes = new Uint8Array(sectorBytes);
	bytes[0] = type;
	bytes.set(asciiBytes("CD001"), 1);
	bytes[6] = 1;
	return bytes;
}
function descriptor(type, volume, text) {
	const bytes = header(type);
	const view = new DataView(bytes.buffer);
	bytes.set(text("LINUX", 32), 8);
	bytes.set(text(volume.label, 32), 40);
	bytes.set(bothEndian32(volume.sectors), 80);
	bytes.set(bothEndian16(1), 120);
	bytes.set(bothEndian16(1), 124);
	bytes.set(bothEndian16(sectorBytes), 128);
	bytes.set(bothEndian32(volume.pathTableBytes), 132);
	view.setUint32(140, volume.littleEndianPathTable, true);
	view.setUint32(148, volume.bigEndianPathTable, false);
	bytes.set(volume.rootRecord, 156);
	bytes.set(text("", 128), 190);
	bytes.set(text("", 128), 318);
	bytes.set(text("", 128), 446);
	bytes.set(text("KUBEHENGE", 128), 574);
	bytes.set(text("", 37), 702);
	bytes.set(text("", 37), 739);
	bytes.set(text("", 37), 776);
	bytes.set(longTime(volume.created), 813);
	bytes.set(longTime(volume.created), 830);
	bytes.set(longTime(void 0), 847);
	bytes.set(longTime(volume.created), 864);
	bytes[881] = 1;
	return bytes;
}

// src/guest/iso9660/write-iso.ts
const largestImageBytes = 1048576;
const descriptorSector = 16;
const pathTableSector = 19;
const rootSector = 23;
const pathTableBytes = 10;
const folderMode = 16749;
const fileMode = 33060;
function writeIso(files, volume) {
	checkNames(files.map((file) => file.name));
	checkVolume(volume);
	const plain = plainNames(files.map((file) => file.name));
	const primarySectors = sectorsFor(primaryRoot(files, plain, volume.created, 0, 0, 0, 0).length);
	const jolietSectors = sectorsFor(jolietRoot(files, volume.created, 0, 0, 0).length);
	const jolietRootSector = rootSector + primarySectors;
	const continuationSector = jolietRootSector + jolietSectors;
	const firstFileSector = continuationSector + 1;
	const sectors = firstFileSector + files.reduce((sum, file) => sum + sectorsFor(file.bytes.length), 0);
	if (sectors * 2048 > largestImageBytes) throw new Failure("failure", `The ISO image would have ${sectors * sectorBytes} bytes; 1 MiB is the most allowed.`);
	const primary = primaryRoot(files, plain, volume.created, rootSector, primarySectors, continuationSector, firstFileSector);
	const joliet = jolietRoot(files, volume.created, jolietRootSector, jolietSectors, firstFileSector);
	const image = new Uint8Array(sectors * sectorBytes);
	const put = (sector, bytes) => image.set(bytes, sector * sectorBytes);
	const root = (sector, count) => directoryRecord(folderEntry(0, sector, count, volume.created));
	put(descriptorSector, primaryDescriptor({
		...volume,
		sectors,
		pathTableBytes,
		littleEndianPathTable: pathTableSector,
		bigEndianPathTable: 20,
		rootRecord: root(rootSector, primarySectors)
	}));
	put(17, jolietDescriptor({
		...volume,
		sectors,
		pathTableBytes,
		littleEndianPathTable: 21,
		bigEndianPathTable: 22,
		rootRecord: root(jolietRootSector, jolietSectors)
	}));
	put(18, terminator());
	put(pathTableSector, rootPathTable(rootSector, true));
	put(20, rootPathTable(rootSector, false));
	put(21, rootPathTable(jolietRootSector, true));
	put(22, rootPathTable(jolietRootSector, false));
	put(rootSector, primary);
	put(jolietRootSector, joliet);
	put(continuationSector, rockRidgeReference());
	fileSectors(files, firstFileSector).forEach((sector, index) => put(sector, files[index]?.bytes ?? /* @__PURE__ */ new Uint8Array(0)));
	return image;
}
function checkVolume(volume) {
	if (!/^[A-Za-z0-9_-]{1,16}$/.test(volume.label)) throw new Failure("failure", `The volume label ${JSON.stringify(volume.label)} cannot be written to an ISO image.`);
	const year = volume.created.getUTCFullYear();
	if (!(year >= 1900 && year <= 2155)) throw new Failure("failure", "The time of an ISO image must lie in the years 1900 to 2155 (ECMA-119 9.1.5).");
}
function fileSectors(files, first) {
	let next = first;
	return files.map((file) => {
		const sector = next;
		next += sectorsFor(file.bytes.length);
		return file.bytes.length === 0 ? 0 : sector;
	});
}
function folderEntry(self, sector, sectors, time) {
	return {
		identifier: Uint8Array.of(self),
		sector,
		bytes: sectors * sectorBytes,
		folder: true,
		time
	};
}
function primaryRoot(files, plain, time, sector, sectors, continuationSector, firstFileSector) {
	const attributes = [posixAttributes(folderMode, 2, 1), timeStamps(time)];
	const reference = continuation(continuationSector, 0, rockRidgeReference().length);
	const self = {
		...folderEntry(0, sector, sectors, time),
		systemUse: concatBytes([
			sharingProtocol(),
			...attributes,
			reference
		])
	};
	const parent = {
		...folderEntry(1, sector, sectors, time),
		systemUse: concatBytes(attributes)
	};
	const starts = fileSectors(files, firstFileSector);
	const entries = files.map((file, index) => ({
		identifier: asciiBytes(plain[index] ?? ""),
		sector: starts[index] ?? 0,
		bytes: file.bytes.length,
		folder: false,
		time,
		systemUse: concatBytes([
			posixAttributes(fileMode, 1, index + 2),
			timeStamps(time),
			alternateName(file.name)
		])
	})).toSorted(byIdentifier(32));
	return directoryExtent([
		self,
		parent,
		...entries
	].map(directoryRecord));
}
function jolietRoot(files, time, sector, sectors, firstFileSector) {
	const starts = fileSectors(files, firstFileSector);
	const entries = files.map((file, index) => ({
		identifier: ucs2Bytes(file.name),
		sector: starts[index] ?? 0,
		bytes: file.bytes.length,
		folder: false,
		time
	})).toSorted(byIdentifier(0));
	return directoryExtent([
		folderEntry(0, sector, sectors, time),
		folderEntry(1, sector, sectors, time),
		...entries
	].map(directoryRecord));
}

// src/guest/seed-iso.ts
function writeSeed(files, created) {
	const encoder = new TextEncoder();
	return writeIso(Object.entries(files).map(([name, text]) => ({
		name,
		bytes: name === "user-data" ? gzipSync(text, { level: 9 }) : encoder.encode(text)
	})), {
		label: "cidata",
		created
	});
}

// src/guest/quiet-units.ts
const quietUnits = [
	"apt-daily.timer",
	"apt-daily.service",
	"apt-daily-upgrade.timer",
	"apt-daily-upgrade.service",
	"unattended-upgrades.service",
	"snapd.service",
	"snapd.socket",
	"snapd.seeded.service"
];

// src/guest/settings.ts
function shellQuoted(value) {
	return `'${value.replaceAll("'", `'\\''`)}'`;
}
function settingsFile(plan) {
	const kubernetes = plan.kubernetes;
	const settings = {
		BUILD_HOSTNAME: plan.hostname,
		BUILD_MAC: plan.mac,
		QUIET_UNITS: quietUnits.join(" "),
		APT_MIRROR: plan.aptMirror,
		KUBERNETES_VERSION: kubernetes?.version,
		KUBERNETES_REPOSITORY: kubernetes?.repositoryUrl,
		KUBEADM_PACKAGE: kubernetes?.packages.kubeadm,
		KUBELET_PACKAGE: kubernetes?.packages.kubelet,
		KUBECTL_PACKAGE: kubernetes?.packages.kubectl,
		CRI_TOOLS_PACKAGE: kubernetes?.packages.criTools,
		KUBERNETES_CNI_PACKAGE: kubernetes?.packages.kubernetesCni,
		IMAGE_REPOSITORY: kubernetes?.imageRepository
	};
	return Object.entries(settings).map(([key, value]) => `${key}=${shellQuoted(value ?? "")}\n`).join("");
}
function stepsFile(steps) {
	return steps.filter((step) => step.name !== seedStepName).map((step) => `${step.code} ${step.boundSeconds - 60} ${step.name}\n`).join("");
}

// src/guest/scripts/agent.sh
var agent_default = "#!/bin/bash\n# The guest agent, early: from here on the builder can read the log. And what the installers of clusters fetch with.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n# shellcheck source=apt.sh\n. /var/lib/kubehenge-build/apt.sh\n\napt_get install --no-install-recommends qemu-guest-agent ca-certificates curl ||\n  fail 1 \"qemu-guest-agent, ca-certificates and curl cannot be installed; see apt's lines above.\"\n# Never `systemctl enable`: the unit is static, udev starts it with the agent's port, and enabling it is an error.\nsystemctl start qemu-guest-agent.service || printf 'The guest agent did not start at once.\\n'\n";

// src/guest/scripts/apt.sh
var apt_default = "#!/bin/bash\n# apt without questions, with patience for locks and networks. Sourced after step.sh.\n# shellcheck disable=SC2154 # step.sh gives build, state and the settings\n\nexport DEBIAN_FRONTEND=noninteractive UCF_FORCE_CONFFOLD=1 APT_LISTCHANGES_FRONTEND=none\n# needrestart would ask, or restart services of a machine that is about to be switched off.\nexport NEEDRESTART_SUSPEND=1 NEEDRESTART_MODE=l\n\n# A mirror stands in for Ubuntu's archive by sources of the build's own; the image's are not touched.\nmirrored_sources=\"$build/mirrored-sources\"\nif [ -n \"$APT_MIRROR\" ]; then\n  export APT_CONFIG=\"$build/mirrored-apt.conf\"\n  printf 'Dir::Etc::SourceList \"/dev/null\";\\nDir::Etc::SourceParts \"%s\";\\n' \"$mirrored_sources\" >\"$APT_CONFIG\"\nfi\n\n# What another process may hold: the lock of the package lists is not waited for by DPkg::Lock::Timeout.\nlock_seconds=300\n\n# apt_get COMMAND...: runs apt-get; a held lock is waited for, and named when that lasts too long.\napt_get() {\n  local end=$((SECONDS + lock_seconds)) output=\"$state/apt-output\"\n  while ! run_apt_get \"$@\" 2>&1 | tee \"$output\"; do\n    if grep -qs 'No space left on device\\|enough free space' \"$output\"; then\n      fail 9 \"The root file system is too small for the packages.\"\n    fi\n    if ! grep -qs '^E: \\(Could not get lock\\|Unable to lock\\|Unable to acquire\\)' \"$output\"; then return 1; fi\n    if [ \"$SECONDS\" -ge \"$end\" ]; then fail 4 \"Another process kept the package lock for $lock_seconds s.\"; fi\n    sleep 3\n  done\n}\n\nrun_apt_get() {\n  # Phased updates would come or not by the machine's id; a template is the same whoever builds it.\n  apt-get -q -y \\\n    -o DPkg::Lock::Timeout=\"$lock_seconds\" \\\n    -o APT::Update::Error-Mode=any \\\n    -o APT::Get::Always-Include-Phased-Updates=true \\\n    -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \\\n    -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 \\\n    \"$@\"\n}\n\n# update_lists SIGNATURE-REASON OTHER-REASON: reads the package lists; a signature that does not hold is not tried again.\nupdate_lists() {\n  local try\n  for try in 1 2 3; do\n    if apt_get update; then return 0; fi\n    if grep -qs 'GPG error\\|OpenPGP\\|NO_PUBKEY\\|BADSIG\\|EXPKEYSIG\\|is not signed\\|no longer signed\\|not valid yet\\|is expired' \"$state/apt-output\"; then\n      fail \"$1\" \"The signature of a package list does not hold; see apt's lines above.\"\n    fi\n    printf 'apt-get update failed, try %s of 3\\n' \"$try\"\n    sleep $((try * 3))\n  done\n  fail \"$2\" \"The package lists cannot be fetched; see apt's lines above.\"\n}\n";

// src/guest/scripts/containerd-config.sh
var containerd_config_default = "#!/bin/bash\n# containerd-config.sh SANDBOX-IMAGE: reads containerd's default configuration (version 2 of containerd 1.x, version 3 of\n# containerd 2.x) and writes it with systemd's cgroups, the sandbox image, and /etc/containerd/certs.d for registries.\nset -euo pipefail\n\nSANDBOX_IMAGE=$1 exec awk '\n  function set(name, line) { print line; drop = name; done[name] = 1 }\n  /^[[:space:]]*\\[/ {\n    print\n    drop = \"\"\n    table = $0\n    gsub(/[[:space:]\"\\047]|^[[:space:]]*\\[+|\\]+[[:space:]]*$/, \"\", table)\n    gsub(/[][]/, \"\", table)\n    if (table ~ /\\.containerd\\.runtimes\\.runc\\.options$/) set(\"SystemdCgroup\", \"SystemdCgroup = true\")\n    if (table == \"plugins.io.containerd.grpc.v1.cri\") set(\"sandbox_image\", \"sandbox_image = \\\"\" ENVIRON[\"SANDBOX_IMAGE\"] \"\\\"\")\n    if (table == \"plugins.io.containerd.cri.v1.images.pinned_images\") set(\"sandbox\", \"sandbox = \\\"\" ENVIRON[\"SANDBOX_IMAGE\"] \"\\\"\")\n    if (table ~ /^plugins\\.io\\.containerd\\.(grpc\\.v1\\.cri|cri\\.v1\\.images)\\.registry$/) set(\"config_path\", \"config_path = \\\"/etc/containerd/certs.d\\\"\")\n    next\n  }\n  drop != \"\" {\n    key = $0\n    sub(/^[[:space:]]*/, \"\", key)\n    sub(/[[:space:]]*=.*/, \"\", key)\n    if (key == drop) next\n  }\n  # From 2.1 on the CRI plugin pulls through this one, which knows registries by a setting of its own, where it has it.\n  table == \"plugins.io.containerd.transfer.v1.local\" && /^[[:space:]]*config_path[[:space:]]*=/ {\n    print \"config_path = \\\"/etc/containerd/certs.d\\\"\"\n    next\n  }\n  { print }\n  END {\n    if (!done[\"SystemdCgroup\"]) wrong = wrong \" SystemdCgroup\"\n    if (!done[\"sandbox_image\"] && !done[\"sandbox\"]) wrong = wrong \" sandbox\"\n    if (!done[\"config_path\"]) wrong = wrong \" config_path\"\n    if (wrong != \"\") {\n      print \"containerd has no place for:\" wrong > \"/dev/stderr\"\n      exit 1\n    }\n  }\n'\n";

// src/guest/scripts/fail.sh
var fail_default = "#!/bin/bash\n# How a step ends before its time, and how it waits. Sourced, where `state` names the folder of what the builder reads.\n# shellcheck disable=SC2154 # who sources this gives state\n\ntrap 'printf \"FAILED: line %s: %s\\n\" \"$LINENO\" \"$BASH_COMMAND\"' ERR\n\n# fail NUMBER TEXT: ends the step. The number is the reason that the builder reads from the marker disk.\nfail() {\n  trap - ERR\n  printf '%s\\n' \"$1\" >\"$state/reason\"\n  shift\n  printf 'FAILED: %s\\n' \"$*\"\n  exit 1\n}\n\n# wait_for SECONDS COMMAND...: until the command succeeds.\nwait_for() {\n  local end=$((SECONDS + $1))\n  shift\n  until \"$@\"; do\n    if [ \"$SECONDS\" -ge \"$end\" ]; then return 1; fi\n    sleep 1\n  done\n}\n";

// src/guest/scripts/failed.sh
var failed_default = "#!/bin/bash\n# Tells the builder that the build has failed, where and why. The machine stays up, so that a person can look.\nset -uo pipefail\n\nbuild=/var/lib/kubehenge-build\nstate=/run/kubehenge\n# shellcheck source=signal.sh\n. \"$build/signal.sh\"\n\n# A reboot stops the build unit, which then counts as failed although the next boot takes it up again.\nif [ \"$(systemctl is-system-running 2>/dev/null)\" = stopping ]; then exit 0; fi\n\nmkdir -p \"$state\"\ntouch \"$state/log\"\ncode=1\nname=seed\nif [ -s \"$state/step\" ]; then read -r code name <\"$state/step\"; fi\nresult=$(systemctl show --property=Result --value kubehenge-build.service)\nfree=$(df --output=avail --block-size=1M / | tail -n 1 | tr -d ' ')\nprintf 'Root file system: %s MiB free. Result of the build unit: %s.\\n' \"$free\" \"$result\" >>\"$state/log\"\n\nreason=\nif [ -s \"$state/reason\" ]; then\n  read -r reason <\"$state/reason\"\nelif [ \"$result\" = timeout ]; then\n  reason=8\nfi\n# Whatever it says of itself, what fails on a full disk fails because of that.\nif [ \"$free\" -lt 16 ]; then reason=9; fi\n\nif [ -n \"$reason\" ]; then\n  failure=$((1000 + 10 * code + reason))\nelse\n  failure=$((500 + code))\nfi\nsignal \"$failure\" \"FAILED step=$name\"\n{\n  printf 'KUBEHENGE-LOG-BEGIN\\n'\n  tail -n 40 \"$state/log\" | tr '\\r' '\\n' | cut -c1-300\n  printf 'KUBEHENGE-LOG-END\\n'\n} | to_console\n";

// src/guest/scripts/kubernetes-images.sh
var kubernetes_images_default = "#!/bin/bash\n# The images that kubeadm names, in containerd before a clone asks for them.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n\npull() {\n  kubeadm config images pull --kubernetes-version \"$KUBERNETES_VERSION\" \\\n    ${IMAGE_REPOSITORY:+--image-repository \"$IMAGE_REPOSITORY\"} \\\n    --cri-socket unix:///run/containerd/containerd.sock >\"$state/pull-output\" 2>&1\n}\n\npulled=\nfor try in 1 2 3; do\n  if pull; then\n    pulled=yes\n    break\n  fi\n  cat \"$state/pull-output\"\n  if grep -q 'no space left on device' \"$state/pull-output\"; then fail 9 \"The root file system is too small for the images.\"; fi\n  printf 'kubeadm config images pull failed, try %s of 3\\n' \"$try\"\n  sleep $((try * 5))\ndone\nif [ -z \"$pulled\" ]; then fail 1 \"kubeadm cannot pull its images; see its lines above.\"; fi\ncat \"$state/pull-output\"\n\n# \"check -q\" names only images that are whole and unpacked.\nctr --namespace k8s.io images check -q >\"$state/whole-images\"\nwhile read -r image; do\n  grep -qxF -- \"$image\" \"$state/whole-images\" || fail 2 \"The image $image is not in containerd after the pull.\"\ndone <\"$state/images\"\n";

// src/guest/scripts/kubernetes-node.sh
var kubernetes_node_default = "#!/bin/bash\n# What a Kubernetes node needs of the system: kernel modules and settings, no swap, containerd, a kubelet that waits.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n\nprintf 'overlay\\nbr_netfilter\\n' >/etc/modules-load.d/kubernetes.conf\nmodprobe overlay || fail 4 \"The kernel module overlay cannot be loaded.\"\nmodprobe br_netfilter || fail 4 \"The kernel module br_netfilter cannot be loaded.\"\n\n# A file of its own: Ubuntu 26.04 has no /etc/sysctl.conf. The dash: a kernel without IPv6 is no failure.\ncat >/etc/sysctl.d/90-kubernetes.conf <<'SETTINGS'\nnet.ipv4.ip_forward = 1\nnet.bridge.bridge-nf-call-iptables = 1\n-net.bridge.bridge-nf-call-ip6tables = 1\n-net.ipv6.conf.all.forwarding = 1\n# kubelet wants these and sets them itself unless it protects the kernel's defaults.\nvm.overcommit_memory = 1\nkernel.panic = 10\nkernel.panic_on_oops = 1\nfs.inotify.max_user_instances = 8192\nfs.inotify.max_user_watches = 524288\nSETTINGS\nsysctl --quiet --system\n\nswapoff --all\nsed -i -E '/^[^#]+[[:space:]]swap[[:space:]]/d' /etc/fstab\nrm -f /swap.img /swapfile\n\nkubeadm_images >\"$state/images\" || fail 1 \"kubeadm does not name the images of $KUBERNETES_VERSION.\"\nsandbox=$(grep -m 1 '/pause:' \"$state/images\") || fail 1 \"kubeadm names no pause image for $KUBERNETES_VERSION.\"\nprintf '%s\\n' \"$sandbox\" >\"$state/sandbox\"\n\nmkdir -p /etc/containerd/certs.d\ncontainerd config default | /bin/bash \"$build/containerd-config.sh\" \"$sandbox\" >\"$state/config.toml\" ||\n  fail 2 \"containerd's default configuration has no place for what Kubernetes needs.\"\ninstall -m 0644 \"$state/config.toml\" /etc/containerd/config.toml\n\ncat >/etc/crictl.yaml <<'SETTINGS'\nruntime-endpoint: unix:///run/containerd/containerd.sock\nimage-endpoint: unix:///run/containerd/containerd.sock\ntimeout: 10\nSETTINGS\n\nsystemctl enable --quiet containerd.service\nsystemctl restart containerd.service || fail 3 \"containerd does not start: $(systemctl status --no-pager --lines=5 containerd.service 2>&1 | tr '\\n' ' ')\"\n# Not `grep -q`, which stops reading: under pipefail its writer's broken pipe would count.\ncri_answers() { ctr plugins ls 2>/dev/null | grep '[[:space:]]cri[[:space:]].*[[:space:]]ok' >/dev/null; }\nwait_for 60 cri_answers || fail 3 \"containerd runs, but its CRI plugin does not: $(ctr plugins ls 2>&1 | grep '[[:space:]]cri[[:space:]]')\"\n\n# Enabled and not started: kubeadm starts it in the clone.\nsystemctl stop kubelet.service\nsystemctl enable --quiet kubelet.service\n";

// src/guest/scripts/kubernetes-packages.sh
var kubernetes_packages_default = "#!/bin/bash\n# containerd from Ubuntu, and Kubernetes' packages at exactly the wanted versions, held.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n# shellcheck source=apt.sh\n. /var/lib/kubehenge-build/apt.sh\n\n# The names that Kubernetes' own guide uses, so that its words on upgrades hold in a clone.\nkey=/etc/apt/keyrings/kubernetes-apt-keyring.asc\nlist=/etc/apt/sources.list.d/kubernetes.list\ninstall -d -m 0755 /etc/apt/keyrings\ninstall -m 0644 \"$build/kubernetes.asc\" \"$key\"\nprintf 'deb [signed-by=%s] %s /\\n' \"$key\" \"$KUBERNETES_REPOSITORY\" >\"$list\"\nchmod 0644 \"$list\"\nif [ -n \"$APT_MIRROR\" ]; then cp \"$list\" \"$mirrored_sources/\"; fi\nupdate_lists 3 1\n\nwanted=(\"kubeadm=$KUBEADM_PACKAGE\" \"kubelet=$KUBELET_PACKAGE\" \"kubectl=$KUBECTL_PACKAGE\" \"cri-tools=$CRI_TOOLS_PACKAGE\")\nif [ -n \"$KUBERNETES_CNI_PACKAGE\" ]; then\n  wanted+=(\"kubernetes-cni=$KUBERNETES_CNI_PACKAGE\")\nelse\n  wanted+=(kubernetes-cni)\nfi\n# The exit code says nothing: it is 0 for a name that other packages mention, whether there is such a version or not.\nis_there() {\n  [ -n \"$(apt-cache show \"$1\" 2>/dev/null)\" ]\n}\nfor package in \"${wanted[@]}\"; do\n  is_there \"$package\" ||\n    fail 2 \"The package $package is not in $KUBERNETES_REPOSITORY.\"\ndone\n\n# kubeadm names them in its preflight, and since 1.32 depends on none. ebtables only where the archive still has it.\ntools=(conntrack ethtool iptables socat)\nif is_there ebtables; then tools+=(ebtables); fi\n\n# Masked while it is installed: a kubelet that was started once leaves files of this machine.\nsystemctl mask --runtime --quiet kubelet.service\napt_get install --no-install-recommends --allow-downgrades --allow-change-held-packages \\\n  containerd \"${tools[@]}\" \"${wanted[@]}\" ||\n  fail 1 \"containerd and the Kubernetes packages cannot be installed; see apt's lines above.\"\nsystemctl unmask --runtime --quiet kubelet.service\napt-mark hold kubeadm kubelet kubectl cri-tools kubernetes-cni\n";

// src/guest/scripts/network.sh
var network_default = "#!/bin/bash\n# Is there a network that leads to all that the build needs? Each way to fail has its own words.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n# shellcheck source=apt.sh\n. /var/lib/kubehenge-build/apt.sh\n\nhas_card() {\n  local card\n  for card in /sys/class/net/*; do\n    if [ -e \"$card/device\" ]; then return 0; fi\n  done\n  return 1\n}\n\nhas_address() { ip -o address show up scope global | awk '/ inet/ && !/ tentative/ { found = 1 } END { exit !found }'; }\n\nhas_default_route() { [ -n \"$(ip -4 route show default)$(ip -6 route show default)\" ]; }\n\n# The first gateway that should have answered on the link and did not.\nsilent_gateway() {\n  local gateway\n  for gateway in $(ip -4 route show default | sed -n 's/.* via \\([^ ]*\\).*/\\1/p') \\\n    $(ip -6 route show default | sed -n 's/.* via \\([^ ]*\\).*/\\1/p'); do\n    if ip neighbour show to \"$gateway\" | grep 'FAILED\\|INCOMPLETE' >/dev/null; then\n      printf '%s\\n' \"$gateway\"\n      return 0\n    fi\n  done\n  return 1\n}\n\n# fail_beyond_link NUMBER TEXT: blames the gateway where it is the gateway.\nfail_beyond_link() {\n  local gateway\n  if gateway=$(silent_gateway); then fail 4 \"The gateway $gateway does not answer on the link. $2\"; fi\n  fail \"$1\" \"$2\"\n}\n\nname_servers() { { cat /run/systemd/resolve/resolv.conf 2>/dev/null || cat /etc/resolv.conf; } | sed -n 's/^nameserver //p' | tr '\\n' ' '; }\n\nresolves() { timeout 15 getent ahosts \"$1\" >/dev/null; }\n\nconnects() {\n  # shellcheck disable=SC2016 # expanded by the inner shell, from its arguments\n  timeout 10 /bin/bash -c 'exec 3<>\"/dev/tcp/$1/$2\"' connects \"$1\" \"$2\" 2>/dev/null\n}\n\n# reach NUMBER URL: the URL's host has an address and takes a connection.\nreach() {\n  local number=$1 url=$2 authority host port\n  authority=${url#*://}\n  authority=${authority%%/*}\n  case $authority in\n    \\[*\\]:*) host=${authority%%]*} host=${host#[} port=${authority##*:} ;;\n    \\[*\\]) host=${authority%]} host=${host#[} port= ;;\n    *:*) host=${authority%%:*} port=${authority##*:} ;;\n    *) host=$authority port= ;;\n  esac\n  if [ -z \"$port\" ]; then\n    case $url in\n      https:*) port=443 ;;\n      *) port=80 ;;\n    esac\n  fi\n  wait_for 20 resolves \"$host\" ||\n    fail_beyond_link 5 \"The name $host cannot be resolved. Name servers: $(name_servers)\"\n  wait_for 20 connects \"$host\" \"$port\" ||\n    fail_beyond_link \"$number\" \"No connection to $host, port $port.\"\n  printf 'ok: %s, port %s\\n' \"$host\" \"$port\"\n}\n\n# The registry of an image repository, as a URL; nothing where the name holds no host or containerd is told another way.\nregistry_url() {\n  local host=${IMAGE_REPOSITORY:-registry.k8s.io}\n  host=${host%%/*}\n  if [ -e \"/etc/containerd/certs.d/$host/hosts.toml\" ] || [ -e /etc/containerd/certs.d/_default/hosts.toml ]; then return 0; fi\n  case $host in\n    *.* | *:*) printf 'https://%s/\\n' \"$host\" ;;\n  esac\n}\n\nwait_for 30 has_card || fail 1 \"The machine has no network card.\"\nwait_for 45 has_address || fail 2 \"No network card has an address: $(ip -br address | tr -s ' \\n' ' ')\"\nwait_for 15 has_default_route || fail 3 \"There is an address, but no default route: $(ip route | tr '\\n' ';')\"\n\nif [ -n \"$APT_MIRROR\" ]; then\n  reach 6 \"$APT_MIRROR\"\nelse\n  # Not `indextargets`, which names only lists that are there already.\n  apt-get --print-uris update | sed -n \"s#^'\\(https\\?://[^/']*\\)/.*#\\1/#p\" | sort -u >\"$state/mirrors\"\n  while read -r mirror; do reach 6 \"$mirror\"; done <\"$state/mirrors\"\nfi\nif [ -n \"$KUBERNETES_VERSION\" ]; then\n  reach 7 \"$KUBERNETES_REPOSITORY\"\n  registry=$(registry_url)\n  if [ -n \"$registry\" ]; then reach 7 \"$registry\"; fi\nfi\n";

// src/guest/scripts/package-lists.sh
var package_lists_default = "#!/bin/bash\n# The package lists, from the image's own sources or from the mirror that stands in for them.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n# shellcheck source=apt.sh\n. /var/lib/kubehenge-build/apt.sh\n\n# bootcmd has masked them in /run before they could start; one that was quicker is stopped here.\n# shellcheck disable=SC2086 # a list of unit names\ntimeout 120 systemctl stop $QUIET_UNITS || true\n\nif [ -n \"$APT_MIRROR\" ]; then\n  rm -rf \"$mirrored_sources\"\n  mkdir -p \"$mirrored_sources\"\n  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources; do\n    [ -e \"$file\" ] || continue\n    sed -E \"s#https?://([A-Za-z0-9-]+\\.)*(archive|security|ports)\\.ubuntu\\.com/ubuntu(-ports)?/?([[:space:]]|$)#${APT_MIRROR%/}/\\4#g\" \\\n      \"$file\" >\"$mirrored_sources/${file##*/}\"\n  done\n  grep -rqF -- \"${APT_MIRROR%/}/\" \"$mirrored_sources\" ||\n    fail 1 \"None of the image's package sources names Ubuntu's archive, so the mirror $APT_MIRROR stands in for nothing.\"\n  # apt reads one-line sources only from names that end in .list\n  if [ -e \"$mirrored_sources/sources.list\" ]; then mv \"$mirrored_sources/sources.list\" \"$mirrored_sources/00-image.list\"; fi\nfi\n\n# A build that was interrupted by a reboot may have left packages half installed.\nif [ -n \"$(dpkg --audit)\" ]; then dpkg --force-confdef --force-confold --configure -a; fi\nupdate_lists 2 3\n";

// src/guest/scripts/run.sh
var run_default = "#!/bin/bash\n# Runs the steps of the build one after the other, each within its bound, and says which one it is in. Started by\n# kubehenge-build.service; after a reboot it starts again from the top, so every step can be done twice.\nset -Eeuo pipefail\n\nbuild=/var/lib/kubehenge-build\nstate=/run/kubehenge\n# shellcheck source=signal.sh\n. \"$build/signal.sh\"\n\n# A function, so that bash has read all of it before the last step removes this file.\nmain() {\n  local steps code bound name status\n  mkdir -p \"$state\"\n  exec </dev/null >>\"$state/log\" 2>&1\n  mapfile -t steps <\"$build/steps\"\n  for step in \"${steps[@]}\"; do\n    read -r code bound name <<<\"$step\"\n    rm -f \"$state/reason\"\n    printf '%s %s\\n' \"$code\" \"$name\" >\"$state/step\"\n    signal \"$code\" \"step=$name\"\n    printf '== %s, at most %s s\\n' \"$name\" \"$bound\"\n    status=0\n    timeout --kill-after=10 \"$bound\" /bin/bash \"$build/$name.sh\" || status=$?\n    case $status in\n      0) ;;\n      124 | 137)\n        printf 'FAILED: the step \"%s\" took longer than %s s.\\n' \"$name\" \"$bound\"\n        printf '8\\n' >\"$state/reason\"\n        exit 1\n        ;;\n      *) exit 1 ;;\n    esac\n  done\n  sync\n  # Only now: where a builder cannot see the marker disk, it takes the report's presence for the success.\n  mv \"$state/report-draft.json\" \"$state/report.json\"\n  signal 100 'prepared and sealed'\n}\n\nmain\nexit 0\n";

// src/guest/scripts/seal.sh
var seal_default = "#!/bin/bash\n# Takes away all that belongs to this boot and this machine, so that each clone's first boot is its own. The machine stays\n# up afterwards until the builder shuts it down: nothing that an orderly shutdown writes may bring any of it back.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n\n# Services that write to disk when they stop. Stopped now, they have nothing left to write at the shutdown.\nfor unit in containerd syslog.socket rsyslog.service systemd-random-seed systemd-update-utmp chrony systemd-timesyncd; do\n  if systemctl is-active --quiet \"$unit\"; then timeout 60 systemctl stop \"$unit\"; fi\ndone\n\n# The end of a getty is a record in wtmp, which an orderly shutdown would write after all logs were emptied.\ntimeout 60 systemctl stop 'getty@*.service' 'serial-getty@*.service' || true\n\n# The units that were quiet for the build are again as the image has them. The masks were in /run only.\n# shellcheck disable=SC2086 # a list of unit names\nsystemctl unmask --runtime --quiet $QUIET_UNITS\n\n# Packages: caches, lists (a mirror's too) and what apt remembers of its last runs.\napt-get clean\nfind /var/lib/apt/lists -mindepth 1 -delete\nrm -f /var/cache/apt/pkgcache.bin /var/cache/apt/srcpkgcache.bin /var/lib/apt/periodic/*\nrm -f /var/lib/systemd/timers/stamp-*\n\n# cloud-init: the instance, its logs, and what it wrote for this machine. Newer ones can also take back their files.\nclean=(--logs --machine-id)\nif cloud-init clean --help | grep -- --configs >/dev/null; then clean+=(--configs all); fi\ncloud-init clean \"${clean[@]}\"\nfind /var/lib/cloud -mindepth 1 -delete\nrm -f /etc/netplan/50-cloud-init.yaml /etc/network/interfaces.d/50-cloud-init /etc/systemd/network/10-cloud-init-* \\\n  /etc/udev/rules.d/70-persistent-net.rules /etc/udev/rules.d/85-persistent-net-cloud-init.rules \\\n  /etc/sudoers.d/90-cloud-init-users /etc/ssh/sshd_config.d/50-cloud-init.conf\n# What installers leave to keep cloud-init from a machine that they have set up.\nrm -f /etc/cloud/cloud-init.disabled /etc/cloud/ds-identify.cfg /etc/cloud/cloud.cfg.d/99-installer.cfg \\\n  /etc/cloud/cloud.cfg.d/90-installer-network.cfg /etc/cloud/cloud.cfg.d/curtin-preserve-sources.cfg \\\n  /etc/cloud/cloud.cfg.d/subiquity-disable-cloudinit-networking.cfg \\\n  /etc/cloud/cloud.cfg.d/00-subiquity-disable-cloudinit-networking.cfg\n\n# Names and identities. An empty machine-id, not a missing one or \"uninitialized\": with these the clone's boot runs\n# systemd's presets anew and takes twice as long.\n: >/etc/machine-id\nif [ ! -L /var/lib/dbus/machine-id ]; then rm -f /var/lib/dbus/machine-id; fi\nprintf 'localhost\\n' >/etc/hostname\nif [ -e /etc/hosts ]; then sed -i -E \"/[[:space:]]$BUILD_HOSTNAME([[:space:]]|\\$)/d\" /etc/hosts; fi\nrm -f /etc/ssh/ssh_host_* /var/lib/systemd/random-seed /var/lib/systemd/credential.secret /boot/efi/loader/random-seed\nrm -rf /var/lib/containerd/io.containerd.grpc.v1.introspection /var/lib/containerd/io.containerd.introspection.*\nif [ -e /usr/lib/open-iscsi/startup-checks.sh ]; then\n  printf 'GenerateName=yes\\n' >/etc/iscsi/initiatorname.iscsi\nelse\n  rm -f /etc/iscsi/initiatorname.iscsi\nfi\nfor folder in /var/lib/dhcp /var/lib/dhclient /var/lib/dhcpcd /var/lib/systemd/network /var/lib/systemd/timesync /var/lib/NetworkManager; do\n  if [ -d \"$folder\" ]; then find -L \"$folder\" -xdev -type f -delete; fi\ndone\n\n# People: keys, histories.\nfor home in /root /home/*; do\n  [ -d \"$home\" ] || continue\n  rm -rf \"$home/.ssh\" \"$home/.cache\" \"$home/.bash_history\" \"$home/.wget-hsts\"\ndone\n\n# The journal first gives up its folder, or it would write there again.\njournalctl --quiet --relinquish-var || true\nif [ -d /var/log/journal ]; then find /var/log/journal -mindepth 1 -delete; fi\nfind /var/log -type f \\( -name '*.gz' -o -name '*.xz' -o -name '*.[0-9]' -o -name '*.old' \\) -delete\nfind /var/log -type f -exec truncate --size=0 {} +\nrm -rf /var/crash/*\nfind /tmp /var/tmp -mindepth 1 -maxdepth 1 ! -name 'systemd-private-*' -exec rm -rf {} +\n\nno_match() { ! compgen -G \"$1\" >/dev/null; }\nempty_folder() { [ ! -d \"$1\" ] || [ -z \"$(find \"$1\" -mindepth 1 -print -quit)\" ]; }\nnot_masked() { [ \"$(readlink \"/etc/systemd/system/$1\")\" != /dev/null ]; }\nnowhere() { ! grep -rqiF -- \"$1\" /etc/netplan /etc/systemd /etc/udev /etc/network /etc/cloud /etc/apt /etc/hosts 2>/dev/null; }\ncheck 'an empty machine-id' test ! -s /etc/machine-id -a -e /etc/machine-id\ncheck 'no instance of cloud-init' empty_folder /var/lib/cloud\ncheck 'no host key' no_match '/etc/ssh/ssh_host_*'\ncheck \"no netplan file of cloud-init's\" test ! -e /etc/netplan/50-cloud-init.yaml\ncheck \"nothing that names the build's network card\" nowhere \"$BUILD_MAC\"\ncheck 'no package list' empty_folder /var/lib/apt/lists\ncheck 'no journal' empty_folder /var/log/journal\ncheck 'no random seed' test ! -e /var/lib/systemd/random-seed\nfor unit in $QUIET_UNITS; do check \"$unit not masked\" not_masked \"$unit\"; done\nfail_if_missing 1 'Left of the build'\n\n# Our own traces last: the unit that reports a failure lies among them.\nrm -f /etc/systemd/system/cloud-init.target.wants/kubehenge-build.service\nrmdir --ignore-fail-on-non-empty /etc/systemd/system/cloud-init.target.wants\nrm -rf /etc/systemd/system/kubehenge-build.service /etc/systemd/system/kubehenge-build.service.d \\\n  /etc/systemd/system/kubehenge-build-failed.service \"$build\"\nsync\nfstrim --all --verbose || printf 'The file systems could not be trimmed.\\n'\nsync\n";

// src/guest/scripts/signal.sh
var signal_default = "#!/bin/bash\n# How the guest speaks to the builder: a sector on the marker disk, whose number Proxmox VE shows without network or\n# guest agent, and a line on the serial console. Sourced.\n\n# The marker disk's device, or nothing.\nmarker_disk() {\n  local disk=/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi1 page\n  if [ -b \"$disk\" ]; then\n    printf '%s\\n' \"$disk\"\n    return\n  fi\n  # A udev that builds the link's name another way still leaves the name on the bus in SCSI's page 83.\n  for page in /sys/block/sd*/device/vpd_pg83; do\n    if grep -aqs 'drive-scsi1$' \"$page\" || grep -aqs 'drive-scsi1[^0-9]' \"$page\"; then\n      disk=${page#/sys/block/}\n      printf '/dev/%s\\n' \"${disk%%/*}\"\n      return\n    fi\n  done\n}\n\n# Standard input on every serial console there is; a console that nobody drains must not hold the build.\nto_console() {\n  local text port\n  text=$(tr -d '\\000' | sed 's/$/\\r/')\n  for port in /dev/ttyS0 /dev/ttyAMA0; do\n    [ -c \"$port\" ] || continue\n    printf '\\r\\n%s\\r\\n' \"$text\" | timeout 10 dd of=\"$port\" status=none 2>/dev/null || true\n  done\n}\n\n# signal CODE TEXT: the sector first, for it is what the builder waits for. The transient host name says the same where\n# only the guest agent can be asked; it is not written to /etc.\nsignal() {\n  local code=$1 disk\n  shift\n  disk=$(marker_disk)\n  if [ -n \"$disk\" ]; then\n    dd if=/dev/zero of=\"$disk\" bs=512 seek=\"$code\" count=1 oflag=direct conv=notrunc,nocreat status=none || true\n  fi\n  printf 'kubehenge-code-%s\\n' \"$code\" >/proc/sys/kernel/hostname || true\n  printf 'KUBEHENGE code=%s uptime=%s %s\\n' \"$code\" \"$(cut -d' ' -f1 /proc/uptime)\" \"$*\" | to_console\n}\n";

// src/guest/scripts/step.sh
var step_default = "#!/bin/bash\n# What every step begins with: the settings, and the ways to fail, to wait and to warn. Sourced.\n# shellcheck disable=SC2034 # the scripts that source this use the variables\nset -Eeuo pipefail\nexport LC_ALL=C\n\nbuild=/var/lib/kubehenge-build\nstate=/run/kubehenge\n# shellcheck source=/dev/null\n. \"$build/settings\"\n# shellcheck source=fail.sh\n. \"$build/fail.sh\"\n\n# warn TEXT: goes into the report.\nwarn() {\n  printf 'Warning: %s\\n' \"$*\"\n  printf '%s\\n' \"$*\" >>\"$state/warnings\"\n}\n\n# check WHAT COMMAND...: remembers WHAT in `missing` when the command fails.\nmissing=()\ncheck() {\n  local what=$1\n  shift\n  if \"$@\" >/dev/null 2>&1; then\n    printf 'ok: %s\\n' \"$what\"\n  else\n    printf 'MISSING: %s\\n' \"$what\"\n    missing+=(\"$what\")\n  fi\n}\n\n# fail_if_missing NUMBER TEXT: ends the step when a check failed, naming each.\nfail_if_missing() {\n  local number=$1 text=$2 list\n  if [ \"${#missing[@]}\" -eq 0 ]; then return 0; fi\n  list=$(printf '; %s' \"${missing[@]}\")\n  fail \"$number\" \"$text: ${list#; }\"\n}\n\n# The images that kubeadm of the wanted version names, one a line.\nkubeadm_images() {\n  kubeadm config images list --kubernetes-version \"$KUBERNETES_VERSION\" \\\n    ${IMAGE_REPOSITORY:+--image-repository \"$IMAGE_REPOSITORY\"}\n}\n";

// src/guest/scripts/upgrade.sh
var upgrade_default = "#!/bin/bash\n# Every package at its newest. The kernel too: a clone boots the new one, this boot stays with the old.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n# shellcheck source=apt.sh\n. /var/lib/kubehenge-build/apt.sh\n\napt_get full-upgrade || fail 1 \"The upgrade of all packages failed; see apt's lines above.\"\napt_get autoremove --purge || fail 1 \"What is no longer needed cannot be removed; see apt's lines above.\"\n";

// src/guest/scripts/verify.sh
var verify_default = "#!/bin/bash\n# Proves each promise of the template, names what does not hold, and drafts the report; it counts when all is sealed.\n# shellcheck source=step.sh\n. /var/lib/kubehenge-build/step.sh\n# shellcheck source=apt.sh\n. /var/lib/kubehenge-build/apt.sh\n\ninstalled() { dpkg-query -W -f '${db:Status-Status}' \"$1\" 2>/dev/null | grep -x installed >/dev/null; }\nat_version() { installed \"$1\" && [ \"$(dpkg-query -W -f '${Version}' \"$1\")\" = \"$2\" ]; }\nheld() { apt-mark showhold | grep -x \"$1\" >/dev/null; }\nno_output() { [ -z \"$(\"$@\" 2>&1)\" ]; }\nactive() { systemctl is-active --quiet \"$1\"; }\nenabled() { [ \"$(systemctl is-enabled \"$1\")\" = enabled ]; }\ninactive() { [ \"$(systemctl is-active \"$1\")\" = inactive ]; }\ngone() { [ ! -e \"$1\" ]; }\nno_swap() { [ \"$(wc -l </proc/swaps)\" -le 1 ] && ! grep -qE '^[^#]+[[:space:]]swap[[:space:]]' /etc/fstab; }\nsetting() { [ \"$(sysctl -n \"$1\")\" = \"$2\" ]; }\n\n# cloud-init from 23.4 on ends with 2 for warnings; only 1 says that it failed.\ncloud_init=$(timeout 120 cloud-init status --wait --long 2>&1) && status=0 || status=$?\ncloud_init_state=$(printf '%s\\n' \"$cloud_init\" | awk -F': ' '\n  $1 ~ /^\\.*status$/ && !plain { plain = $2 }\n  $1 == \"extended_status\" && !extended { extended = $2 }\n  END { print extended ? extended : plain }')\ncase $status in\n  0) printf 'ok: cloud-init: %s\\n' \"$cloud_init_state\" ;;\n  2) warn \"cloud-init in the build's boot: $cloud_init_state\" && printf '%s\\n' \"$cloud_init\" ;;\n  *)\n    printf '%s\\n' \"$cloud_init\"\n    missing+=(\"a boot without errors of cloud-init: $(printf '%s' \"$cloud_init\" | tr '\\n' ' ' | tr -s '. ' | cut -c1-300)\")\n    ;;\nesac\n\nrun_apt_get --simulate full-upgrade >\"$state/simulated-upgrade\" || fail 1 \"apt cannot say whether upgrades are left.\"\npending=$(awk '$1 == \"Inst\" && count++ < 20 { printf \"%s \", $2 }' \"$state/simulated-upgrade\")\nif [ -n \"$pending\" ]; then missing+=(\"the newest version of: $pending\"); fi\ncheck 'all packages whole (dpkg --audit)' no_output dpkg --audit\ncheck 'the package qemu-guest-agent' installed qemu-guest-agent\ncheck \"the guest agent's port (the VM's option agent)\" test -e /dev/virtio-ports/org.qemu.guest_agent.0\ncheck 'the guest agent running' active qemu-guest-agent.service\ncheck 'the command curl' command -v curl\ncheck 'the certificates of public authorities' test -s /etc/ssl/certs/ca-certificates.crt\n\n# GRUB takes the first entry, which is the newest kernel unless somebody has set it otherwise.\nkernel=$(find /boot -maxdepth 1 -name 'vmlinuz-*' -printf '%f\\n' | sed 's/^vmlinuz-//' | sort -V | tail -n 1)\nif [ -n \"$kernel\" ] && [ -e /boot/grub/grub.cfg ]; then\n  default=$(awk 'match($0, /vmlinuz-[^ \\t]+/) { print substr($0, RSTART, RLENGTH); exit }' /boot/grub/grub.cfg)\n  check \"the newest kernel $kernel as GRUB's first (found: ${default#vmlinuz-})\" test \"$default\" = \"vmlinuz-$kernel\"\n  check \"the modules of kernel $kernel\" test -d \"/lib/modules/$kernel\"\nfi\n\nif [ -n \"$KUBERNETES_VERSION\" ]; then\n  check \"kubeadm $KUBEADM_PACKAGE\" at_version kubeadm \"$KUBEADM_PACKAGE\"\n  check \"kubelet $KUBELET_PACKAGE\" at_version kubelet \"$KUBELET_PACKAGE\"\n  check \"kubectl $KUBECTL_PACKAGE\" at_version kubectl \"$KUBECTL_PACKAGE\"\n  check \"cri-tools $CRI_TOOLS_PACKAGE\" at_version cri-tools \"$CRI_TOOLS_PACKAGE\"\n  if [ -n \"$KUBERNETES_CNI_PACKAGE\" ]; then\n    check \"kubernetes-cni $KUBERNETES_CNI_PACKAGE\" at_version kubernetes-cni \"$KUBERNETES_CNI_PACKAGE\"\n  fi\n  for package in kubeadm kubelet kubectl cri-tools kubernetes-cni; do\n    check \"$package held\" held \"$package\"\n  done\n  for package in containerd conntrack ethtool iptables socat; do\n    check \"the package $package\" installed \"$package\"\n  done\n  check \"kubeadm that calls itself $KUBERNETES_VERSION\" test \"$(kubeadm version -o short)\" = \"$KUBERNETES_VERSION\"\n  check \"kubelet that calls itself $KUBERNETES_VERSION\" test \"$(kubelet --version)\" = \"Kubernetes $KUBERNETES_VERSION\"\n  check 'kubelet enabled' enabled kubelet.service\n  check 'kubelet not started' inactive kubelet.service\n  check 'no file of a started kubelet' gone /var/lib/kubelet/pki\n  check 'containerd enabled' enabled containerd.service\n  check 'containerd running' active containerd.service\n  containerd config dump >\"$state/config-dump\" 2>/dev/null || true\n  check \"systemd's cgroups in containerd\" grep -q 'SystemdCgroup = true' \"$state/config-dump\"\n  check \"the sandbox image $(cat \"$state/sandbox\") in containerd\" grep -qF \"$(cat \"$state/sandbox\")\" \"$state/config-dump\"\n  check 'no swap' no_swap\n  check 'the kernel module overlay' grep -qw overlay /proc/filesystems\n  check 'net.ipv4.ip_forward = 1' setting net.ipv4.ip_forward 1\n  check 'net.bridge.bridge-nf-call-iptables = 1' setting net.bridge.bridge-nf-call-iptables 1\n  ctr --namespace k8s.io images check -q >\"$state/whole-images\" 2>/dev/null || true\n  while read -r image; do\n    check \"the image $image\" grep -qxF -- \"$image\" \"$state/whole-images\"\n  done <\"$state/images\"\nfi\n\nfail_if_missing 1 'Not as promised'\n\n# Words that go into JSON: printable ASCII without quotes and backslashes, which no package name or version has.\nplain() { tr -cd ' !#-[]-~' | cut -c1-400; }\nstring_list() {\n  local line comma=\n  while IFS= read -r line; do\n    line=$(printf '%s' \"$line\" | plain)\n    printf '%s\"%s\"' \"$comma\" \"$line\"\n    comma=,\n  done\n}\ntouch \"$state/warnings\" \"$state/images\"\n# What a tag means changes; the digest that the registry gave with it does not.\nctr --namespace k8s.io images ls >\"$state/image-list\" 2>/dev/null || true\nwith_digests() {\n  local image digest\n  while IFS= read -r image; do\n    digest=$(awk -v ref=\"$image\" '$1 == ref && $3 ~ /^sha256:/ { print $3; exit }' \"$state/image-list\")\n    printf '%s\\n' \"$image${digest:+@$digest}\"\n  done\n}\n{\n  printf '{\"kernel\":\"%s\",' \"$(printf '%s' \"${kernel:-$(uname -r)}\" | plain)\"\n  printf '\"cloudInit\":\"%s\",' \"$(printf '%s' \"$cloud_init_state\" | plain)\"\n  printf '\"packages\":{'\n  dpkg-query -W -f '${db:Status-Status} ${binary:Package} ${Version}\\n' |\n    awk '$1 == \"installed\" { printf \"%s\\\"%s\\\":\\\"%s\\\"\", comma, $2, $3; comma = \",\" }'\n  printf '},\"images\":['\n  with_digests <\"$state/images\" | string_list\n  printf '],\"warnings\":['\n  string_list <\"$state/warnings\"\n  printf ']}\\n'\n} >\"$state/report-draft.json\"\n";

// src/guest/units/kubehenge-build-failed.service
var kubehenge_build_failed_default = "[Unit]\nDescription=Report that this machine could not be prepared as a template\n\n[Service]\nType=oneshot\nExecStart=/bin/bash /var/lib/kubehenge-build/failed.sh\nTimeoutStartSec=60\n";

// src/guest/units/kubehenge-build.service
var kubehenge_build_default = "[Unit]\nDescription=Prepare this machine as a template\nAfter=cloud-final.service network-online.target\nWants=network-online.target\nOnFailure=kubehenge-build-failed.service\nStartLimitIntervalSec=0\n\n[Service]\nType=oneshot\nExecStart=/bin/bash /var/lib/kubehenge-build/run.sh\nTimeoutStopSec=20\n\n[Install]\n# Not multi-user.target: cloud-final.service comes after it, which would be a cycle.\nWantedBy=cloud-init.target\n";

// src/guest/user-data.ts
function userData(plan) {
	return `#cloud-config\n${yamlText({
		users: [""],
		ssh_genkeytypes: ["ed25519"],
		no_ssh_fingerprints: true,
		ssh: { emit_keys_to_console: false },
		bootcmd: [
			[
				"systemctl",
				"mask",
				"--runtime",
				"--quiet",
				...quietUnits
			],
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
		write_files: files(plan).map(([path, content]) => ({
			path,
			permissions: "0644",
			content
		})),
		runcmd: [
			["systemctl", "daemon-reload"],
			[
				"systemctl",
				"enable",
				"kubehenge-build.service"
			],
			[
				"systemctl",
				"start",
				"--no-block",
				"kubehenge-build.service"
			]
		]
	})}`;
}
function files(plan) {
	const inBuildFolder = [
		["settings", settingsFile(plan)],
		["steps", stepsFile(guestSteps(plan))],
		["run.sh", run_default],
		["failed.sh", failed_default],
		["signal.sh", signal_default],
		["fail.sh", fail_default],
		["step.sh", step_default],
		["apt.sh", apt_default],
		["network.sh", network_default],
		["package-lists.sh", package_lists_default],
		["agent.sh", agent_default],
		["upgrade.sh", upgrade_default],
		["verify.sh", verify_default],
		["seal.sh", seal_default]
	];
	if (plan.kubernetes !== void 0) inBuildFolder.push(["kubernetes.asc", `${plan.kubernetes.keyArmored.replaceAll("\r", "").trimEnd()}\n`], ["kubernetes-packages.sh", kubernetes_packages_default], ["kubernetes-node.sh", kubernetes_node_default], ["containerd-config.sh", containerd_config_default], ["kubernetes-images.sh", kubernetes_images_default]);
	const units = [
		["kubehenge-build.service", kubehenge_build_default],
		["kubehenge-build.service.d/timeout.conf", `[Service]\nTimeoutStartSec=${plan.timeoutSeconds}\n`],
		["kubehenge-build-failed.service", kubehenge_build_failed_default]
	];
	return [...inBuildFolder.map(([name, content]) => [`${buildFolder}/${name}`, content]), ...units.map(([name, content]) => [`/etc/systemd/system/${name}`, content])];
}

// src/guest/seed.ts
function seedFiles(plan) {
	const checked = checkPlan(plan);
	return {
		"user-data": userData(checked),
		"meta-data": yamlText({
			"instance-id": checked.instanceId,
			"local-hostname": checked.hostname
		}),
		"network-config": networkConfig(checked.mac, checked.network)
	};
}
function seedIso(plan, created) {
	return writeSeed(seedFiles(plan), created);
}

// src/templates/seed.ts
const attempts = 3;
async function uploadSeed(proxmox, job, mac, undo) {
	const plan = guestPlan(job, mac, proxmox.clock.now());
	return {
		...await uploadSeedIso(proxmox, job, seedIso(plan, new Date(proxmox.clock.now())), undo),
		steps: guestSteps(plan)
	};
}
async function uploadSeedIso(proxmox, { place, build }, bytes, undo) {
	const storage = place.iso?.name;
	if (storage === void 0) throw new Error("a guest boots, but no ISO storage was chosen");
	const fileName = seedFileName(build);
	const volume = `${storage}:iso/${fileName}`;
	const remnant = {
		kind: "volume",
		node: place.node,
		volume
	};
	const whole = {
		...remnant,
		whole: true
	};
	undo.push(remnant);
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	for (let attempt = 1;; attempt += 1) try {
		const upid = await uploadIso(proxmox, place.node, storage, {
			fileName,
			bytes,
			sha256
		});
		undo.push({
			...remnant,
			upid
		});
		await waitForTask(proxmox, upid, { doing: `uploading the seed ISO to ${storage} on node ${place.node}` });
		break;
	} catch (error) {
		if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
		if ((await listVolumes(proxmox, place.node, storage, "iso")).some((one) => one.id === volume && one.sizeBytes === bytes.length)) break;
	}
	undo.push(whole);
	return {
		volume,
		remnant: whole
	};
}
function guestPlan(job, mac, nowMs) {
	const { request, target, ingredients } = job;
	const kubernetes = ingredients.guest?.kubernetes;
	const seconds = Math.floor((job.deadlineMs - nowMs) / 1e3);
	if (seconds < 120) throw new Failure("deadline", `Only ${seconds} s are left of the run's time for preparing ${target.title}`, { remedy: ["--timeout MINUTES"] });
	return {
		instanceId: `kubehenge-${job.build}`,
		hostname: "kubehenge-build",
		mac,
		network: request.network,
		...request.aptMirror ? { aptMirror: request.aptMirror } : {},
		...kubernetes ? { kubernetes: {
			...kubernetes,
			...request.imageRepository ? { imageRepository: request.imageRepository } : {}
		} } : {},
		timeoutSeconds: Math.min(seconds, 86400)
	};
}

// src/templates/guest-watch.ts
const firstPollMs = 500;
const slowestPollMs = 3e3;
const pollsPerTimePassed = 16;
const lastStepPollMs = 1e3;
const patience = 10;
async function watchGuest(proxmox, guest) {
	const { clock, signal } = proxmox;
	let pause = firstPollMs;
	const started = clock.now();
	let seen = { kind: "nothing" };
	let since = clock.now();
	let blind = 0;
	for (;;) {
		await clock.sleep(pause, signal);
		const status = await readStatus(proxmox, guest.node, guest.vmid);
		blind = status.status === "running" && status.blockstat === void 0 ? blind + 1 : 0;
		if (blind === 11) guest.onStep("Proxmox VE shows no block statistics: its guest agent is asked instead");
		const now = blind > patience ? await askAgent(proxmox, guest) : readSignal(guest.steps, status.blockstat?.[markerDevice]?.wr_highest_offset);
		if (now.kind === "done") return;
		if (status.status === "stopped") throw await poweredOff(proxmox, guest, seen, status);
		if (now.kind === "failed") {
			guest.onSignal?.(now);
			throw await failed(proxmox, guest, now);
		}
		if (now.kind === "step" && (seen.kind !== "step" || seen.code !== now.code)) {
			seen = now;
			since = clock.now();
			guest.onSignal?.(now);
			guest.onStep(now.step.title);
		}
		const bound = (seen.kind === "step" ? seen.step.boundSeconds : 300) * 1e3;
		if (clock.now() - since > bound) throw await silent(proxmox, guest, seen, status, bound);
		const slowest = seen.kind === "step" && seen.code === guest.steps.at(-1)?.code ? lastStepPollMs : slowestPollMs;
		pause = Math.min(Math.max((clock.now() - started) / pollsPerTimePassed, firstPollMs), slowest);
	}
}
async function askAgent(proxmox, guest) {
	try {
		return readHostNameSignal(guest.steps, await readGuestHostName(proxmox, guest.node, guest.vmid));
	} catch (error) {
		if (!(error instanceof ProxmoxError)) throw error;
		if (error.status !== 403) return { kind: "nothing" };
		throw new Failure("access", `VM ${guest.vmid}: Proxmox VE shows no block statistics of it, and its guest agent may not be asked instead: ${error.reason}`, {
			remedy: error.remedy,
			cause: error
		});
	}
}
async function failed(proxmox, guest, signal) {
	const why = signal.reason ? `: ${signal.reason.title}` : "";
	return new Failure("verification", `The guest of VM ${guest.vmid} failed while ${signal.step.title}${why} (code ${signal.code})`, {
		remedy: [...signal.reason?.remedy ? [signal.reason.remedy] : [], inspectionHint],
		evidence: await lastWords(proxmox, guest)
	});
}
async function poweredOff(_proxmox, guest, seen, status) {
	return new Failure("verification", `VM ${guest.vmid} is switched off (${status.qmpstatus ?? status.status}), but its guest had not proven itself: ${lastSeen(seen)}`, { remedy: ["somebody or something has stopped it, or its guest has crashed: the node's task log and journal tell", inspectionHint] });
}
async function silent(proxmox, guest, seen, status, bound) {
	const read = (status.blockstat?.["ide2"] ?? status.blockstat?.["ide0"] ?? status.blockstat?.["scsi2"])?.rd_bytes ?? 0;
	const about = seen.kind === "step" ? lastSeen(seen) : read > 2048 ? "it has read its seed, but nothing of it ran" : "it has not read its seed: it does not boot, or finds no data source";
	return new Failure("deadline", `The guest of VM ${guest.vmid} has shown nothing new for ${sayDuration(bound)}, the bound of this step: ${about}`, {
		remedy: [inspectionHint],
		evidence: await lastWords(proxmox, guest)
	});
}
function lastSeen(seen) {
	return seen.kind === "step" ? `it was last seen ${seen.step.title} (code ${seen.code})` : "it never said anything";
}
const inspectionHint = "run again with --keep-on-failure (keep-on-failure: true), then start the kept VM and open its console: the guest prints its log there";
async function lastWords(proxmox, guest) {
	try {
		return lastLines(await readGuestFile(proxmox, guest.node, guest.vmid, logPath));
	} catch (error) {
		if (error instanceof ProxmoxError && error.status === 403) return [`(the guest's log could not be read: ${error.reason})`];
		return [];
	}
}
async function readReport(proxmox, guest) {
	try {
		return parseReport(await readGuestFile(proxmox, guest.node, guest.vmid, reportPath));
	} catch (error) {
		if (error instanceof ProxmoxError) return void 0;
		throw error;
	}
}

// src/templates/smoke-failure.ts
var SmokeFailure = class extends Failure {
	proofs;
	constructor(why, proofs) {
		super(why.kind, why.message, {
			remedy: why.remedy,
			evidence: why.evidence,
			cause: why
		});
		this.proofs = proofs;
	}
};

export { newMac as _, uploadSeed as a, fail_default as c, ethernet as d, yamlText as f, createParameters as g, seedStepName as h, watchGuest as i, shellQuoted as l, lastLines as m, inspectionHint as n, uploadSeedIso as o, markerDisk as p, readReport as r, signal_default as s, SmokeFailure as t, writeSeed as u, seedDrive as v, strippedParameters as y };