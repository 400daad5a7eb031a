import * as z from "zod/mini";

/** GET /versions of the Image Factory (its docs/api.md): a list of tags. */
export const versionList = z.array(z.string().check(z.maxLength(100))).check(z.maxLength(5000));

/** The answer to POST /schematics. */
export const schematicAnswer = z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });
