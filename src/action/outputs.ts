import path from "node:path";
import { setOutput } from "@actions/core";
import type { SbomFile } from "../shell/sbom-files.ts";
import type { Deletion } from "../templates/delete.ts";
import type { Listed } from "../templates/list.ts";
import type { Target } from "../distributions/target.ts";
import type { Work } from "../templates/fleet-plan.ts";
import type { Outcome, Template } from "../templates/outcome.ts";

/** One template in the output `templates`, flat so that a matrix can take it. */
export interface TemplateOutput {
  distribution: string;
  version: string;
  ubuntuRelease: string;
  vmid: number | "";
  node: string;
  storage: string;
  name: string;
  tags: string;
  /** When it was made, ISO 8601. */
  created: string;
  /** It was there before this run. */
  reused: boolean;
  digest: string;
  image: string;
}

export function outputOfOutcome({ target, template, result }: Outcome): TemplateOutput {
  return outputOfTemplate(target, template, result === "reused");
}

/** A dry run has no template yet. */
export function outputOfTemplate(target: Target, template: Template | undefined, reused: boolean): TemplateOutput {
  return {
    distribution: target.distribution,
    version: target.version,
    ubuntuRelease: target.ubuntuRelease ?? "",
    vmid: template?.vmid ?? "",
    node: template?.node ?? "",
    storage: template?.storage ?? "",
    name: template?.name ?? target.name,
    tags: target.tags.join(";"),
    created: template?.manifest?.created ?? "",
    reused,
    digest: template?.digest ?? "",
    image: template?.manifest?.image.url ?? "",
  };
}

export function outputOfListed(row: Listed): TemplateOutput {
  return {
    distribution: row.target.distribution,
    version: row.target.version,
    ubuntuRelease: row.target.ubuntuRelease ?? "",
    vmid: row.vmid,
    node: row.node,
    storage: row.storage ?? "",
    name: row.name ?? "",
    tags: row.tags.join(";"),
    created: row.manifest?.created ?? "",
    reused: true,
    digest: row.digest ?? "",
    image: row.manifest?.image.url ?? "",
  };
}

export function outputOfDeletion(deletion: Deletion): Pick<TemplateOutput, "vmid" | "node" | "name"> {
  return { vmid: deletion.vmid, node: deletion.node, name: deletion.name };
}

/** Sets the outputs of action.yml; those of a single template are set only where there is just one. */
export function setOutputs(
  templates: readonly (TemplateOutput | ReturnType<typeof outputOfDeletion>)[],
  changed: boolean,
): void {
  setOutput("templates", JSON.stringify(templates));
  setOutput("changed", String(changed));
  setOutput("count", String(templates.length));
  const [only] = templates;
  if (templates.length !== 1 || !only) return;
  for (const name of ["vmid", "node", "name", "tags", "version", "digest"] as const)
    if (name in only) setOutput(name, String((only as TemplateOutput)[name]));
}

/** The file of a single template, or the directory of several. */
export function setSbom(files: readonly SbomFile[]): void {
  const [only] = files;
  if (only) setOutput("sbom", files.length === 1 ? only.file : path.dirname(only.file));
}

/** What is to be built as a matrix; an empty one is `[]`, which a matrix refuses, so `has-work` tells. */
export function setMatrix(work: readonly Work[]): void {
  setOutput("matrix", JSON.stringify(work));
  setOutput("has-work", String(work.length > 0));
  setOutput("changed", "false");
  setOutput("count", String(work.length));
}
