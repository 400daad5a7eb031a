import type { DistributionName, Target } from "../distributions/target.ts";
import { resolveRelease } from "../distributions/ubuntu.ts";
import { exactVersion, isExact } from "../sources/exact-version.ts";
import type { Sources } from "../distributions/distribution.ts";

/** What a person named of what is there: exact versions, ranges over what is there, or nothing for all of a kind. */
export interface Named {
  distribution: DistributionName;
  versions: readonly string[];
  ubuntuRelease: string | undefined;
}

/**
 * Tells whether a target is one of those named.
 * @param there the targets that there are, for ranges to choose from
 * @throws Failure `usage`, or `not-found` for a range that nothing fits
 */
export async function targetMatcher(
  sources: Sources,
  named: Named,
  there: readonly Target[],
): Promise<(target: Target) => boolean> {
  const kind = kindOf(named.distribution);
  const ofKind = there.filter((target) => target.distribution === kind);
  const release = named.ubuntuRelease === undefined ? undefined : await resolveRelease(named.ubuntuRelease, sources);
  const versions =
    kind === "rke2"
      ? await Promise.all(named.versions.map((version) => resolveRelease(version, sources)))
      : await chosenVersions(named.versions, ofKind);
  return (target) =>
    target.distribution === kind &&
    (release === undefined || target.ubuntuRelease === release) &&
    (versions.length === 0 || versions.includes(target.version));
}

/** RKE2 and k3s share their templates, which `targetOfTags` reads as RKE2's. */
function kindOf(distribution: DistributionName): DistributionName {
  return distribution === "k3s" ? "rke2" : distribution;
}

async function chosenVersions(selectors: readonly string[], there: readonly Target[]): Promise<string[]> {
  if (selectors.length === 0) return [];
  const { selectVersion } = await import("../sources/versions.ts");
  return selectors.map((selector) =>
    isExact(selector)
      ? exactVersion(selector)
      : selectVersion(
          selector,
          there.map(({ version }) => version),
        ),
  );
}
