import { getState, saveState } from "@actions/core";
import * as z from "zod/mini";
import { inEnglish } from "../failure/in-english.ts";
import { journalInto } from "../shell/journal.ts";
import { remnantSchema, type Remnant } from "../templates/remnant.ts";

const stateName = "remnants";

/** Written at once to the state file, which the runner reads even after it has killed the step. */
export function stateJournal() {
  return journalInto((open) => saveState(stateName, JSON.stringify(open)));
}

/** What the main step left open, for the post step. */
export function readState(): Remnant[] {
  const text = getState(stateName);
  if (!text) return [];
  return z.array(remnantSchema()).parse(JSON.parse(text), inEnglish);
}
