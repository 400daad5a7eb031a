import { Failure } from "../../failure/failure.ts";
import { inEnglish } from "../../failure/in-english.ts";
import { type Http, shownUrl } from "../../http/index.ts";
import { upstreamUrl } from "../upstream-url.ts";
import { octokitFetch } from "./octokit-fetch.ts";
import { type Release, releasePage } from "./schema.ts";

export type { Release } from "./schema.ts";

export interface GitHub {
  /**
   * The releases of a repository ("owner/name"), the newest first, without drafts. Pages are read until `enough` says so, at
   * most 10 of 50; what was read once in a run is not asked for again.
   * @throws Failure, after which another source may be asked; "interrupted" when the run has been
   */
  releases(repository: string, enough: (releases: readonly Release[]) => boolean): Promise<readonly Release[]>;
  /** Why GitHub was of no use in this run; undefined while it answers. Once it has failed it is not asked again. */
  trouble(): Failure | undefined;
}

export interface GitHubOptions {
  /** Sent to the API's origin alone. Without it GitHub takes 60 requests an hour from an address. */
  token?: string;
  /** What GITHUB_API_URL holds; default https://api.github.com. */
  apiUrl?: string;
}

interface Listing {
  releases: Release[];
  next: () => Promise<Release[] | undefined>;
  /** The read that is under way; the next one waits for it. */
  reading: Promise<unknown>;
}

const pageSize = 50;
const maxPages = 10;

/** GitHub's releases. Octokit is loaded when the first repository is asked for: exact versions never need it. */
export function githubSource(http: Http, options: GitHubOptions = {}): GitHub {
  const apiUrl = upstreamUrl(options.apiUrl || "https://api.github.com", "GITHUB_API_URL");
  const listings = new Map<string, Listing>();
  let trouble: Failure | undefined;

  const listing = (repository: string): Listing => {
    const known = listings.get(repository);
    if (known !== undefined) return known;
    const made: Listing = {
      releases: [],
      next: pages(http, apiUrl, options.token, repository),
      reading: Promise.resolve(),
    };
    listings.set(repository, made);
    return made;
  };

  return {
    trouble: () => trouble,
    releases: async (repository, enough) => {
      if (trouble !== undefined) throw trouble;
      const list = listing(repository);
      const read = list.reading.then(async () => {
        while (!enough(list.releases)) {
          const page = await list.next();
          if (page === undefined) break;
          list.releases.push(...page);
        }
      });
      list.reading = read.catch((error: unknown) => {
        if (error instanceof Failure) trouble = error;
      });
      await read;
      return list.releases;
    },
  };
}

/** Gives the pages one after another, undefined after the last. */
function pages(
  http: Http,
  apiUrl: string,
  token: string | undefined,
  repository: string,
): () => Promise<Release[] | undefined> {
  const [owner = "", repo = ""] = repository.split("/");
  let iterator: AsyncIterator<{ data: unknown }> | undefined;
  let read = 0;
  return async () => {
    if (read >= maxPages) return undefined;
    read += 1;
    try {
      iterator ??= await openPages(http, apiUrl, token, owner, repo);
      const step = await iterator.next();
      return step.done === true ? undefined : releasePage.parse(step.value.data, inEnglish);
    } catch (error) {
      throw explained(error, apiUrl, repository, token !== undefined);
    }
  };
}

async function openPages(
  http: Http,
  apiUrl: string,
  token: string | undefined,
  owner: string,
  repo: string,
): Promise<AsyncIterator<{ data: unknown }>> {
  const { GitHub: Octokit } = await import("@actions/github/lib/utils");
  const quiet = (): void => {};
  const octokit = new Octokit({
    baseUrl: apiUrl,
    ...(token === undefined || token === "" ? {} : { auth: `token ${token}` }),
    request: { fetch: octokitFetch(http, apiUrl) },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const all = octokit.paginate.iterator(octokit.rest.repos.listReleases, { owner, repo, per_page: pageSize });
  return all[Symbol.asyncIterator]();
}

function explained(error: unknown, apiUrl: string, repository: string, hadToken: boolean): Failure {
  // Octokit wraps what our fetch throws.
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof Failure) return at;
  const what = `The releases of ${repository} could not be read from ${shownUrl(apiUrl)}`;
  const { status, headers } = answerOf(error);
  if (status === undefined)
    return new Failure("failure", `${what}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}.`, {
      cause: error,
    });
  const limited =
    status === 429 ||
    (status === 403 && (headers["x-ratelimit-remaining"] === "0" || headers["retry-after"] !== undefined));
  if (limited) {
    const reset = Number(headers["x-ratelimit-reset"]);
    const until =
      Number.isFinite(reset) && reset > 0
        ? ` until ${new Date(reset * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`
        : "";
    return new Failure("failure", `${what}: its limit of requests is used up${until}.`, {
      remedy: [
        hadToken
          ? "Wait, or give exact versions."
          : "Give a token (github-token, or GITHUB_TOKEN in the environment), or exact versions.",
      ],
      cause: error,
    });
  }
  const reason = status === 401 ? "the token is not accepted (401)" : `it answered ${status}`;
  return new Failure(status === 401 || status === 403 ? "access" : "failure", `${what}: ${reason}.`, {
    remedy: [
      status === 401
        ? "Give a token that is valid at this address, or none."
        : "Give exact versions, or see GITHUB_API_URL.",
    ],
    cause: error,
  });
}

/** Status and headers of Octokit's RequestError. */
function answerOf(error: unknown): { status?: number; headers: Record<string, unknown> } {
  if (!(error instanceof Error) || !("status" in error) || typeof error.status !== "number") return { headers: {} };
  const response =
    "response" in error ? (error.response as { headers?: Record<string, unknown> } | undefined) : undefined;
  return { status: error.status, headers: response?.headers ?? {} };
}
