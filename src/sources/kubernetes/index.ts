import { Failure } from "../../failure/failure.ts";
import { inEnglish } from "../../failure/in-english.ts";
import { type Http, shownUrl } from "../../http/index.ts";
import type { GitHub } from "../github/index.ts";
import { releasedTags } from "../newest.ts";
import { Once } from "../once.ts";
import { publicUpstreamUrl, upstreamUrl } from "../upstream-url.ts";
import { exactVersion, isExact } from "../exact-version.ts";
import { checkSelector, matchingVersions, mayFitMinor, nearestVersions, noneFits } from "../versions.ts";
import { compareDebianVersions } from "./debian-version.ts";
import { openRepository, type Repository } from "./repository.ts";
import { versionFile } from "./schema.ts";

/** Fingerprint of the key that signs pkgs.k8s.io. Its bytes are fetched at build time: every copy of them ends some day. */
export const kubernetesKeyFingerprint = "DE15B14486CD377B9E876E1A234654DA9A296436";

export interface KubernetesPackages {
  /** vX.Y.Z */
  version: string;
  arch: "amd64" | "arm64";
  /** For apt's sources: …/core:/stable:/v1.37/deb/ */
  repositoryUrl: string;
  /** The repository's key alone, armored, for apt's `signed-by`. */
  key: { armored: string; fingerprint: string; expires?: Date };
  /** Debian versions, exact, such as 1.37.1-1.1. */
  kubeadm: string;
  kubelet: string;
  kubectl: string;
  criTools: string;
  kubernetesCni: string;
  /** Who signed the index that these versions are from. */
  verified: { signer: string; signedAt: Date };
}

export interface KubernetesSource {
  /**
   * The version as vX.Y.Z: an exact one as it is, without asking; else the newest that fits (undefined: "latest") among
   * GitHub's releases, or by dl.k8s.io when GitHub does not answer, whose packages are in the repository of its minor.
   * @throws Failure "usage", "not-found", "verification", or what Http throws
   */
  resolve(selector: string | undefined): Promise<string>;
  /**
   * The exact packages of a version, from the proven index of its minor.
   * @throws Failure "not-found" when the minor or the version is not published; "verification" when something does not hold
   */
  packages(version: string, arch: "amd64" | "arm64"): Promise<KubernetesPackages>;
}

export interface KubernetesOptions {
  /** Default https://pkgs.k8s.io. */
  packagesUrl?: string;
  /** Default https://dl.k8s.io. */
  releasesUrl?: string;
  /** Default the project's own key. */
  keyFingerprint?: string;
  now: () => Date;
}

const releasesOption = "--kubernetes-releases-url";
const repositoryOnGitHub = "kubernetes/kubernetes";
/** How many minors are gone through for a version whose packages are there. */
const minorsTried = 3;

/** Kubernetes' versions and Debian packages, from pkgs.k8s.io (kubernetes/release pkg/obs) and dl.k8s.io. */
export function kubernetesSource(http: Http, github: GitHub, options: KubernetesOptions): KubernetesSource {
  const packagesUrl = publicUpstreamUrl(options.packagesUrl ?? "https://pkgs.k8s.io", "--kubernetes-packages-url");
  const releasesUrl = upstreamUrl(options.releasesUrl ?? "https://dl.k8s.io", releasesOption);
  const repositories = new Once<Repository>();
  const channels = new Once<string | undefined>();

  /** What dl.k8s.io says is the newest stable version, of all or of a minor; undefined: it knows no such minor. */
  const stable = (minor?: string): Promise<string | undefined> =>
    channels.get(minor ?? "", async () => {
      const url = `${releasesUrl}/release/stable${minor === undefined ? "" : `-${minor}`}.txt`;
      const answer = await http(url, {
        maxBytes: 1024,
        expect: minor === undefined ? [] : [404],
        mirrorOption: releasesOption,
      });
      if (answer.status === 404) return undefined;
      const parsed = versionFile.safeParse(answer.text(), inEnglish);
      if (parsed.success) return parsed.data;
      throw new Failure("failure", `${shownUrl(url)} did not answer with a version.`, { cause: parsed.error });
    });

  const newestStable = async (): Promise<string> => (await stable()) ?? "";

  const repository = (minor: string): Promise<Repository> =>
    repositories.get(minor, () =>
      openRepository(http, minor, {
        packagesUrl,
        keyFingerprint: options.keyFingerprint ?? kubernetesKeyFingerprint,
        now: options.now,
        newestMinor: async () => minorOf(await newestStable()),
      }),
    );

  /** Versions of the candidates, the newest first, whose packages are there; goes on to the next minor where one is not. */
  const packaged = async (candidates: readonly string[]): Promise<string | undefined> => {
    const minors = [...new Set(candidates.map(minorOf))].slice(0, minorsTried);
    for (const minor of minors) {
      const there = await publishedVersions(repository(minor));
      const newest = candidates.find((candidate) => there.has(candidate));
      if (newest !== undefined) return newest;
    }
    return undefined;
  };

  const resolveByTags = async (selector: string, tags: readonly string[]): Promise<string> => {
    const candidates = matchingVersions(selector, tags);
    if (candidates.length === 0) throw noneFits(selector, tags, "Kubernetes");
    const version = await packaged(candidates);
    if (version !== undefined) return version;
    throw new Failure(
      "not-found",
      `Kubernetes ${candidates[0]} fits ${JSON.stringify(selector)}, and ${shownUrl(packagesUrl)} has no packages of it.`,
      {
        remedy: ["Packages come some time after a release, and only of stable versions; take an older range."],
      },
    );
  };

  /** Without GitHub: from the newest stable minor downwards, by what each minor's channel and repository say. */
  const resolveByChannels = async (selector: string): Promise<string> => {
    const newest = await newestStable();
    const [first = "", last = "0"] = minorOf(newest).split(".");
    const seen: string[] = [newest];
    let tried = 0;
    for (let at = Number(last); at >= 0 && at > Number(last) - 12 && tried < minorsTried; at -= 1) {
      const minor = `${first}.${at}`;
      if (!mayFitMinor(selector, minor)) continue;
      tried += 1;
      const [channel, there] = await Promise.all([stable(minor), publishedVersions(repository(minor))]);
      if (channel === undefined) continue;
      seen.push(channel, ...there);
      // A patch can be packaged some hours before it is announced; its channel says which one counts.
      const [match] = matchingVersions(
        selector,
        [...there].filter((version) => compareDebianVersions(version.slice(1), channel.slice(1)) <= 0),
      );
      if (match !== undefined) return match;
    }
    throw noneFits(selector, seen, "Kubernetes");
  };

  return {
    resolve: async (selector = "latest") => {
      if (isExact(selector)) return exactVersion(selector);
      checkSelector(selector);
      const tags = await releasedTags(github, repositoryOnGitHub, selector);
      return tags === undefined ? await resolveByChannels(selector) : await resolveByTags(selector, tags);
    },
    packages: async (given, arch) => {
      const version = exactVersion(given);
      const { url, key, verified, packages } = await repository(minorOf(version));
      const newestOf = (name: string, start = ""): string | undefined =>
        packages
          .filter((entry) => entry.name === name && entry.arch === arch && entry.version.startsWith(start))
          .map((entry) => entry.version)
          .toSorted(compareDebianVersions)
          .at(-1);
      const need = (name: string, start?: string): string => {
        const found = newestOf(name, start);
        if (found !== undefined) return found;
        throw missing(
          name,
          version,
          arch,
          url,
          packages
            .filter((entry) => entry.name === name && entry.arch === arch)
            .map((entry) => `v${upstreamOf(entry.version)}`),
        );
      };
      const ours = `${version.slice(1)}-`;
      return {
        version,
        arch,
        repositoryUrl: url,
        key,
        kubeadm: need("kubeadm", ours),
        kubelet: need("kubelet", ours),
        kubectl: need("kubectl", ours),
        criTools: need("cri-tools"),
        kubernetesCni: need("kubernetes-cni"),
        verified,
      };
    },
  };
}

/** The minor of vX.Y.Z as X.Y. */
function minorOf(version: string): string {
  return version.replace(/^v/, "").split(".").slice(0, 2).join(".");
}

function upstreamOf(debianVersion: string): string {
  return debianVersion.replace(/-[^-]*$/, "");
}

/** Versions of which all three packages are there, as vX.Y.Z; none where the minor is not published. */
async function publishedVersions(repository: Promise<Repository>): Promise<Set<string>> {
  const opened = await repository.catch((error: unknown) => {
    if (error instanceof Failure && error.kind === "not-found") return undefined;
    throw error;
  });
  const of = (name: string): Set<string> =>
    new Set(
      (opened?.packages ?? []).filter((entry) => entry.name === name).map((entry) => `v${upstreamOf(entry.version)}`),
    );
  const [kubelet, kubectl] = [of("kubelet"), of("kubectl")];
  return new Set([...of("kubeadm")].filter((version) => kubelet.has(version) && kubectl.has(version)));
}

function missing(name: string, version: string, arch: string, url: string, there: readonly string[]): Failure {
  const near = nearestVersions(version, there);
  return new Failure("not-found", `${shownUrl(url)} has no package ${name} of ${version} for ${arch}.`, {
    remedy: [
      near.length === 0 ? `It has no ${name} for ${arch} at all.` : `The nearest that there are: ${near.join(", ")}.`,
    ],
  });
}
