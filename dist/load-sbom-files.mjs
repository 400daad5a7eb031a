import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Bt as literal, It as array, Jt as prefault, Wt as object, Zt as string, un as Failure } from "./core.mjs";

// src/templates/sbom.ts
const rootId = "SPDXRef-Template";
function sbomOf(target, manifest, digest, contents) {
	const packages = Object.entries(contents?.packages ?? {}).sort(([one], [other]) => one < other ? -1 : 1).map(([name, version], at) => debPackage(name, version, at + 1, manifest));
	const images = [...contents?.images ?? []].sort().map((image, at) => containerImage(image, at + 1));
	const parts = [...packages, ...images];
	return {
		spdxVersion: "SPDX-2.3",
		dataLicense: "CC0-1.0",
		SPDXID: "SPDXRef-DOCUMENT",
		name: sbomName(target, manifest),
		documentNamespace: `https://spdx.org/spdxdocs/kubehenge-${sbomName(target, manifest)}`,
		creationInfo: {
			created: manifest.created.replace(/\.\d+Z$/, "Z"),
			creators: [`Tool: ${manifest.program.replace("/", "-")}`]
		},
		packages: [rootPackage(target, manifest, digest), ...parts],
		relationships: [{
			spdxElementId: "SPDXRef-DOCUMENT",
			relationshipType: "DESCRIBES",
			relatedSpdxElement: rootId
		}, ...parts.map(({ SPDXID }) => ({
			spdxElementId: rootId,
			relationshipType: "CONTAINS",
			relatedSpdxElement: SPDXID
		}))]
	};
}
function sbomName(target, { build }) {
	return `${target.name}-${build}`;
}
const sbomEnding = ".spdx.json";
const unasserted = {
	filesAnalyzed: false,
	licenseConcluded: "NOASSERTION",
	licenseDeclared: "NOASSERTION",
	copyrightText: "NOASSERTION"
};
function rootPackage(target, manifest, digest) {
	const { image, verified, kernel, runUrl, run } = manifest;
	const facts = [
		target.title,
		`manifest ${digest}`,
		...kernel ? [`kernel ${kernel}`] : [],
		...verified.map((one) => `${one.what}: ${one.by === "signature" ? `signed by ${one.signer ?? ""}` : "TLS only"}`),
		`run ${runUrl ?? run}`
	];
	return {
		SPDXID: rootId,
		name: target.name,
		versionInfo: target.version,
		packageFileName: image.file,
		downloadLocation: image.url,
		...unasserted,
		...image.sha256 ? { checksums: [{
			algorithm: "SHA256",
			checksumValue: image.sha256
		}] } : {},
		primaryPackagePurpose: "OPERATING-SYSTEM",
		comment: facts.join("; ")
	};
}
const kubernetesPackages = /* @__PURE__ */ new Set([
	"kubeadm",
	"kubelet",
	"kubectl",
	"cri-tools",
	"kubernetes-cni"
]);
function debPackage(given, version, number, { ubuntuRelease, packages }) {
	const [name = given, arch] = given.split(":");
	const isKubernetes = packages !== void 0 && kubernetesPackages.has(name);
	const qualifiers = [...arch ? [`arch=${arch}`] : [], ...ubuntuRelease && !isKubernetes ? [`distro=ubuntu-${ubuntuRelease}`] : []];
	const purl = `pkg:deb/${isKubernetes ? "kubernetes" : "ubuntu"}/${purlPart(name)}@${purlPart(version)}${qualifiers.length > 0 ? `?${qualifiers.join("&")}` : ""}`;
	return {
		SPDXID: `SPDXRef-deb-${number}-${idPart(name)}`,
		name,
		versionInfo: version,
		downloadLocation: "NOASSERTION",
		...unasserted,
		primaryPackagePurpose: "LIBRARY",
		externalRefs: [{
			referenceCategory: "PACKAGE-MANAGER",
			referenceType: "purl",
			referenceLocator: purl
		}]
	};
}
function containerImage(given, number) {
	const [reference = given, digest] = given.split("@");
	const [, repository = reference, tag = ""] = /^(.+?)(?::([^:/]+))?$/.exec(reference) ?? [];
	const name = repository.slice(repository.lastIndexOf("/") + 1);
	const qualifiers = [`repository_url=${purlPart(repository, "/")}`, ...tag ? [`tag=${purlPart(tag)}`] : []];
	const purl = `pkg:oci/${purlPart(name)}${digest ? `@${purlPart(digest)}` : ""}?${qualifiers.join("&")}`;
	return {
		SPDXID: `SPDXRef-image-${number}-${idPart(name)}`,
		name: repository,
		versionInfo: digest ? `${tag}@${digest}` : tag,
		downloadLocation: "NOASSERTION",
		...unasserted,
		...digest?.startsWith("sha256:") ? { checksums: [{
			algorithm: "SHA256",
			checksumValue: digest.slice(7)
		}] } : {},
		primaryPackagePurpose: "CONTAINER",
		externalRefs: [{
			referenceCategory: "PACKAGE-MANAGER",
			referenceType: "purl",
			referenceLocator: purl
		}]
	};
}
function purlPart(text, besides = "") {
	return encodeURIComponent(text).replace(/%2F/g, besides === "/" ? "/" : "%2F");
}
function idPart(text) {
	return text.replace(/[^A-Za-z0-9.-]/g, "-");
}
const readable = object({
	spdxVersion: literal("SPDX-2.3"),
	packages: array(object({
		SPDXID: string(),
		name: string(),
		versionInfo: prefault(string(), "")
	}))
});
function changesSince(older, document) {
	let before;
	try {
		before = partsOf(readable.parse(JSON.parse(older)).packages);
	} catch {
		return;
	}
	const after = partsOf(document.packages);
	const of = (names) => [...names].sort();
	return {
		added: of(after.keys()).flatMap((name) => before.has(name) ? [] : [{
			name,
			version: after.get(name) ?? ""
		}]),
		removed: of(before.keys()).flatMap((name) => after.has(name) ? [] : [{
			name,
			version: before.get(name) ?? ""
		}]),
		changed: of(after.keys()).flatMap((name) => {
			const from = before.get(name);
			const to = after.get(name) ?? "";
			return from === void 0 || from === to ? [] : [{
				name,
				from,
				to
			}];
		})
	};
}
function partsOf(packages) {
	return new Map(packages.filter(({ SPDXID }) => SPDXID !== rootId).map(({ name, versionInfo }) => [name, versionInfo ?? ""]));
}

// src/shell/sbom-files.ts
function saveSboms(outcomes, directory) {
	try {
		return outcomes.flatMap((outcome) => saveOne(outcome, directory) ?? []);
	} catch (error) {
		if (error instanceof Failure || error.code === void 0) throw error;
		throw new Failure("failure", `The SBOM could not be written: ${error.message}`, {
			remedy: ["name a directory that can be written to; the templates themselves are made"],
			cause: error
		});
	}
}
function saveOne({ target, template, result, contents, replaced }, directory) {
	const manifest = template?.manifest;
	if (!template || !manifest) return void 0;
	const file = path.join(directory, `${sbomName(target, manifest)}${sbomEnding}`);
	if (result !== "created") return existsSync(file) ? {
		title: target.title,
		file,
		changes: void 0
	} : void 0;
	const document = sbomOf(target, manifest, template.digest, contents);
	mkdirSync(directory, { recursive: true });
	const older = replaced && readOlder(directory, replaced);
	writeFileSync(file, `${JSON.stringify(document, void 0, 2)}\n`);
	return {
		title: target.title,
		file,
		changes: older === void 0 ? void 0 : changesSince(older, document)
	};
}
function readOlder(directory, build) {
	const name = readdirSync(directory).find((one) => one.endsWith(`-${build}${sbomEnding}`));
	return name === void 0 ? void 0 : readFileSync(path.join(directory, name), "utf8");
}

export { saveSboms };