import { removalCommands, sayRemnant, type Remnant } from "../templates/remnant.ts";
import type { Left } from "../templates/undo.ts";

/** What is left and how it is removed, a line each. */
export function sayRemains(remnants: readonly Remnant[], why?: (remnant: Remnant) => string | undefined): string[] {
  return remnants.flatMap((remnant) => {
    const reason = why?.(remnant);
    return [
      `left: ${sayRemnant(remnant)}${reason ? ` (${reason})` : ""}`,
      ...removalCommands(remnant).map((command) => `  ${command}`),
    ];
  });
}

export function sayLeft(left: readonly Left[]): string[] {
  return sayRemains(
    left.map(({ remnant }) => remnant),
    (remnant) => left.find((one) => one.remnant === remnant)?.why,
  );
}
