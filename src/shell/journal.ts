import { remnantKey, type Journal, type Remnant } from "../templates/remnant.ts";

/** A journal that hands all open entries to `write` at each change, before it returns. */
export function journalInto(
  write: (open: readonly Remnant[]) => void,
): Journal & { readonly open: readonly Remnant[] } {
  const entries = new Map<string, Remnant>();
  const save = () => write([...entries.values()]);
  return {
    about(remnant) {
      entries.set(remnantKey(remnant), remnant);
      save();
    },
    settled(remnant) {
      if (entries.delete(remnantKey(remnant))) save();
    },
    get open() {
      return [...entries.values()];
    },
  };
}
