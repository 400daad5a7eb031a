import english from "zod/v4/locales/en.js";

let words: ReturnType<typeof english>["localeError"] | undefined;

/**
 * Given to `parse` and `safeParse` wherever zod's own words may reach a person: `zod/mini` comes without a language and
 * would say "Invalid input" of everything. A schema's own message still goes before these.
 */
export const inEnglish = {
  error: (issue: Parameters<NonNullable<typeof words>>[0]) => (words ??= english().localeError)(issue),
};
