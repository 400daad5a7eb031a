import { createHash } from "node:crypto";
import { stringify } from "yaml";
import { Failure } from "../../failure/failure.ts";

/** What an image is built with; the fields that this product may set, in the factory's own names. */
export interface Schematic {
  overlay?: { image: string; name: string };
  customization: {
    extraKernelArgs?: readonly string[];
    meta?: readonly { key: number; value: string }[];
    systemExtensions?: { officialExtensions: readonly string[] };
    bootloader?: string;
    secureboot?: { enrollKeys?: string; includeWellKnownCertificates?: boolean };
    diskImage?: { sectorSize: number };
  };
}

// The factory marshals Go structs (image-factory pkg/schematic/schematic.go), whose fields come in this order.
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
  "sectorSize",
];

/**
 * The schematic as the factory writes it before it takes the digest: fields in its order, lists in ours, indented by 4.
 * @throws Failure "usage" for a string that its YAML library might quote, since how it quotes has changed between versions
 */
export function schematicYaml(schematic: Schematic): string {
  return stringify(ordered(schematic), { indent: 4, lineWidth: 0 });
}

/** The ID of that text: its SHA-256 in hex. */
export function schematicId(yaml: string): string {
  return createHash("sha256").update(yaml).digest("hex");
}

/** Whether every YAML library writes the text as it is: no blank, no sign that begins something, nothing that YAML 1.1 or 1.2 reads as another type. */
export function isPlainSafe(text: string): boolean {
  if (!/^(-?[A-Za-z]|[0-9])[A-Za-z0-9._/=,:+$?&{}-]*$/.test(text) || text.endsWith(":")) return false;
  if (/^[-+.0-9]/.test(text) && !/^-[A-Za-z]/.test(text) && !/[g-zG-Z/=]/.test(text.replace(/^0[xo]/i, "")))
    return false;
  return !/^(true|false|yes|no|on|off|y|n|null|-?\.?inf|\.?nan)$/i.test(text);
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value === "string" && !isPlainSafe(value)) {
    throw new Failure(
      "usage",
      `${JSON.stringify(value.slice(0, 80))} cannot be part of a Talos schematic here: its ID could not be known beforehand.`,
      {
        remedy: ["Use names of letters, digits and . _ / = , : + - without blanks."],
      },
    );
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    fields.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)).map(([name, inner]) => [name, ordered(inner)]),
  );
}
