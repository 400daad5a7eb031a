import { readFileSync } from "node:fs";
import type { PermissionSpec } from "../access/check.ts";
import { MORE_CALLS } from "./more-calls.ts";
import type { PropertyFormat, PropertySpec } from "./property-string.ts";

export interface ParameterSpec extends PropertySpec {
  /** The name of a format; with `properties` it is one of a property string. */
  format?: string;
  properties?: 1;
  requires?: string;
}

export interface MethodSpec {
  parameters: Map<string, ParameterSpec>;
  permissions: PermissionSpec | undefined;
  /** Carried out on the node of the path, to which the entry node passes the request on. */
  onNode: boolean;
}

interface SchemaFile {
  parameters: Record<string, ParameterSpec>;
  formats: Record<string, PropertyFormat>;
  paths: Record<
    string,
    Record<string, { parameters: Record<string, string>; permissions?: PermissionSpec; proxyto?: 1 }>
  >;
}

const file = JSON.parse(readFileSync(new URL("./schema.json", import.meta.url), "utf8")) as SchemaFile;

export const PROPERTY_FORMATS: ReadonlyMap<string, PropertyFormat> = new Map(Object.entries(file.formats));

/** Calls of the API by path template and method, with their parameters and permissions. */
export const SCHEMA: ReadonlyMap<string, Record<string, MethodSpec>> = new Map([
  ...Object.entries(file.paths).map(([path, methods]): [string, Record<string, MethodSpec>] => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([name, { parameters, permissions, proxyto }]) => [
        name,
        {
          parameters: new Map(
            Object.entries(parameters).map(([parameter, ref]) => [
              parameter,
              file.parameters[ref] ?? { type: "string" },
            ]),
          ),
          permissions,
          onNode: proxyto === 1,
        },
      ]),
    ),
  ]),
  ...Object.entries(MORE_CALLS),
]);

const CONFIG = SCHEMA.get("/nodes/{node}/qemu/{vmid}/config")?.["PUT"]?.parameters ?? new Map<string, ParameterSpec>();

/** What a change of a configuration takes beside the options that it sets. */
export const CHANGE_PARAMETERS: readonly string[] = [
  "node",
  "vmid",
  "digest",
  "delete",
  "revert",
  "force",
  "skiplock",
  "background_delay",
  "import-working-storage",
];

/** The options that a VM's configuration may hold, by name, `scsi[n]` for scsi0 and so on. */
export const CONFIG_OPTIONS: Map<string, ParameterSpec> = new Map(
  [...CONFIG].filter(([name]) => !CHANGE_PARAMETERS.includes(name)),
);

/** The format of disks on a bus, of network cards and of other options that are property strings. */
export function formatOf(option: string): PropertyFormat {
  const spec = CONFIG_OPTIONS.get(option) ?? CONFIG_OPTIONS.get(option.replace(/\d+$/, "[n]"));
  return (spec?.format === undefined ? undefined : PROPERTY_FORMATS.get(spec.format)) ?? {};
}
