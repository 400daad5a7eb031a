import { exactVersion, isExact } from "../sources/exact-version.ts";

interface Resolver {
  resolve(selector: string | undefined): Promise<string>;
}

/** Exact versions by themselves: their source, with all that it loads, is asked for the others alone. */
export async function resolveVersions(
  selectors: readonly string[],
  source: () => Promise<Resolver>,
): Promise<string[]> {
  if (selectors.length === 0) return [await (await source()).resolve(undefined)];
  return await Promise.all(
    selectors.map(async (selector) =>
      isExact(selector) ? exactVersion(selector) : await (await source()).resolve(selector),
    ),
  );
}
