import { Ct as inEnglish, D as exactVersion, Et as shownUrl, Gt as optional, It as array, O as isExact, Qt as transform, Wt as object, Zt as string, in as _regex, ln as NEVER, on as _trim, qt as pipe, un as Failure } from "./core.mjs";
import "./http.mjs";
import { t as releasedTags } from "./newest.mjs";
import { t as Once } from "./once.mjs";
import { n as upstreamUrl, t as publicUpstreamUrl } from "./upstream-url.mjs";
import { a as noneFits, i as nearestVersions, n as matchingVersions, r as mayFitMinor, t as checkSelector } from "./versions.mjs";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { a as readKey, o as KeyExpired, t as verifyClearsigned } from "./trust.mjs";

// src/sources/kubernetes/debian-version.ts
function compareDebianVersions(left, right) {
	const a = split(left);
	const b = split(right);
	return a.epoch - b.epoch || compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision);
}
function split(version) {
	const [, epoch = "0", rest = version] = /^(\d+):(.*)$/.exec(version) ?? [];
	const dash = rest.lastIndexOf("-");
	return {
		epoch: Number(epoch),
		upstream: dash < 0 ? rest : rest.slice(0, dash),
		revision: dash < 0 ? "" : rest.slice(dash + 1)
	};
}
function compareParts(left, right) {
	let a = left;
	let b = right;
	while (a !== "" || b !== "") {
		const [aText = ""] = /^\D*/.exec(a) ?? [];
		const [bText = ""] = /^\D*/.exec(b) ?? [];
		const byText = compareText(aText, bText);
		if (byText !== 0) return byText;
		const [aDigits = ""] = /^\d*/.exec(a.slice(aText.length)) ?? [];
		const [bDigits = ""] = /^\d*/.exec(b.slice(bText.length)) ?? [];
		const byNumber = Number(aDigits || 0) - Number(bDigits || 0);
		if (byNumber !== 0) return byNumber;
		a = a.slice(aText.length + aDigits.length);
		b = b.slice(bText.length + bDigits.length);
	}
	return 0;
}
function compareText(left, right) {
	for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
		const difference = rank(left[at]) - rank(right[at]);
		if (difference !== 0) return difference;
	}
	return 0;
}
function rank(sign) {
	if (sign === "~") return -1;
	if (sign === void 0) return 0;
	const code = sign.codePointAt(0) ?? 0;
	return /[A-Za-z]/.test(sign) ? code : code + 256;
}

// src/sources/kubernetes/deb822.ts
function* paragraphs(text) {
	let fields = /* @__PURE__ */ new Map();
	let last;
	let number = 0;
	for (const line of text.split("\n")) {
		number += 1;
		if (/^\s*$/.test(line)) {
			if (fields.size > 0) yield fields;
			fields = /* @__PURE__ */ new Map();
			last = void 0;
		} else if (line.startsWith(" ") || line.startsWith("	")) {
			if (last === void 0) throw new SyntaxError(`line ${number} continues nothing`);
			fields.set(last, `${fields.get(last) ?? ""}\n${line.slice(1)}`);
		} else last = field(fields, line, number);
	}
	if (fields.size > 0) yield fields;
}
function field(fields, line, number) {
	const [, name, value] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? [];
	if (name === void 0 || name.startsWith("-") || name.startsWith("#")) throw new SyntaxError(`line ${number} is no field`);
	const key = name.toLowerCase();
	if (fields.has(key)) throw new SyntaxError(`line ${number} has the field ${name} again`);
	fields.set(key, value ?? "");
	return key;
}

// src/sources/kubernetes/schema.ts
const line = pipe(string().check(_regex(/^\s*[0-9a-f]{64}\s+\d{1,12}\s+[!-~]+$/)), transform((text) => {
	const [sha256 = "", size = "0", name = ""] = text.trim().split(/\s+/);
	return {
		sha256,
		size: Number(size),
		name: name.replace(/^\.\//, "")
	};
}));
const releaseFile = pipe(object({
	sha256: pipe(string(), transform((text) => text.split("\n").filter((part) => part.trim() !== ""))),
	"valid-until": optional(string())
}), transform((fields, context) => {
	const files = array(line).safeParse(fields.sha256);
	const until = fields["valid-until"] === void 0 ? void 0 : Date.parse(fields["valid-until"]);
	if (files.success && !Number.isNaN(until)) return {
		files: files.data,
		validUntil: until === void 0 ? void 0 : new Date(until)
	};
	context.issues.push({
		code: "custom",
		message: files.success ? "Valid-Until is no date" : "a line of SHA256 is no digest, size and name",
		input: fields
	});
	return NEVER;
}));
const packageEntry = pipe(object({
	package: string().check(_regex(/^[a-z0-9][a-z0-9+.-]+$/)),
	version: string().check(_regex(/^(\d+:)?\d[A-Za-z0-9.+~-]*$/)),
	architecture: string().check(_regex(/^[a-z0-9-]+$/))
}), transform((fields) => ({
	name: fields.package,
	version: fields.version,
	arch: fields.architecture
})));
const versionFile = string().check(_trim(), _regex(/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/));

// src/sources/kubernetes/repository.ts
const mirrorOption = "--kubernetes-packages-url";
const indexBytes = 4194304;
const remedy = ["Nothing was taken from it. If it is a mirror, compare it with https://pkgs.k8s.io; otherwise try again later."];
function repositoryUrl(packagesUrl, minor) {
	return `${packagesUrl}/core:/stable:/v${minor}/deb/`;
}
async function openRepository(http, minor, options) {
	try {
		return await readRepository(http, minor, options);
	} catch (error) {
		if (!(error instanceof Failure) || error.kind !== "verification" || error instanceof KeyExpired) throw error;
		return await readRepository(http, minor, options);
	}
}
async function readRepository(http, minor, options) {
	const url = repositoryUrl(options.packagesUrl, minor);
	const get = (name) => http(`${url}${name}`, {
		expect: [403, 404],
		maxBytes: indexBytes,
		mirrorOption
	});
	const [keyFile, release, compressed] = await Promise.all([
		get("Release.key"),
		get("InRelease"),
		get("Packages.gz")
	]);
	if (!isThere(release)) throw unpublished(minor, url, release.status);
	const key = await currentKey(http, minor, keyFile, options);
	const subject = `${shownUrl(url)}InRelease`;
	const { data, ...verified } = await verifyClearsigned({
		message: release.body,
		keyring: Buffer.from(key.armored),
		fingerprints: [key.fingerprint],
		now: options.now(),
		subject
	});
	return {
		url,
		key,
		verified,
		packages: [...packagesOf(await provenIndex(indexFiles(data, options.now(), subject), compressed, () => get("Packages"), subject), `${shownUrl(url)}Packages`)]
	};
}
function isThere(answer) {
	return answer.status >= 200 && answer.status < 300;
}
async function currentKey(http, minor, own, options) {
	const read = async (answer, at) => {
		const subject = `${shownUrl(repositoryUrl(options.packagesUrl, at))}Release.key`;
		if (!isThere(answer)) throw new Failure("verification", `${subject} is answered ${answer.status}: without its key nothing of the repository can be proven.`, { remedy });
		return await readKey({
			bytes: answer.body,
			fingerprint: options.keyFingerprint,
			now: options.now(),
			subject
		});
	};
	try {
		return await read(own, minor);
	} catch (error) {
		if (!(error instanceof KeyExpired)) throw error;
		const newest = await options.newestMinor();
		if (newest === minor) throw error;
		return await read(await http(`${repositoryUrl(options.packagesUrl, newest)}Release.key`, {
			expect: [403, 404],
			maxBytes: indexBytes,
			mirrorOption
		}), newest);
	}
}
function indexFiles(data, now, subject) {
	const { files, validUntil } = releaseOf(data, subject);
	if (validUntil !== void 0 && validUntil.getTime() <= now.getTime()) throw new Failure("verification", `${subject} is not accepted: it was valid until ${validUntil.toISOString().slice(0, 16)}Z only.`, { remedy });
	return files;
}
function releaseOf(data, subject) {
	try {
		const [first = /* @__PURE__ */ new Map(), second] = [...paragraphs(data)];
		if (second !== void 0) throw new SyntaxError("it has several paragraphs");
		return releaseFile.parse(Object.fromEntries(first), inEnglish);
	} catch (error) {
		throw new Failure("verification", `${subject} is not accepted: it is signed, and is no Release file.`, {
			remedy,
			cause: error
		});
	}
}
async function provenIndex(files, compressed, plain, subject) {
	const named = (name) => files.find((file) => file.name === name);
	const small = named("Packages.gz");
	if (small !== void 0 && isThere(compressed)) {
		const bytes = proven(small, compressed, subject);
		try {
			return (await promisify(gunzip)(bytes, { maxOutputLength: indexBytes * 4 })).toString("utf8");
		} catch (error) {
			throw new Failure("verification", `${subject} is not accepted: ${`its Packages.gz has the right digest, and cannot be unpacked into ${indexBytes * 4} bytes`}.`, {
				remedy,
				cause: error
			});
		}
	}
	const large = named("Packages");
	if (large === void 0) throw new Failure("verification", `${subject} is not accepted: it names no package index.`, { remedy });
	return Buffer.from(proven(large, await plain(), subject)).toString("utf8");
}
function proven(file, answer, subject) {
	const sha256 = createHash("sha256").update(answer.body).digest("hex");
	if (isThere(answer) && answer.body.length === file.size && sha256 === file.sha256) return answer.body;
	throw new Failure("verification", `${file.name} of ${shownUrl(answer.url)} is not what ${subject} says: ${answer.body.length} bytes with SHA-256 ${sha256}.`, { remedy });
}
function* packagesOf(index, subject) {
	try {
		for (const paragraph of paragraphs(index)) yield packageEntry.parse(Object.fromEntries(paragraph), inEnglish);
	} catch (error) {
		throw new Failure("verification", `${subject} is not accepted: its digest is right, and it is no package index.`, {
			remedy,
			cause: error
		});
	}
}
function unpublished(minor, url, status) {
	return new Failure("not-found", `Kubernetes ${minor} has no packages yet: ${shownUrl(url)} is answered ${status}.`, { remedy: ["Packages come some time after a release; take a version of the minor before, or a mirror that has it (--kubernetes-packages-url)."] });
}

// src/sources/kubernetes/index.ts
const kubernetesKeyFingerprint = "DE15B14486CD377B9E876E1A234654DA9A296436";
const releasesOption = "--kubernetes-releases-url";
const repositoryOnGitHub = "kubernetes/kubernetes";
const minorsTried = 3;
function kubernetesSource(http, github, options) {
	const packagesUrl = publicUpstreamUrl(options.packagesUrl ?? "https://pkgs.k8s.io", "--kubernetes-packages-url");
	const releasesUrl = upstreamUrl(options.releasesUrl ?? "https://dl.k8s.io", releasesOption);
	const repositories = new Once();
	const channels = new Once();
	const stable = (minor) => channels.get(minor ?? "", async () => {
		const url = `${releasesUrl}/release/stable${minor === void 0 ? "" : `-${minor}`}.txt`;
		const answer = await http(url, {
			maxBytes: 1024,
			expect: minor === void 0 ? [] : [404],
			mirrorOption: releasesOption
		});
		if (answer.status === 404) return void 0;
		const parsed = versionFile.safeParse(answer.text(), inEnglish);
		if (parsed.success) return parsed.data;
		throw new Failure("failure", `${shownUrl(url)} did not answer with a version.`, { cause: parsed.error });
	});
	const newestStable = async () => await stable() ?? "";
	const repository = (minor) => repositories.get(minor, () => openRepository(http, minor, {
		packagesUrl,
		keyFingerprint: options.keyFingerprint ?? "DE15B14486CD377B9E876E1A234654DA9A296436",
		now: options.now,
		newestMinor: async () => minorOf(await newestStable())
	}));
	const packaged = async (candidates) => {
		const minors = [...new Set(candidates.map(minorOf))].slice(0, minorsTried);
		for (const minor of minors) {
			const there = await publishedVersions(repository(minor));
			const newest = candidates.find((candidate) => there.has(candidate));
			if (newest !== void 0) return newest;
		}
	};
	const resolveByTags = async (selector, tags) => {
		const candidates = matchingVersions(selector, tags);
		if (candidates.length === 0) throw noneFits(selector, tags, "Kubernetes");
		const version = await packaged(candidates);
		if (version !== void 0) return version;
		throw new Failure("not-found", `Kubernetes ${candidates[0]} fits ${JSON.stringify(selector)}, and ${shownUrl(packagesUrl)} has no packages of it.`, { remedy: ["Packages come some time after a release, and only of stable versions; take an older range."] });
	};
	const resolveByChannels = async (selector) => {
		const newest = await newestStable();
		const [first = "", last = "0"] = minorOf(newest).split(".");
		const seen = [newest];
		let tried = 0;
		for (let at = Number(last); at >= 0 && at > Number(last) - 12 && tried < minorsTried; at -= 1) {
			const minor = `${first}.${at}`;
			if (!mayFitMinor(selector, minor)) continue;
			tried += 1;
			const [channel, there] = await Promise.all([stable(minor), publishedVersions(repository(minor))]);
			if (channel === void 0) continue;
			seen.push(channel, ...there);
			const [match] = matchingVersions(selector, [...there].filter((version) => compareDebianVersions(version.slice(1), channel.slice(1)) <= 0));
			if (match !== void 0) return match;
		}
		throw noneFits(selector, seen, "Kubernetes");
	};
	return {
		resolve: async (selector = "latest") => {
			if (isExact(selector)) return exactVersion(selector);
			checkSelector(selector);
			const tags = await releasedTags(github, repositoryOnGitHub, selector);
			return tags === void 0 ? await resolveByChannels(selector) : await resolveByTags(selector, tags);
		},
		packages: async (given, arch) => {
			const version = exactVersion(given);
			const { url, key, verified, packages } = await repository(minorOf(version));
			const newestOf = (name, start = "") => packages.filter((entry) => entry.name === name && entry.arch === arch && entry.version.startsWith(start)).map((entry) => entry.version).toSorted(compareDebianVersions).at(-1);
			const need = (name, start) => {
				const found = newestOf(name, start);
				if (found !== void 0) return found;
				throw missing(name, version, arch, url, packages.filter((entry) => entry.name === name && entry.arch === arch).map((entry) => `v${upstreamOf(entry.version)}`));
			};
			const ours = `${version.slice(1)}-`;
			return {
				version,
				arch,
				repositoryUrl: url,
				key,
				kubeadm: need("kubeadm", ours),
				kubelet: need("kubelet", ours),
				kubectl: need("kubectl", ours),
				criTools: need("cri-tools"),
				kubernetesCni: need("kubernetes-cni"),
				verified
			};
		}
	};
}
function minorOf(version) {
	return version.replace(/^v/, "").split(".").slice(0, 2).join(".");
}
function upstreamOf(debianVersion) {
	return debianVersion.replace(/-[^-]*$/, "");
}
async function publishedVersions(repository) {
	const opened = await repository.catch((error) => {
		if (error instanceof Failure && error.kind === "not-found") return void 0;
		throw error;
	});
	const of = (name) => new Set((opened?.packages ?? []).filter((entry) => entry.name === name).map((entry) => `v${upstreamOf(entry.version)}`));
	const [kubelet, kubectl] = [of("kubelet"), of("kubectl")];
	return new Set([...of("kubeadm")].filter((version) => kubelet.has(version) && kubectl.has(version)));
}
function missing(name, version, arch, url, there) {
	const near = nearestVersions(version, there);
	return new Failure("not-found", `${shownUrl(url)} has no package ${name} of ${version} for ${arch}.`, { remedy: [near.length === 0 ? `It has no ${name} for ${arch} at all.` : `The nearest that there are: ${near.join(", ")}.`] });
}

export { kubernetesKeyFingerprint, kubernetesSource };