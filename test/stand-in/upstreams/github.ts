import { type Upstream, type UpstreamAnswer } from "./server.ts";

export interface GitHubRelease {
  tag: string;
  prerelease?: boolean;
  draft?: boolean;
  publishedAt?: Date;
}

export interface GitHubApi {
  serve: Upstream;
  /** By "owner/name", the newest first, as GitHub lists them. */
  releases: Map<string, GitHubRelease[]>;
  /** Answers as it does when the hour's requests are used up. */
  rateLimited: boolean;
  /** A token that is refused. */
  badToken: string | undefined;
}

/** GitHub's REST API, as much of it as lists releases: docs.github.com/rest/releases, rate limits, pagination by Link. */
export function gitHubApi(options: { now: () => Date }): GitHubApi {
  const api: GitHubApi = {
    releases: new Map(),
    rateLimited: false,
    badToken: undefined,
    serve: ({ path, query, headers, base }) => {
      const [, repository] = /^\/repos\/([^/]+\/[^/]+)\/releases$/.exec(path) ?? [];
      const all = repository === undefined ? undefined : api.releases.get(repository);
      const reset = String(Math.floor(options.now().getTime() / 1000) + 1800);
      const limit = { "x-ratelimit-limit": "60", "x-ratelimit-reset": reset, "x-ratelimit-resource": "core" };
      if (api.badToken !== undefined && String(headers["authorization"] ?? "").includes(api.badToken)) {
        return json(
          401,
          { message: "Bad credentials", documentation_url: "https://docs.github.com/rest", status: "401" },
          limit,
        );
      }
      if (api.rateLimited) {
        return json(
          403,
          { message: "API rate limit exceeded for 127.0.0.1.", documentation_url: "https://docs.github.com/rest" },
          { ...limit, "x-ratelimit-remaining": "0" },
        );
      }
      if (all === undefined)
        return json(
          404,
          { message: "Not Found", documentation_url: "https://docs.github.com/rest", status: "404" },
          limit,
        );
      const size = Math.min(100, Number(query.get("per_page") ?? 30));
      const page = Number(query.get("page") ?? 1);
      const last = Math.max(1, Math.ceil(all.length / size));
      const link = (to: number, rel: string): string => `<${base}${path}?per_page=${size}&page=${to}>; rel="${rel}"`;
      const links = [
        ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
        ...(page > 1 ? [link(page - 1, "prev"), link(1, "first")] : []),
      ];
      return json(200, all.slice((page - 1) * size, page * size).map(row), {
        ...limit,
        "x-ratelimit-remaining": "59",
        ...(links.length === 0 ? {} : { link: links.join(", ") }),
      });
    },
  };
  return api;
}

function row(release: GitHubRelease, index: number): Record<string, unknown> {
  const at = (release.publishedAt ?? new Date("2026-11-01T00:00:00Z")).toISOString();
  return {
    id: 1000 + index,
    tag_name: release.tag,
    name: release.tag,
    target_commitish: "main",
    draft: release.draft ?? false,
    prerelease: release.prerelease ?? /-(alpha|beta|rc)\./.test(release.tag),
    immutable: false,
    created_at: at,
    published_at: at,
    html_url: `https://example.org/releases/tag/${release.tag}`,
    body: "",
    assets: [],
  };
}

function json(status: number, value: unknown, headers: Record<string, string>): UpstreamAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify(value),
  };
}
