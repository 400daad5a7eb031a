import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import * as z from "zod";

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const schema = z.object({
  name: z.string(),
  inputs: z
    .record(
      z.string(),
      z.object({
        description: z.string(),
        required: z.boolean().default(false),
        default: text.optional(),
        deprecationMessage: z.string().optional(),
      }),
    )
    .default({}),
  outputs: z.record(z.string(), z.object({ description: z.string() })).default({}),
  runs: z.object({
    using: z.string().regex(/^node\d+$/),
    main: z.string(),
    pre: z.string().optional(),
    post: z.string().optional(),
    "post-if": z.string().default("always()"),
  }),
});

export type ActionMetadata = z.output<typeof schema>;

/**
 * Reads an action's metadata file as the runner does.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
 * @throws where the file is missing, is no YAML, or describes anything but a JavaScript action.
 */
export function readActionMetadata(directory: string): ActionMetadata {
  return schema.parse(parse(readFileSync(path.join(directory, "action.yml"), "utf8")));
}
