import { stringify } from "yaml";

/** YAML for cloud-init, whose reader is PyYAML: words that YAML 1.1 takes for booleans or numbers come quoted. */
export function yamlText(value: unknown): string {
  return stringify(value, { version: "1.1", directives: false, lineWidth: 0, aliasDuplicateObjects: false });
}
