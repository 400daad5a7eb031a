import { createHash } from "node:crypto";
import { t as stringify } from "./yaml.mjs";
import { un as Failure } from "./core.mjs";

// src/sources/talos/schematic.ts
const order = [
	"overlay",
	"image",
	"name",
	"customization",
	"extraKernelArgs",
	"meta",
	"key",
	"value",
	"systemExtensions",
	"officialExtensions",
	"bootloader",
	"secureboot",
	"enrollKeys",
	"includeWellKnownCertificates",
	"diskImage",
	"sectorSize"
];
function schematicYaml(schematic) {
	return stringify(ordered(schematic), {
		indent: 4,
		lineWidth: 0
	});
}
function schematicId(yaml) {
	return createHash("sha256").update(yaml).digest("hex");
}
function isPlainSafe(text) {
	if (!/^(-?[A-Za-z]|[0-9])[A-Za-z0-9._/=,:+$?&{}-]*$/.test(text) || text.endsWith(":")) return false;
	if (/^[-+.0-9]/.test(text) && !/^-[A-Za-z]/.test(text) && !/[g-zG-Z/=]/.test(text.replace(/^0[xo]/i, ""))) return false;
	return !/^(true|false|yes|no|on|off|y|n|null|-?\.?inf|\.?nan)$/i.test(text);
}
function ordered(value) {
	if (Array.isArray(value)) return value.map(ordered);
	if (typeof value === "string" && !isPlainSafe(value)) throw new Failure("usage", `${JSON.stringify(value.slice(0, 80))} cannot be part of a Talos schematic here: its ID could not be known beforehand.`, { remedy: ["Use names of letters, digits and . _ / = , : + - without blanks."] });
	if (typeof value !== "object" || value === null) return value;
	const fields = Object.entries(value).filter(([, inner]) => inner !== void 0);
	return Object.fromEntries(fields.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([name, inner]) => [name, ordered(inner)]));
}

export { schematicId, schematicYaml };