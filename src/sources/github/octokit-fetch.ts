import { Failure } from "../../failure/failure.ts";
import { type Http, shownUrl } from "../../http/index.ts";

/** Statuses that Octokit is to read itself: its error then carries the rate limit's headers. */
const answered = [304, 400, 401, 403, 404, 410, 422, 429, 451];
// A page of releases with many assets is several MB of JSON before it is compressed.
const pageBytes = 32 * 1024 * 1024;

/**
 * Octokit's fetch over our own way out, so that proxies, bounds, retries and the count of bytes are the same everywhere.
 * The token goes to the API's origin alone, wherever a Link header points.
 */
export function octokitFetch(http: Http, apiUrl: string): typeof fetch {
  const { origin } = new URL(apiUrl);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin)
      throw new Failure("failure", `GitHub's answer points to ${shownUrl(url)}, away from ${origin}; not followed.`);
    const answer = await http(url.href, {
      method: "GET",
      headers: Object.fromEntries(new Headers(init?.headers).entries()),
      expect: answered,
      maxBytes: pageBytes,
      // There is another source for everything that is asked here.
      attempts: 2,
      timeoutSeconds: 20,
      compressed: true,
    });
    const { "content-encoding": _undone, "content-length": _changed, ...headers } = answer.headers;
    return new Response(answer.status === 304 ? null : Buffer.from(answer.body), { status: answer.status, headers });
  };
}
