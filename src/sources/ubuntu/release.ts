import { Failure } from "../../failure/failure.ts";

/** Codenames that need no look-up. Any other is looked up by its directory. */
const codenames: Readonly<Record<string, string>> = {
  focal: "20.04",
  jammy: "22.04",
  noble: "24.04",
  oracular: "24.10",
  plucky: "25.04",
  questing: "25.10",
  resolute: "26.04",
};

/** What a release is asked for by. */
export type ReleaseSelector =
  /** This one: 26.04. */
  | { kind: "number"; release: string }
  /** A codename that has to be looked up. */
  | { kind: "codename"; codename: string }
  /** The newest LTS release that fits. */
  | { kind: "newest"; fits: (release: string) => boolean };

/**
 * Reads a number (26.04), a codename (noble), "latest" or comparisons (">=24.04 <26.10").
 * @throws Failure "usage"
 */
export function parseSelector(selector: string | undefined): ReleaseSelector {
  const text = (selector ?? "latest").trim().toLowerCase();
  if (text === "latest") return { kind: "newest", fits: () => true };
  if (/^v?\d\d\.\d\d$/.test(text)) return { kind: "number", release: text.replace("v", "") };
  const known = Object.hasOwn(codenames, text) ? codenames[text] : undefined;
  if (known !== undefined) return { kind: "number", release: known };
  if (/^[a-z]{3,20}$/.test(text)) return { kind: "codename", codename: text };
  const comparisons = text.split(/\s+/).map((part) => /^(>=|<=|>|<|=)v?(\d\d\.\d\d)$/.exec(part));
  if (comparisons.some((comparison) => comparison === null)) throw nonsense(selector ?? "");
  return {
    kind: "newest",
    fits: (release) =>
      comparisons.every(
        (comparison) => comparison !== null && holds(release, comparison[1] ?? "", comparison[2] ?? ""),
      ),
  };
}

/**
 * The LTS releases that can be out by that day, the newest first: those of April in even years, since 2022 of which
 * `GET /releases/<number>` has a signed list. Whether the newest is out already only its list tells.
 */
export function possibleLts(now: Date): string[] {
  const year = now.getUTCFullYear() % 100;
  const afterApril = now.getUTCMonth() >= 3;
  const newest = year % 2 === 0 ? (afterApril ? year : year - 2) : year - 1;
  const releases: string[] = [];
  for (let at = newest; at >= 20; at -= 2) releases.push(`${at}.04`);
  return releases;
}

// Both numbers have two digits, so they compare as text.
function holds(release: string, operator: string, wanted: string): boolean {
  switch (operator) {
    case ">=":
      return release >= wanted;
    case "<=":
      return release <= wanted;
    case ">":
      return release > wanted;
    case "<":
      return release < wanted;
    default:
      return release === wanted;
  }
}

function nonsense(selector: string): Failure {
  return new Failure("usage", `${JSON.stringify(selector.slice(0, 80))} is not an Ubuntu release.`, {
    remedy: [
      'Releases are given as 26.04, noble, latest (the newest LTS) or ">=24.04"; point releases (24.04.3) are part of 24.04.',
    ],
  });
}
