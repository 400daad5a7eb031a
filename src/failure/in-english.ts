import english from "zod/v4/locales/en.js";

/**
 * Given to `parse` and `safeParse` wherever zod's own words may reach a person: `zod/mini` comes without a language and
 * would say "Invalid input" of everything. A schema's own message still goes before these.
 */
export const inEnglish = { error: english().localeError };
