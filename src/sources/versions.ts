import Range from "semver/classes/range.js";
import compare from "semver/functions/compare.js";
import major from "semver/functions/major.js";
import minor from "semver/functions/minor.js";
import prerelease from "semver/functions/prerelease.js";
import rcompare from "semver/functions/rcompare.js";
import intersects from "semver/ranges/intersects.js";
import minVersion from "semver/ranges/min-version.js";
import { Failure } from "../failure/failure.ts";
import { exactVersion, isExact, nonsense } from "./exact-version.ts";

/**
 * The versions among the candidates that the selector fits, as vX.Y.Z, the newest first. A selector is an exact version, a
 * range (~1.36, 1.37.x, 1.37, ">=1.36 <1.38") or "latest", each with or without v. Candidates that are no plain version
 * (such as the tag pkg/machinery/v1.2.3) are passed over; prereleases count only where the range names one.
 * @throws Failure "usage" for a selector that is none of these
 */
export function matchingVersions(selector: string, candidates: Iterable<string>): string[] {
  const fits = matcher(selector);
  return plain(candidates)
    .filter((candidate) => fits(candidate))
    .map((candidate) => `v${candidate}`);
}

/**
 * The newest version among the candidates that the selector fits, as vX.Y.Z. `what` names the thing in messages ("Talos").
 * @throws Failure "usage" for a selector that is none; "not-found" with the nearest versions when nothing fits
 */
export function selectVersion(selector: string, candidates: Iterable<string>, what = "version"): string {
  const all = [...candidates];
  const [newest] = matchingVersions(selector, all);
  if (newest !== undefined) return newest;
  throw noneFits(selector, all, what);
}

/** The failure when nothing fits, with the nearest versions that there are. */
export function noneFits(selector: string, candidates: Iterable<string>, what: string): Failure {
  const near = nearestVersions(selector, candidates);
  return new Failure(
    "not-found",
    `No ${what === "version" ? "version" : `${what} version`} fits ${JSON.stringify(selector)}.`,
    {
      remedy: [
        near.length === 0 ? "There is no version to choose from." : `The nearest that there are: ${near.join(", ")}.`,
      ],
    },
  );
}

/** Up to four versions that are there and closest to what the selector asks for, the newest first. */
export function nearestVersions(selector: string, candidates: Iterable<string>): string[] {
  const all = plain(candidates);
  const stable = all.filter((candidate) => prerelease(candidate) === null);
  const pool = stable.length > 0 ? stable : all;
  const wanted = isExact(selector) ? exactVersion(selector) : lowest(selector);
  if (wanted === undefined) return pool.slice(0, 3).map(withV);
  const sameMinor = pool.find((candidate) => major(candidate) === major(wanted) && minor(candidate) === minor(wanted));
  const below = pool.find((candidate) => compare(candidate, wanted) < 0);
  const above = pool.findLast((candidate) => compare(candidate, wanted) > 0);
  const near = [pool[0], sameMinor, below, above].filter((candidate) => candidate !== undefined);
  return [...new Set(near)].toSorted(rcompare).map(withV);
}

/** Says whether the text can select versions at all, before anybody is asked. @throws Failure "usage" */
export function checkSelector(selector: string): void {
  if (!isExact(selector)) rangeOf(selector);
}

/** Whether any version of that minor (as 1.37), prereleases left aside, could fit. "latest" fits them all. */
export function mayFitMinor(selector: string, minorVersion: string): boolean {
  const range = rangeOf(selector);
  return range === undefined || intersects(range, new Range(`${minorVersion}.x`));
}

/** The lowest version that a range takes; undefined for "latest". */
function lowest(selector: string): string | undefined {
  const range = rangeOf(selector);
  return range === undefined ? undefined : (minVersion(range)?.version ?? undefined);
}

function matcher(selector: string): (candidate: string) => boolean {
  const range = rangeOf(selector);
  return range === undefined ? (candidate) => prerelease(candidate) === null : (candidate) => range.test(candidate);
}

/** Undefined: "latest". */
function rangeOf(selector: string): Range | undefined {
  const text = selector.trim();
  if (text.toLowerCase() === "latest") return undefined;
  // semver reads "" and "||" as "anything"; here they are a slip.
  if (text.length > 200 || !/\d|^[x*]$/i.test(text)) throw nonsense(selector);
  try {
    return new Range(text);
  } catch (error) {
    throw nonsense(selector, error);
  }
}

/** Without v, the newest first, each once. */
function plain(candidates: Iterable<string>): string[] {
  const versions = new Set<string>();
  for (const candidate of candidates)
    if (isExact(candidate) && candidate === candidate.trim()) versions.add(candidate.replace(/^v/, ""));
  return [...versions].toSorted(rcompare);
}

function withV(candidate: string): string {
  return `v${candidate}`;
}
