/** One key of a property string such as `virtio,bridge=vmbr0` or `enabled=1,fstrim_cloned_disks=1`. */
export interface PropertySpec {
  type?: string;
  optional?: 1;
  default_key?: 1;
  enum?: string[];
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
}

export type PropertyFormat = Record<string, PropertySpec>;

/** A value and the keys that stand in for others: `virtio=MAC` is `model=virtio,macaddr=MAC`. */
const isModel = (format: PropertyFormat, key: string) =>
  format["model"]?.enum?.includes(key) === true && Object.keys(format[key] ?? { type: "" }).length === 0;

/**
 * Splits a property string by its format (PVE::JSONSchema::parse_property_string). Gives the values by their full
 * names, and what is wrong by `name.key`.
 */
export function parseProperties(
  text: string,
  format: PropertyFormat,
): { values: Map<string, string>; problem?: string; unknown?: string } {
  const values = new Map<string, string>();
  const defaultKey = Object.entries(format).find(([, spec]) => spec.default_key)?.[0];
  for (const part of text.split(",")) {
    if (part === "") continue;
    const match = /^([^=]+)=(.*)$/s.exec(part);
    if (!match) {
      if (defaultKey === undefined)
        return { values, problem: "value without key, but schema does not define a default key" };
      if (values.has(defaultKey))
        return { values, problem: `duplicate key in comma-separated list property: ${defaultKey}` };
      values.set(defaultKey, part);
      continue;
    }
    const [, key = "", value = ""] = match;
    if (format[key] === undefined) return { values, unknown: key };
    if (isModel(format, key)) {
      values.set("model", key);
      values.set("macaddr", value);
      continue;
    }
    const full =
      key === "volume"
        ? "file"
        : key.endsWith("_length") && !key.includes("_max_")
          ? key.replace("_length", "_max_length")
          : key;
    if (values.has(full)) return { values, problem: `duplicate key in comma-separated list property: ${full}` };
    values.set(full, value);
  }
  return { values };
}
