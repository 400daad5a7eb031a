import { badParameters } from "../refusal.ts";
import { checkFormat } from "./formats.ts";
import { Params } from "./params.ts";
import { parseProperties, type PropertyFormat, type PropertySpec } from "./property-string.ts";
import type { ParameterSpec } from "./schema.ts";

const NOT_DEFINED = "property is not defined in schema and the schema does not allow additional properties";
const MISSING = "property is missing and it is not optional";

/** How many devices of a kind there may be: `scsi[n]` is scsi0 to scsi30. */
const COUNTS: Record<string, number> = {
  hostpci: 16,
  ide: 4,
  ipconfig: 32,
  net: 32,
  numa: 8,
  parallel: 3,
  sata: 6,
  scsi: 31,
  serial: 4,
  unused: 256,
  usb: 14,
  virtio: 16,
  virtiofs: 10,
};

/** Finds the schema of a parameter, `scsi1` by `scsi[n]`. */
export function findParameter(specs: Map<string, ParameterSpec>, name: string): ParameterSpec | undefined {
  const direct = specs.get(name);
  if (direct) return direct;
  const [, kind = "", number = ""] = /^([a-z]+)(\d+)$/.exec(name) ?? [];
  return Number(number) < (COUNTS[kind] ?? 0) ? specs.get(`${kind}[n]`) : undefined;
}

/**
 * Checks a request's parameters against the API's schema (PVE::JSONSchema::validate). Throws 400 with a text per
 * parameter; gives them as strings, booleans as `1` and `0`.
 */
export function validate(
  specs: Map<string, ParameterSpec>,
  formats: ReadonlyMap<string, PropertyFormat>,
  raw: Record<string, unknown>,
): Params {
  const errors: Record<string, string> = {};
  const values = new Map<string, string | string[]>();
  for (const [name, value] of Object.entries(raw)) {
    if (value === null || value === undefined) continue;
    const spec = findParameter(specs, name);
    if (!spec) {
      errors[name] = NOT_DEFINED;
      continue;
    }
    const checked = checkValue(spec, formats, name, value);
    if (typeof checked === "object" && "problem" in checked) errors[name] = checked.problem;
    else values.set(name, checked);
    if (spec.requires !== undefined && (raw[spec.requires] === undefined || raw[spec.requires] === null)) {
      errors[spec.requires] = `missing property required by '${name}'`;
    }
  }
  for (const [name, spec] of specs) {
    if (!spec.optional && !name.endsWith("[n]") && !values.has(name)) errors[name] ??= MISSING;
  }
  if (Object.keys(errors).length > 0) throw badParameters(errors);
  return new Params(values);
}

function checkValue(
  spec: ParameterSpec,
  formats: ReadonlyMap<string, PropertyFormat>,
  name: string,
  value: unknown,
): string | string[] | { problem: string } {
  if (spec.type === "array") return (Array.isArray(value) ? value : [value]).map(String);
  const text = scalar(spec, value);
  if (text === undefined) return { problem: `type check ('${spec.type}') failed - got ${perlType(value)}` };
  const problem = problemOf(spec, text);
  if (problem !== undefined) return { problem };
  if (spec.properties && spec.format !== undefined) {
    const inner = checkProperties(name, text, formats.get(spec.format) ?? {});
    if (inner !== undefined) return { problem: `invalid format - ${inner}\n` };
  }
  return spec.type === "boolean" ? asFlag(text) : text;
}

/** JSON booleans count for boolean parameters only; a list goes into one string where the format is a list. */
function scalar(spec: ParameterSpec, value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return spec.type === "boolean" ? (value ? "1" : "0") : undefined;
  if (Array.isArray(value) && spec.format?.endsWith("-list")) return value.map(String).join(";");
  return undefined;
}

const perlType = (value: unknown) =>
  typeof value === "boolean" ? "JSON::PP::Boolean" : Array.isArray(value) ? "ARRAY" : "HASH";

const asFlag = (text: string) => (/^(1|on|yes|true)$/i.test(text) ? "1" : "0");

/** Type, format, pattern, length, bounds and enumeration, in the order in which Proxmox VE names the first fault. */
function problemOf(spec: PropertySpec, text: string): string | undefined {
  const typeFault = `type check ('${spec.type}') failed - got '${text}'`;
  if (spec.type === "integer" && !/^[+-]?\d+$/.test(text)) return typeFault;
  if (spec.type === "number" && !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return typeFault;
  if (spec.type === "boolean" && !/^(1|on|yes|true|0|off|no|false)$/i.test(text)) return typeFault;
  if (spec.format !== undefined) {
    const fault = checkFormat(spec.format, text);
    if (fault !== undefined) return `invalid format - ${fault}\n`;
  }
  if (spec.pattern !== undefined && !new RegExp(`^(?:${spec.pattern})$`).test(text)) {
    return "value does not match the regex pattern";
  }
  if (spec.maxLength !== undefined && Array.from(text).length > spec.maxLength) {
    return `value may only be ${spec.maxLength} characters long`;
  }
  if (spec.minimum !== undefined && Number(text) < spec.minimum)
    return `value must have a minimum value of ${spec.minimum}`;
  if (spec.maximum !== undefined && Number(text) > spec.maximum)
    return `value must have a maximum value of ${spec.maximum}`;
  if (spec.enum && !spec.enum.includes(text)) {
    return `value '${text}' does not have a value in the enumeration '${spec.enum.join(", ")}'`;
  }
  return undefined;
}

function checkProperties(name: string, text: string, format: PropertyFormat): string | undefined {
  const { values, problem, unknown } = parseProperties(text, format);
  if (problem !== undefined) return problem;
  const faults: string[] = [];
  if (unknown !== undefined) faults.push(`${name}.${unknown}: ${NOT_DEFINED}`);
  for (const [key, value] of values) {
    const fault = problemOf(format[key] ?? {}, value);
    if (fault !== undefined) faults.push(`${name}.${key}: ${fault}`);
  }
  for (const [key, spec] of Object.entries(format)) {
    const required = Object.keys(spec).length > 0 && !spec.optional;
    if (required && !values.has(key)) faults.push(`${name}.${key}: ${MISSING}`);
  }
  return faults.length > 0 ? `format error\n${faults.join("\n")}\n`.replace(/\n$/, "") : undefined;
}
