import { Failure } from "../failure/failure.ts";
import type { GitHub, Release } from "./github/index.ts";
import { matchingVersions } from "./versions.ts";

// Supported minors are patched within days of each other; what is a month older cannot be followed by a newer match.
const settledMs = 31 * 86_400_000;

/**
 * The tags of a project's releases on GitHub as far as the selector needs them; undefined when GitHub does not answer, so
 * that the token-free source of the project decides. Who forged this answer could at most choose among versions that the
 * source which serves the bits has too.
 */
export async function releasedTags(
  github: GitHub,
  repository: string,
  selector: string,
): Promise<string[] | undefined> {
  try {
    return tagsOf(await github.releases(repository, (releases) => isEnough(releases, selector)));
  } catch (error) {
    if (error instanceof Failure && error.kind !== "interrupted") return undefined;
    throw error;
  }
}

/** A release flagged as a prerelease under a plain version is not stable yet, whatever its tag says. */
function tagsOf(releases: readonly Release[]): string[] {
  return releases.filter((release) => !release.prerelease || release.tag.includes("-")).map((release) => release.tag);
}

function isEnough(releases: readonly Release[], selector: string): boolean {
  const [newest] = matchingVersions(selector, tagsOf(releases));
  const match = releases.find((release) => release.tag.replace(/^v/, "") === newest?.slice(1))?.publishedAt;
  if (match === undefined) return false;
  return releases.some(
    (release) => release.publishedAt !== undefined && match.getTime() - release.publishedAt.getTime() > settledMs,
  );
}
