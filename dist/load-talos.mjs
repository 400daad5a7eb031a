import { Ct as inEnglish, D as exactVersion, Et as shownUrl, It as array, O as isExact, Wt as object, Zt as string, in as _regex, rn as _maxLength, un as Failure } from "./core.mjs";
import "./http.mjs";
import { t as releasedTags } from "./newest.mjs";
import { t as Once } from "./once.mjs";
import { t as publicUpstreamUrl } from "./upstream-url.mjs";
import { i as nearestVersions, o as selectVersion, t as checkSelector } from "./versions.mjs";

// src/sources/talos/schema.ts
const versionList = array(string().check(_maxLength(100))).check(_maxLength(5e3));
const schematicAnswer = object({ id: string().check(_regex(/^[0-9a-f]{64}$/)) });

// src/sources/talos/index.ts
const mirrorOption = "--talos-factory-url";
const repository = "siderolabs/talos";
function talosSource(http, github, options = {}) {
	const factory = publicUpstreamUrl(options.factoryUrl ?? "https://factory.talos.dev", mirrorOption);
	const extensions = options.extensions ?? ["siderolabs/qemu-guest-agent"];
	const lists = new Once();
	const schematics = new Once();
	const versions = () => lists.get("versions", async () => {
		const answer = await http(`${factory}/versions`, {
			maxBytes: 1048576,
			mirrorOption
		});
		const parsed = versionList.safeParse(answer.json(), inEnglish);
		if (parsed.success) return parsed.data;
		throw new Failure("failure", `${shownUrl(factory)}/versions did not answer with a list of versions.`, { cause: parsed.error });
	});
	const register = async (yaml, id) => {
		const answer = await http(`${factory}/schematics`, {
			method: "POST",
			headers: { "content-type": "application/yaml" },
			body: yaml,
			maxBytes: 262144,
			attempts: 3,
			mirrorOption
		});
		const parsed = schematicAnswer.safeParse(answer.json());
		if (parsed.success && parsed.data.id === id) return id;
		const said = parsed.success ? parsed.data.id : "no ID at all";
		throw new Failure("verification", `${shownUrl(factory)} answers ${said} for a schematic whose ID is ${id}.`, { remedy: ["Its images would not be what was asked for, so none is taken. If this is a mirror, compare it with https://factory.talos.dev."] });
	};
	const schematic = async (names = extensions) => {
		const { schematicId, schematicYaml } = await import("./load-schematic.mjs");
		const officialExtensions = [...new Set(names)].toSorted();
		const yaml = schematicYaml({ customization: officialExtensions.length === 0 ? {} : { systemExtensions: { officialExtensions } } });
		return {
			yaml,
			id: await schematics.get(yaml, () => register(yaml, schematicId(yaml)))
		};
	};
	const head = (url) => http(url, {
		method: "HEAD",
		timeoutSeconds: options.warmSeconds ?? 300,
		attempts: 3,
		expect: [402, 404],
		mirrorOption
	});
	return {
		resolve: async (selector = "latest") => {
			if (isExact(selector)) return exactVersion(selector);
			checkSelector(selector);
			const [tags, served] = await Promise.all([releasedTags(github, repository, selector), versions()]);
			const inFactory = new Set(served);
			return selectVersion(selector, tags === void 0 ? served : tags.filter((tag) => inFactory.has(tag)), "Talos");
		},
		schematic,
		image: async (given, arch) => {
			const version = exactVersion(given);
			const { id, yaml } = await schematic();
			const fileName = `nocloud-${arch}.qcow2`;
			const url = `${factory}/image/${id}/${version}/${fileName}`;
			let answer = await head(url);
			if (answer.status === 404) {
				const served = await versions();
				if (!served.includes(version)) throw unknownVersion(version, served, factory);
				schematics.forget(yaml);
				await schematic();
				answer = await head(url);
			}
			if (answer.status === 404) throw notYet(version, arch, url);
			if (answer.status === 402) throw enterprise(url);
			const sizeBytes = Number(answer.headers["content-length"]);
			return {
				version,
				arch,
				url,
				schematicId: id,
				fileName,
				...Number.isSafeInteger(sizeBytes) && sizeBytes > 0 ? { sizeBytes } : {}
			};
		}
	};
}
function unknownVersion(version, served, factory) {
	const near = nearestVersions(version, served);
	return new Failure("not-found", `The Image Factory ${shownUrl(factory)} does not have Talos ${version}.`, { remedy: [near.length === 0 ? "It has none at all." : `The nearest that it has: ${near.join(", ")}. A new release comes to the factory some hours after GitHub.`] });
}
function notYet(version, arch, url) {
	return new Failure("not-found", `The image of Talos ${version} for ${arch} is not yet available: ${shownUrl(url)} is answered 404, though the factory lists the version.`, { remedy: ["Factories list a version hours before they have its images: try again later, or take the version before."] });
}
function enterprise(url) {
	return new Failure("access", `${shownUrl(url)} is answered 402 Payment Required: this factory serves it with a licence only.`, { remedy: ["Ask for it without the part that needs the licence, or name another factory with --talos-factory-url."] });
}

export { talosSource };