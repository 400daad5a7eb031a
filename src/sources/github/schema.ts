import * as z from "zod/mini";

export interface Release {
  tag: string;
  /** GitHub's own flag; not every project sets it. */
  prerelease: boolean;
  /** Undefined for what never was published. */
  publishedAt: Date | undefined;
}

/** A page of GET /repos/{owner}/{repo}/releases (docs.github.com/rest/releases), without its drafts. */
export const releasePage = z.pipe(
  z.array(
    z.object({
      tag_name: z.string().check(z.maxLength(300)),
      draft: z.boolean(),
      prerelease: z.boolean(),
      published_at: z.nullish(z.iso.datetime({ offset: true })),
    }),
  ),
  z.transform((rows): Release[] =>
    rows
      .filter((row) => !row.draft)
      .map((row) => ({
        tag: row.tag_name,
        prerelease: row.prerelease,
        publishedAt: typeof row.published_at === "string" ? new Date(row.published_at) : undefined,
      })),
  ),
);
