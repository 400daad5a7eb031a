import * as z from "zod";
import type { Run } from "./run.ts";

const templatesSchema = z
  .array(
    z.object({
      distribution: z.string(),
      version: z.string().min(1),
      ubuntuRelease: z.string(),
      vmid: z.number().int().min(100),
      node: z.string().min(1),
      storage: z.string().min(1),
      name: z.string().min(1),
      tags: z.string().refine((tags) => tags.split(";").includes("kubehenge"), "lacks the tag kubehenge"),
      created: z.iso.datetime(),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      image: z.url(),
    }),
  )
  .length(1);

/** The most that a run may call when its template is there: the list of VMs, and the match's configuration. */
const callsOfReuse = 2;

/** What the Action asks to mask is a secret on purpose; nothing else may hold one. */
const withoutMaskRequests = (emitted: string): string =>
  emitted
    .split("\n")
    .filter((line) => !line.startsWith("::add-mask::"))
    .join("\n");

function shortcomingsOfReuse(run: Run, first: Run | undefined): string[] {
  const found: string[] = [];
  if (run.calls.length > callsOfReuse)
    found.push(`it made ${run.calls.length} Proxmox VE calls, more than ${callsOfReuse}`);
  if (run.calls.some(({ method }) => method !== "GET")) found.push("it wrote to Proxmox VE");
  if (run.calls.filter(({ newConnection }) => newConnection).length > 1)
    found.push("it opened more than one connection");
  for (const output of ["vmid", "digest", "tags", "version"]) {
    if (run.result.outputs[output] !== first?.result.outputs[output]) {
      found.push(
        `its output ${output} is "${run.result.outputs[output]}", and the first run's was "${first?.result.outputs[output]}"`,
      );
    }
  }
  return found;
}

/** Says in sentences what of a run is not as it must be; empty when all is well. */
export function shortcomings(run: Run, first: Run | undefined, secret: string): string[] {
  const { result, expected } = run;
  const found: string[] = [];
  if (result.conclusion !== "success") {
    found.push(`it ended as ${result.conclusion} with exit code ${result.exitCode}:\n${result.log}\n${result.postLog}`);
  }
  if (result.postExitCode !== 0)
    found.push(`its post step ended with exit code ${result.postExitCode}:\n${result.postLog}`);
  found.push(...result.complaints, ...result.droppedOutputs.map((name) => `the runner would drop its output ${name}`));
  const templates = templatesSchema.safeParse(JSON.parse(result.outputs["templates"] ?? "null"));
  if (!templates.success) found.push(`its output templates is not as documented: ${z.prettifyError(templates.error)}`);
  if (result.outputs["changed"] !== String(expected === "created"))
    found.push(`its output changed is "${result.outputs["changed"]}"`);
  if (result.outputs["count"] !== "1") found.push(`its output count is "${result.outputs["count"]}"`);
  if (result.summary.trim() === "") found.push("it wrote no summary");
  if (withoutMaskRequests(result.emitted).includes(secret)) found.push("it let the token's secret out");
  if (expected === "reused") found.push(...shortcomingsOfReuse(run, first));
  return found;
}
