import * as z from "zod";

/** GET /versions of the Image Factory (its docs/api.md): a list of tags. */
export const versionList = z.array(z.string().max(100)).max(5000);

/** The answer to POST /schematics. */
export const schematicAnswer = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) });
