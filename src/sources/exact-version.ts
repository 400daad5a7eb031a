import { Failure } from "../failure/failure.ts";

const version = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;

/** Whether the selector is one whole version, such as v1.37.1, 1.37.1 or 1.38.0-rc.0, for which nothing has to be looked up. */
export function isExact(selector: string): boolean {
  return version.test(selector.trim());
}

/** An exact version as this product writes it: vX.Y.Z. @throws Failure "usage" when it is none */
export function exactVersion(selector: string): string {
  if (!isExact(selector)) throw nonsense(selector);
  return `v${selector.trim().replace(/^v/, "")}`;
}

export function nonsense(selector: string, cause?: unknown): Failure {
  return new Failure(
    "usage",
    `${JSON.stringify(selector.slice(0, 80))} is neither a version nor a range of versions.`,
    {
      remedy: ['Versions are given as v1.37.1, ~1.36, 1.37.x, ">=1.36 <1.38" or latest.'],
      cause,
    },
  );
}
