import * as z from "zod/mini";
import { sameTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";
import type { Template } from "./outcome.ts";

/** The one build that is allowed for a target. */
export interface Pin {
  tags: readonly string[];
  /** `sha256:…` over the manifest. */
  digest: string;
}

const digest = z.string().check(z.regex(/^sha256:[0-9a-f]{64}$/, "is not a digest such as sha256:…"));

/**
 * The lock file, `templates.lock.json`: which builds a pipeline was tested with. Described in docs/lock-file.md. Made
 * when it is needed: most runs have none.
 */
const lockSchema = () =>
  z.object({
    schema: z.literal(1),
    templates: z.array(
      z.object({
        distribution: z.string(),
        version: z.string(),
        ubuntuRelease: z.optional(z.string()),
        tags: z.array(z.string()).check(z.minLength(1)),
        digest,
        vmid: z.optional(z.int()),
        node: z.optional(z.string()),
      }),
    ),
  });

/** @throws Failure `usage` when the text is not a lock file */
export function parseLock(text: string, file: string): Pin[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Failure("usage", `${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const lock = lockSchema().safeParse(json, inEnglish);
  if (!lock.success) {
    const issue = lock.error.issues[0];
    throw new Failure("usage", `${file} is not a lock file of templates: ${issue?.path.join(".")}: ${issue?.message}`, {
      remedy: ["write it anew with --lock write, or see docs/lock-file.md"],
    });
  }
  return lock.data.templates.map(({ tags, digest: wanted }) => ({
    tags: tags.map((tag) => tag.toLowerCase()).sort(),
    digest: wanted,
  }));
}

/** The lock file's text for templates; those that a former lock names and that are not among them stay in it. */
export function writeLock(
  templates: readonly { target: Target; template: Template }[],
  former: string | undefined,
  file: string,
): string {
  const kept =
    former === undefined
      ? []
      : lockedEntries(former, file).filter(({ tags }) => !templates.some(({ target }) => sameTags(target.tags, tags)));
  const entries = templates.map(({ target, template }) => ({
    distribution: target.distribution,
    version: target.version,
    ...(target.ubuntuRelease ? { ubuntuRelease: target.ubuntuRelease } : {}),
    tags: [...target.tags],
    digest: template.digest,
    vmid: template.vmid,
    node: template.node,
  }));
  const all = [...kept, ...entries].sort((a, b) =>
    a.tags.join(";").localeCompare(b.tags.join(";"), "en", { numeric: true }),
  );
  return `${JSON.stringify({ schema: 1, templates: all }, undefined, 2)}\n`;
}

function lockedEntries(text: string, file: string): z.infer<ReturnType<typeof lockSchema>>["templates"] {
  parseLock(text, file);
  return lockSchema().parse(JSON.parse(text)).templates;
}

/** @throws Failure `usage` */
export function parsePin(text: string, option: string): string {
  const checked = digest.safeParse(text.trim().toLowerCase());
  if (!checked.success)
    throw new Failure("usage", `${option} is not a digest of a template such as sha256:…, but ${JSON.stringify(text)}`);
  return checked.data;
}

/**
 * Compares a template with what was pinned.
 * @throws Failure `verification` when it is another one
 */
export function checkPin(target: Target, template: Template, wanted: string): void {
  if (template.digest === wanted) return;
  const shown = template.digest || "no manifest, so no digest";
  throw new Failure(
    "verification",
    `The template of ${target.title} is not the pinned one: VM ${template.vmid} on node ${template.node} has ${shown}, pinned is ${wanted}`,
    {
      remedy: [
        `kubehenge template rollback ${target.distribution}   # if it was replaced by a refresh and the pinned build was kept`,
        "or pin the new one, after it was tested: `kubehenge template list -o wide` shows the digests",
      ],
    },
  );
}
