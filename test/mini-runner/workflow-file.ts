import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import type { ExpressionValue } from "./expressions.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const texts = z.record(
  z.string(),
  z.union([scalar, z.null()]).transform((value) => (value === null ? "" : String(value))),
);

const step = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: scalar.transform(String).optional(),
  uses: z.string().optional(),
  with: texts.default({}),
  run: z.string().optional(),
  env: texts.default({}),
});

const job = z.strictObject({
  name: z.string().optional(),
  needs: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  if: scalar.transform(String).optional(),
  "runs-on": z.string(),
  "timeout-minutes": z.number(),
  permissions: texts,
  outputs: texts.default({}),
  strategy: z
    .strictObject({
      "fail-fast": z.boolean().optional(),
      "max-parallel": z.number().optional(),
      matrix: z.strictObject({ include: z.string() }),
    })
    .optional(),
  steps: z.array(step),
});

const input = z.object({
  type: z.enum(["choice", "string", "boolean", "number"]),
  options: z.array(z.string()).optional(),
  default: scalar.optional(),
  required: z.boolean().default(false),
});

const inputs = z.record(z.string(), input).default({});

const schema = z.object({
  name: z.string(),
  on: z.object({
    schedule: z.array(z.object({ cron: z.string(), timezone: z.string().optional() })).optional(),
    workflow_dispatch: z.object({ inputs }).nullish(),
    workflow_call: z
      .object({
        inputs,
        secrets: z.record(z.string(), z.object({ required: z.boolean().default(false) })).default({}),
        outputs: z.record(z.string(), z.object({ value: z.string() })).default({}),
      })
      .nullish(),
  }),
  permissions: texts,
  concurrency: z.object({ group: z.string(), "cancel-in-progress": z.boolean() }),
  jobs: z.record(z.string(), job),
});

export type Workflow = z.output<typeof schema>;
export type WorkflowJob = z.output<typeof job>;
export type WorkflowStep = z.output<typeof step>;
export type WorkflowEvent = "schedule" | "workflow_dispatch" | "workflow_call";

/**
 * Reads a workflow, as far as those of this project go.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax
 * @throws on a key that the mini-runner does not know
 */
export function readWorkflow(file: string): Workflow {
  return schema.parse(parse(readFileSync(file, "utf8")));
}

/**
 * The `inputs` context: defaults where nothing is given, booleans as such; a schedule has none at all.
 * @throws where the event does not take what is given, as GitHub refuses it
 */
export function inputsFor(
  { on }: Workflow,
  event: WorkflowEvent,
  given: Readonly<Record<string, string>>,
): Record<string, ExpressionValue> {
  if (event === "schedule") {
    if (!on.schedule) throw new Error("The workflow has no schedule");
    return {};
  }
  const declared = on[event]?.inputs;
  if (!declared) throw new Error(`The workflow is not started by ${event}`);
  for (const name of Object.keys(given)) if (!declared[name]) throw new Error(`There is no input ${name}`);
  return Object.fromEntries(
    Object.entries(declared).map(([name, { type, options, default: usual, required }]) => {
      const value = given[name] ?? usual ?? (type === "boolean" ? false : "");
      if (required && value === "") throw new Error(`The input ${name} is required`);
      if (options && !options.includes(String(value))) throw new Error(`${value} is no option of the input ${name}`);
      return [name, type === "boolean" ? String(value) === "true" : value];
    }),
  );
}
