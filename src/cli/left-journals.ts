import { rmSync } from "node:fs";
import { hostname } from "node:os";
import * as z from "zod/mini";
import type { Context } from "../templates/context.ts";
import { remnantSchema, sayRemnant } from "../templates/remnant.ts";
import { halfWrittenJournals, leftJournals, stateFolder } from "./state.ts";
import { removeRemnant } from "../templates/remove-remnant.ts";

const journalSchema = () =>
  z.object({
    run: z.string(),
    origin: z.string(),
    host: z.string(),
    pid: z.int(),
    remnants: z.array(remnantSchema()),
  });

/** Removes what earlier runs of this command on this machine had begun and did not live to undo. */
export async function settleLeftJournals(
  context: Context,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { proxmox, reporter } = context;
  const folder = stateFolder(environment);
  for (const { file, pid } of halfWrittenJournals(folder)) if (!isAlive(pid)) rmSync(file, { force: true });
  for (const { file, text } of leftJournals(folder)) {
    const journal = parse(text);
    if (!journal || journal.origin !== proxmox.origin || journal.host !== hostname() || isAlive(journal.pid)) continue;
    let left = 0;
    for (const remnant of journal.remnants.toReversed()) {
      try {
        if ((await removeRemnant(proxmox, remnant)) === "removed")
          reporter.note(`Removed ${sayRemnant(remnant)}, which run ${journal.run} had left`);
      } catch (error) {
        left += 1;
        reporter.warn(
          "Left behind by an earlier run",
          `${sayRemnant(remnant)} could not be removed: ${(error as Error).message}`,
        );
      }
    }
    if (left === 0) rmSync(file, { force: true });
  }
}

function parse(text: string): z.infer<ReturnType<typeof journalSchema>> | undefined {
  try {
    return journalSchema().safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  // In containers each run has the same pid: a journal under it, written before this run wrote any, is a dead one's.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
