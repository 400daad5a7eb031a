import { notFound, type Upstream } from "./server.ts";

export interface KubernetesReleases {
  serve: Upstream;
  /** Every version that has been released, without v. */
  versions: Set<string>;
}

/** dl.k8s.io: release/stable.txt, stable-1.NN.txt, latest.txt and latest-1.NN.txt, one version each. */
export function kubernetesReleases(): KubernetesReleases {
  const releases: KubernetesReleases = {
    versions: new Set(),
    serve: ({ path }) => {
      const [, channel, minor] = /^\/release\/(stable|latest)(?:-(\d+\.\d+))?\.txt$/.exec(path) ?? [];
      const [newest] = [...releases.versions]
        .filter((version) => channel === "latest" || !version.includes("-"))
        .filter((version) => minor === undefined || version.startsWith(`${minor}.`))
        .toSorted(newestFirst);
      if (channel === undefined || newest === undefined) return notFound();
      return { status: 200, headers: { "content-type": "text/plain" }, body: `v${newest}` };
    },
  };
  return releases;
}

/** Orders versions by their numbers, a prerelease before its release. */
export function newestFirst(left: string, right: string): number {
  const parts = (version: string): number[] => (version.split("-")[0] ?? "").split(".").map(Number);
  const [a, b] = [parts(left), parts(right)];
  for (let at = 0; at < 3; at += 1) if (a[at] !== b[at]) return (b[at] ?? 0) - (a[at] ?? 0);
  return Number(left.includes("-")) - Number(right.includes("-")) || right.localeCompare(left, "en", { numeric: true });
}
