import { Failure } from "../../failure/failure.ts";

/** Joliet holds 64 UCS-2 characters in a name; the plain and the Rock Ridge name are made to fit with it. */
const longestName = 64;

/**
 * Refuses names that one of the three namings could not hold unchanged.
 * @throws Failure("failure") for a name that is empty, too long, given twice, or outside A-Z a-z 0-9 . _ -
 */
export function checkNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name) || name.length > longestName) {
      throw new Failure(
        "failure",
        `The file name ${JSON.stringify(name)} cannot be written to an ISO image: ` +
          `names have 1 to ${longestName} characters of A-Z, a-z, 0-9, ".", "_" and "-", and do not begin with ".".`,
      );
    }
    if (seen.has(name)) throw new Failure("failure", `The file name ${JSON.stringify(name)} is given twice.`);
    seen.add(name);
  }
}

/**
 * Plain names after ECMA-119 7.5, interchange level 2: d-characters only, at most 30 of them, one dot, version 1.
 * Readers that know Rock Ridge or Joliet never show them.
 */
export function plainNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const upper = name.toUpperCase();
    const dot = upper.lastIndexOf(".");
    const extension = dot < 0 ? "" : dCharacters(upper.slice(dot + 1)).slice(0, 8);
    const stem = dCharacters(dot < 0 ? upper : upper.slice(0, dot)).slice(0, 30 - extension.length) || "_";
    for (let count = 0; ; count++) {
      const suffix = count === 0 ? "" : String(count);
      const plain = `${stem.slice(0, 30 - extension.length - suffix.length)}${suffix}.${extension}`;
      if (taken.has(plain)) continue;
      taken.add(plain);
      return `${plain};1`;
    }
  });
}

function dCharacters(text: string): string {
  return text.replace(/[^A-Z0-9_]/g, "_");
}
