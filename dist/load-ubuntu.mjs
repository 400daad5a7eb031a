import { Et as shownUrl, Qt as transform, Zt as string, in as _regex, qt as pipe, un as Failure } from "./core.mjs";
import "./http.mjs";
import { i as ubuntuKeyring, n as verifyDetached, r as ubuntuFingerprint } from "./trust.mjs";
import { t as Once } from "./once.mjs";
import { t as publicUpstreamUrl } from "./upstream-url.mjs";

// src/sources/ubuntu/release.ts
const codenames = {
	focal: "20.04",
	jammy: "22.04",
	noble: "24.04",
	oracular: "24.10",
	plucky: "25.04",
	questing: "25.10",
	resolute: "26.04"
};
function parseSelector(selector) {
	const text = (selector ?? "latest").trim().toLowerCase();
	if (text === "latest") return {
		kind: "newest",
		fits: () => true
	};
	if (/^v?\d\d\.\d\d$/.test(text)) return {
		kind: "number",
		release: text.replace("v", "")
	};
	const known = Object.hasOwn(codenames, text) ? codenames[text] : void 0;
	if (known !== void 0) return {
		kind: "number",
		release: known
	};
	if (/^[a-z]{3,20}$/.test(text)) return {
		kind: "codename",
		codename: text
	};
	const comparisons = text.split(/\s+/).map((part) => /^(>=|<=|>|<|=)v?(\d\d\.\d\d)$/.exec(part));
	if (comparisons.some((comparison) => comparison === null)) throw nonsense(selector ?? "");
	return {
		kind: "newest",
		fits: (release) => comparisons.every((comparison) => comparison !== null && holds(release, comparison[1] ?? "", comparison[2] ?? ""))
	};
}
function possibleLts(now) {
	const year = now.getUTCFullYear() % 100;
	const afterApril = now.getUTCMonth() >= 3;
	const newest = year % 2 === 0 ? afterApril ? year : year - 2 : year - 1;
	const releases = [];
	for (let at = newest; at >= 20; at -= 2) releases.push(`${at}.04`);
	return releases;
}
function holds(release, operator, wanted) {
	switch (operator) {
		case ">=": return release >= wanted;
		case "<=": return release <= wanted;
		case ">": return release > wanted;
		case "<": return release < wanted;
		default: return release === wanted;
	}
}
function nonsense(selector) {
	return new Failure("usage", `${JSON.stringify(selector.slice(0, 80))} is not an Ubuntu release.`, { remedy: ["Releases are given as 26.04, noble, latest (the newest LTS) or \">=24.04\"; point releases (24.04.3) are part of 24.04."] });
}

// src/sources/ubuntu/schema.ts
const line = pipe(string().check(_regex(/^[0-9a-f]{64} [ *][A-Za-z0-9][A-Za-z0-9._+-]*$/)), transform((text) => ({
	sha256: text.slice(0, 64),
	name: text.slice(66)
})));
function parseSums(text, subject) {
	const sums = /* @__PURE__ */ new Map();
	const lines = text.split("\n");
	if (lines.pop() !== "" || lines.length === 0) throw broken(subject, "its last line is cut off, or it is empty");
	for (const [index, source] of lines.entries()) {
		const parsed = line.safeParse(source);
		if (!parsed.success) throw broken(subject, `line ${index + 1} is not a digest and a file name`);
		const { name, sha256 } = parsed.data;
		const known = sums.get(name);
		if (known !== void 0 && known !== sha256) throw broken(subject, `it has two digests for ${name}`);
		sums.set(name, sha256);
	}
	return sums;
}
function broken(subject, why) {
	return new Failure("verification", `${subject} is not accepted: ${why}.`, { remedy: ["Nothing was taken from it. If it comes from a mirror, compare it with https://cloud-images.ubuntu.com."] });
}

// src/sources/ubuntu/index.ts
const mirrorOption = "--ubuntu-url";
const listBytes = 524288;
function ubuntuSource(http, options) {
	const base = publicUpstreamUrl(options.url ?? "https://cloud-images.ubuntu.com", mirrorOption);
	const keys = options.keyring === void 0 ? {
		keyring: ubuntuKeyring,
		fingerprints: [ubuntuFingerprint]
	} : { keyring: options.keyring };
	const sums = new Once();
	const lists = new Once();
	const listUrl = (directory) => `${base}/releases/${directory}/release/SHA256SUMS`;
	const fetchSums = (directory) => sums.get(directory, async () => {
		const answer = await http(listUrl(directory), {
			expect: [404],
			maxBytes: listBytes,
			mirrorOption
		});
		return answer.status === 404 ? void 0 : answer.body;
	});
	const fetchList = async (directory) => {
		const url = listUrl(directory);
		const subject = shownUrl(url);
		const [data, signature] = await Promise.all([fetchSums(directory), http(`${url}.gpg`, {
			expect: [404],
			maxBytes: 65536,
			mirrorOption
		})]);
		if (data === void 0) throw new Failure("not-found", `Ubuntu ${directory} has no cloud image: ${subject} is not there.`, { remedy: ["See which releases there are: https://cloud-images.ubuntu.com/releases/"] });
		if (signature.status === 404) throw new Failure("verification", `${subject} is not accepted: its signature ${subject}.gpg is not there.`, { remedy: ["A mirror must carry SHA256SUMS.gpg beside SHA256SUMS, as Ubuntu publishes it."] });
		const proof = await verifyDetached({
			...keys,
			data,
			signature: signature.body,
			now: options.now(),
			subject
		});
		return {
			sums: parseSums(Buffer.from(data).toString("utf8"), subject),
			...proof,
			url: subject
		};
	};
	const list = (directory) => lists.get(directory, async () => {
		try {
			return await fetchList(directory);
		} catch (error) {
			if (!(error instanceof Failure) || error.kind !== "verification") throw error;
			sums.forget(directory);
			return await fetchList(directory);
		}
	});
	const newestLts = async (fits, selector) => {
		const candidates = possibleLts(options.now()).filter(fits);
		for (const candidate of candidates) if (await fetchSums(candidate) !== void 0) return candidate;
		throw new Failure("not-found", `No Ubuntu LTS release fits ${JSON.stringify(selector)} at ${shownUrl(base)}.`, { remedy: [candidates.length === 0 ? `LTS releases: ${possibleLts(options.now()).join(", ")}.` : `Asked for: ${candidates.join(", ")}.`] });
	};
	return {
		resolveRelease: async (selector) => {
			const wanted = parseSelector(selector);
			if (wanted.kind === "number") return wanted.release;
			if (wanted.kind === "newest") return await newestLts(wanted.fits, selector ?? "latest");
			return releaseOf(await list(wanted.codename), wanted.codename);
		},
		image: async (release, arch, { fresh = false } = {}) => {
			if (fresh) {
				sums.forget(release);
				lists.forget(release);
			}
			const { sums: digests, ...signed } = await list(release);
			const fileName = `ubuntu-${release}-server-cloudimg-${arch}.img`;
			const sha256 = digests.get(fileName);
			if (sha256 === void 0) throw noImage(fileName, digests.keys(), signed);
			const serial = serialOf(digests.keys(), release, arch);
			return {
				release,
				arch,
				url: `${base}/releases/${release}/release/${fileName}`,
				fileName,
				sha256,
				...serial === void 0 ? {} : { serial },
				signer: signed.signer,
				signedAt: signed.signedAt,
				listUrl: signed.url
			};
		}
	};
}
function releaseOf(list, codename) {
	const releases = new Set([...list.sums.keys()].flatMap((name) => /^ubuntu-(\d\d\.\d\d)-server-cloudimg-/.exec(name)?.[1] ?? []));
	const [release] = releases;
	if (release !== void 0 && releases.size === 1) return release;
	throw new Failure("not-found", `${list.url} does not tell which release ${codename} is.`, { remedy: ["Give the release as its number, such as 26.04."] });
}
function serialOf(names, release, arch) {
	const start = `ubuntu-${release}-server-cloudimg-${arch}.release.`;
	for (const name of names) {
		if (!name.startsWith(start)) continue;
		const serial = /^\d{8}(?:\.\d+)?\.(\d{8}(?:\.\d{1,2})?)\.image_changelog\.json$/.exec(name.slice(start.length))?.[1];
		if (serial !== void 0) return serial;
	}
}
function noImage(fileName, names, list) {
	const images = [...names].filter((name) => name.endsWith(".img")).toSorted();
	return new Failure("not-found", `The list that Ubuntu signed on ${list.signedAt.toISOString().slice(0, 10)} does not name ${fileName}: ${list.url}`, { remedy: [images.length === 0 ? "It names no image (.img) at all." : `It names: ${images.slice(0, 8).join(", ")}.`] });
}

export { ubuntuSource };