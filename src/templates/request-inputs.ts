import * as z from "zod/mini";
import { distributionNames } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";

/** What a person typed, by the names of the Action's inputs; '' and undefined both mean unset. */
export type RawInputs = Readonly<Record<string, string | undefined>>;

/** How an input is called where the person gave it: `ubuntu-release` or `--ubuntu-release`. */
export type NameInput = (input: string) => string;

export const flag = z.pipe(
  z.string().check(z.regex(/^(true|false)$/i, "wants true or false")),
  z.transform((text) => text.toLowerCase() === "true"),
);
export const wholeNumber = (low: number, high: number, unit: string) =>
  z.pipe(
    z.string(),
    z.transform((text, { issues }) => {
      const number = Number(text);
      const refuse = (message: string) => issues.push({ code: "custom", message, input: text });
      if (!/^\d{1,6}$/.test(text)) refuse(`wants a whole number${unit}`);
      else if (number < low || number > high) refuse(`wants a number from ${low} to ${high}${unit}`);
      return number;
    }),
  );
export const node = z.string().check(z.regex(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, "is not a node's name"));
export const storage = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9\-_.]*[A-Za-z0-9]$/, "is not a storage's name"));
export const pool = z.string().check(z.regex(/^[A-Za-z0-9\-_.]+(\/[A-Za-z0-9\-_.]+){0,2}$/, "is not a pool's name"));
export const bridge = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,14}$/, "is not a bridge's name"));
export const lines = z.pipe(
  z.string(),
  z.transform((text) =>
    text
      .split(/[\n,]+/)
      .map((line) => line.trim())
      .filter(Boolean),
  ),
);
export const words = z.pipe(
  z.string(),
  z.transform((text) => text.split(/[\s,]+/).filter(Boolean)),
);

const units = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
/** Milliseconds. */
export const age = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,3}[mhdw]$/, "wants a number and m, h, d or w, such as 7d")),
  z.transform((text) => Number(text.slice(0, -1)) * units[text.at(-1) as keyof typeof units]),
);

export const distribution = z.enum(distributionNames, `is one of ${distributionNames.join(", ")}`);

/**
 * Checks what was typed; every problem is told at once, by the name of its input.
 * @throws Failure `usage`
 */
export function checkInputs<T>(schema: z.ZodMiniType<T>, raw: RawInputs, name: NameInput): T {
  const set = Object.fromEntries(
    Object.entries(raw).flatMap(([key, text]) => (text?.trim() ? [[key, text.trim()]] : [])),
  );
  const checked = schema.safeParse(set, inEnglish);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map((issue) => {
    const input = String(issue.path[0]);
    return set[input] === undefined
      ? `${name(input)} is missing: it ${issue.message}`
      : `${name(input)} ${issue.message}, not ${JSON.stringify(set[input])}`;
  });
  throw new Failure("usage", problems.join("; "));
}
