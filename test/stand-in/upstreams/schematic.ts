import { createHash } from "node:crypto";
import * as yaml from "yaml";

/** A part of a schematic as the factory's own structs name it, in the order in which they are written. */
type Shape = { [field: string]: Shape | "string" | "strings" | "boolean" | "number" | "metas" | "options" };

// image-factory pkg/schematic/schematic.go, as facts/upstream.md C tells it.
const shape: Shape = {
  owner: "string",
  overlay: { image: "string", name: "string", options: "options" },
  customization: {
    embeddedMachineConfiguration: "string",
    extraKernelArgs: "strings",
    meta: "metas",
    systemExtensions: { officialExtensions: "strings" },
    bootloader: "string",
    secureboot: { enrollKeys: "string", includeWellKnownCertificates: "boolean" },
    diskImage: { sectorSize: "number" },
  },
};

type Fields = Record<string, unknown>;

/** Reads what was posted, as strictly as the factory: YAML or JSON, no field that it does not know. @throws Error with the factory's kind of words */
export function readSchematic(text: string): Fields {
  const parsed: unknown = yaml.parse(text);
  if (parsed === null || parsed === undefined) return {};
  check(parsed, shape, "");
  return parsed as Fields;
}

function check(value: unknown, expected: Shape[string], at: string): void {
  const wrong = (): never => {
    throw new Error(`yaml: unmarshal errors: ${at === "" ? "document" : at} is not what was expected`);
  };
  if (expected === "options") return;
  if (expected === "strings") {
    if (!Array.isArray(value) || value.some((item) => typeof item !== "string")) wrong();
  } else if (expected === "metas") {
    if (!Array.isArray(value)) wrong();
    for (const item of value as unknown[]) check(item, { key: "number", value: "string" }, `${at}[]`);
  } else if (typeof expected === "string") {
    if (typeof value !== expected) wrong();
  } else {
    if (typeof value !== "object" || value === null || Array.isArray(value)) wrong();
    for (const [field, inner] of Object.entries(value as Fields)) {
      const known = Object.hasOwn(expected, field) ? expected[field] : undefined;
      if (known === undefined)
        throw new Error(`yaml: unmarshal errors: field ${field} not found in type schematic.Schematic`);
      check(inner, known, at === "" ? field : `${at}.${field}`);
    }
  }
}

/** The schematic's ID: SHA-256 over its canonical YAML. Written by hand, so that it does not share a mistake with the product. */
export function schematicId(schematic: Fields): string {
  return createHash("sha256").update(canonical(schematic)).digest("hex");
}

/** As Go's yaml.Marshal writes the structs: 4 blanks, empty fields left out, `customization` always there. */
export function canonical(schematic: Fields): string {
  const lines: string[] = [];
  const own = shape;
  for (const field of Object.keys(own)) {
    const value = schematic[field];
    if (field === "customization" && isEmpty(value)) lines.push("customization: {}");
    else if (!isEmpty(value)) write(lines, 0, field, value, own[field] ?? "string");
  }
  return `${lines.join("\n")}\n`;
}

function write(lines: string[], depth: number, field: string, value: unknown, expected: Shape[string]): void {
  const pad = " ".repeat(depth * 4);
  if (expected === "strings") {
    lines.push(`${pad}${field}:`);
    for (const item of value as string[]) lines.push(`${pad}    - ${scalar(item, depth + 1)}`);
  } else if (expected === "metas") {
    lines.push(`${pad}${field}:`);
    for (const item of value as { key: number; value: string }[]) {
      lines.push(`${pad}    - key: ${item.key}`, `${pad}      value: ${scalar(item.value, depth + 2)}`);
    }
  } else if (expected === "options") {
    lines.push(`${pad}${field}: ${JSON.stringify(value)}`);
  } else if (typeof expected === "string") {
    lines.push(`${pad}${field}: ${typeof value === "string" ? scalar(value, depth + 1) : String(value)}`);
  } else {
    lines.push(`${pad}${field}:`);
    for (const [inner, innerShape] of Object.entries(expected)) {
      const innerValue = (value as Fields)[inner];
      if (!isEmpty(innerValue)) write(lines, depth + 1, inner, innerValue, innerShape);
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

// go.yaml.in/yaml/v4: what reads as another type is in double quotes, what YAML 1.1 read otherwise or cannot be plain in single ones.
function scalar(text: string, depth: number): string {
  if (text.includes("\n")) {
    const pad = " ".repeat(depth * 4);
    const body = text.replace(/\n$/, "").split("\n");
    return [text.endsWith("\n") ? "|" : "|-", ...body.map((line) => (line === "" ? "" : `${pad}${line}`))].join("\n");
  }
  if (text === "" || /[\t\u0000-\u001f]/.test(text)) return JSON.stringify(text);
  if (
    /^(true|false|null|~)$/i.test(text) ||
    /^[-+]?\.(inf|nan)$/i.test(text) ||
    isNumber(text) ||
    /^\d{4}-\d\d-\d\d$/.test(text)
  )
    return JSON.stringify(text);
  const single = `'${text.replaceAll("'", "''")}'`;
  if (/^(yes|no|on|off|y|n|<<)$/i.test(text) || /^[-+]?\d+(:[0-5]?\d)+$/.test(text)) return single;
  if (/^[-?:]($|\s)|^[,[\]{}#&*!|>'"%@`]|: |:$| #|^\s|\s$/.test(text)) return single;
  return text;
}

function isNumber(text: string): boolean {
  return /^[-+]?(0x[0-9a-f_]+|0o?[0-7_]+|0b[01_]+|[0-9][0-9_]*(\.[0-9_]*)?(e[-+]?\d+)?|\.[0-9][0-9_]*(e[-+]?\d+)?)$/i.test(
    text,
  );
}
