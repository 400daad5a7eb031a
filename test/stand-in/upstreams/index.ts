import { type ImageFactory, imageFactory } from "./factory.ts";
import { type GitHubApi, gitHubApi } from "./github.ts";
import { testKey, withExpiry } from "./keys.ts";
import { type KubernetesReleases, kubernetesReleases, newestFirst } from "./kubernetes-releases.ts";
import { type DebOf, type PackageRepository, packageRepository, type PackagesTampering } from "./packages.ts";
import { type FaultRule, serveUpstreams, type UpstreamEntry } from "./server.ts";
import { type GivenImage, type UbuntuMirror, ubuntuMirror, type UbuntuTampering } from "./ubuntu.ts";

export { imageLabel, type ImageLabel, virtualSize } from "./qcow2.ts";
export type { FaultRule, UpstreamEntry, UpstreamFault } from "./server.ts";
export type { PackagesTampering } from "./packages.ts";
export type { UbuntuTampering } from "./ubuntu.ts";

export interface UpstreamsOptions {
  /** Serve over TLS with this key and certificate (PEM); default plain http, which an address given by hand may be. */
  tls?: { key: string; cert: string };
  port?: number;
  latencyMs?: number;
  /** The time of day in this world; default the real one. Lists are signed a day before it. */
  now?: () => Date;
  /** The end of the package repository's key; default two years from now. */
  kubernetesKeyExpires?: Date;
  /** A real image in the place of one release's empty one. */
  ubuntuImage?: GivenImage;
  /** Real Kubernetes packages in the place of empty ones. */
  debOf?: DebOf;
  /** Released versions, instead of the default ones. */
  talos?: readonly string[];
  kubernetes?: readonly string[];
}

export interface Upstreams {
  ubuntuUrl: string;
  talosFactoryUrl: string;
  kubernetesPackagesUrl: string;
  kubernetesReleasesUrl: string;
  githubApiUrl: string;
  /** Armored public key that signs the Ubuntu lists. */
  ubuntuKeyring: string;
  ubuntuFingerprint: string;
  kubernetesKeyFingerprint: string;
  /**
   * The Action's inputs, and the command's environment, that point the product at this world. The keyring is an option
   * that takes a file, so it is not here; the address of GitHub's API is the runner's, so it is no input.
   */
  inputs: Record<string, string>;
  environment: Record<string, string>;
  /** Every request, in order. */
  transcript: UpstreamEntry[];
  /** Makes requests fail; the function it gives ends that. */
  fault(rule: FaultRule): () => void;
  setLatency(ms: number): void;

  /** Talos version without or with v; where it is already out. */
  addTalos(version: string, where?: { github?: boolean; factory?: boolean; image?: boolean }): void;
  /** The factory lists the version and has no image of it, or has it again. */
  setTalosImage(version: string, there: boolean): void;
  /** The factory answers this ID to every schematic; undefined: the right one. */
  answerSchematicId(id: string | undefined): void;
  /** Schematics that were posted read "not found" until they are posted again. */
  forgetSchematics(): void;

  addKubernetes(
    version: string,
    where?: { github?: boolean; packages?: boolean; releases?: boolean; revisions?: readonly string[] },
  ): void;
  /** The key's time ends then; for these minors only, or everywhere. */
  setKubernetesKeyExpiry(expires: Date, minors?: readonly string[]): Promise<void>;
  tamperKubernetes(how: PackagesTampering | undefined): void;

  replaceUbuntuImage(release: string, serial?: string): void;
  tamperUbuntu(release: string, how: UbuntuTampering | undefined): void;
  addUbuntu(release: string, codename: string, serial: string): void;
  /** Bytes served under a name, e.g. to know a digest. */
  ubuntuFile(release: string, name: string): Uint8Array | undefined;

  setRateLimited(limited: boolean): void;
  setBadToken(token: string | undefined): void;

  /** The servers themselves, for what the functions above do not reach. */
  world: {
    ubuntu: UbuntuMirror;
    factory: ImageFactory;
    packages: PackageRepository;
    releases: KubernetesReleases;
    github: GitHubApi;
  };
  close(): Promise<void>;
}

const talosVersions = ["1.14.4", "1.14.3", "1.14.2", "1.13.10", "1.13.9", "1.12.12", "1.15.0-alpha.0"];
const kubernetesVersions = ["1.37.1", "1.37.0", "1.36.4", "1.36.3", "1.35.8", "1.34.11", "1.38.0-alpha.1"];
const talosRepository = "siderolabs/talos";
const kubernetesRepository = "kubernetes/kubernetes";
const dayMs = 86_400_000;

/** Starts every upstream on one loopback port: Ubuntu, Image Factory, pkgs.k8s.io, dl.k8s.io and GitHub's API. */
export async function startUpstreams(options: UpstreamsOptions = {}): Promise<Upstreams> {
  const now = options.now ?? (() => new Date());
  const signedAt = (): Date => new Date(Math.floor((now().getTime() - dayMs) / 1000) * 1000);
  const [ubuntuKey, plainPackagesKey, otherKey] = await Promise.all([
    testKey("Ubuntu"),
    testKey("Kubernetes"),
    testKey("Somebody Else"),
  ]);
  const longAgo = new Date("2024-01-01T00:00:00Z");
  const packagesKey = await withExpiry(
    plainPackagesKey,
    options.kubernetesKeyExpires ?? new Date(now().getTime() + 730 * dayMs),
    longAgo,
  );

  const ubuntu = ubuntuMirror({
    key: ubuntuKey,
    otherKey,
    signedAt,
    ...(options.ubuntuImage === undefined ? {} : { image: options.ubuntuImage }),
  });
  const factory = imageFactory();
  const packages = packageRepository({
    key: packagesKey,
    signingKey: plainPackagesKey,
    otherKey,
    signedAt,
    ...(options.debOf === undefined ? {} : { debOf: options.debOf }),
  });
  const releases = kubernetesReleases();
  const github = gitHubApi({ now });
  // Talos tags its Go module too; such a tag is no release of the system.
  github.releases.set(talosRepository, [{ tag: "pkg/machinery/v1.99.0" }]);
  github.releases.set(kubernetesRepository, []);

  const server = await serveUpstreams({
    upstreams: {
      ubuntu: ubuntu.serve,
      factory: factory.serve,
      packages: packages.serve,
      releases: releases.serve,
      github: github.serve,
    },
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.latencyMs === undefined ? {} : { latencyMs: options.latencyMs }),
  });

  const addRelease = (repository: string, version: string): void => {
    const tag = `v${version}`;
    const list = (github.releases.get(repository) ?? []).filter((release) => release.tag !== tag);
    github.releases.set(repository, [{ tag, publishedAt: signedAt() }, ...list]);
  };

  const upstreams: Upstreams = {
    ubuntuUrl: server.urls.ubuntu,
    talosFactoryUrl: server.urls.factory,
    kubernetesPackagesUrl: server.urls.packages,
    kubernetesReleasesUrl: server.urls.releases,
    githubApiUrl: server.urls.github,
    ubuntuKeyring: ubuntuKey.publicKey,
    ubuntuFingerprint: ubuntuKey.fingerprint,
    kubernetesKeyFingerprint: packagesKey.fingerprint,
    inputs: {
      "ubuntu-url": server.urls.ubuntu,
      "talos-factory-url": server.urls.factory,
      "kubernetes-packages-url": server.urls.packages,
      "kubernetes-releases-url": server.urls.releases,
      "kubernetes-key-fingerprint": packagesKey.fingerprint,
    },
    environment: {
      KUBEHENGE_UBUNTU_URL: server.urls.ubuntu,
      KUBEHENGE_TALOS_FACTORY_URL: server.urls.factory,
      KUBEHENGE_KUBERNETES_PACKAGES_URL: server.urls.packages,
      KUBEHENGE_KUBERNETES_RELEASES_URL: server.urls.releases,
      KUBEHENGE_KUBERNETES_KEY_FINGERPRINT: packagesKey.fingerprint,
      GITHUB_API_URL: server.urls.github,
    },
    transcript: server.transcript,
    fault: server.fault,
    setLatency: server.setLatency,

    addTalos: (given, { github: onGitHub = true, factory: inFactory = true, image = true } = {}) => {
      const version = given.replace(/^v/, "");
      if (onGitHub) addRelease(talosRepository, version);
      if (inFactory) factory.versions.add(`v${version}`);
      if (!image) factory.withoutImages.add(`v${version}`);
    },
    setTalosImage: (given, there) => {
      const version = `v${given.replace(/^v/, "")}`;
      if (there) factory.withoutImages.delete(version);
      else factory.withoutImages.add(version);
    },
    answerSchematicId: (id) => {
      factory.answerId = id;
    },
    forgetSchematics: () => {
      factory.schematics.clear();
    },

    addKubernetes: (
      given,
      { github: onGitHub = true, packages: inPackages = true, releases: inReleases = true, revisions } = {},
    ) => {
      const version = given.replace(/^v/, "");
      const minor = version.split(".").slice(0, 2).join(".");
      if (onGitHub) addRelease(kubernetesRepository, version);
      if (inReleases) releases.versions.add(version);
      // Prereleases are in another repository, core:/prerelease:/.
      if (inPackages && !version.includes("-"))
        packages.minors.set(minor, [...(packages.minors.get(minor) ?? []), version]);
      if (revisions !== undefined) packages.revisions.set(version, [...revisions]);
    },
    setKubernetesKeyExpiry: async (expires, minors) => {
      const key = await withExpiry(plainPackagesKey, expires, longAgo);
      if (minors === undefined) {
        packages.key = key;
        packages.keyOf.clear();
      }
      for (const minor of minors ?? []) packages.keyOf.set(minor.replace(/^v/, ""), key);
    },
    tamperKubernetes: (how) => {
      packages.tampering = how;
    },

    replaceUbuntuImage: ubuntu.replaceImage,
    tamperUbuntu: ubuntu.tamper,
    addUbuntu: (release, codename, serial) => {
      ubuntu.releases.push({ release, codename, serial, build: 1 });
    },
    ubuntuFile: ubuntu.file,

    setRateLimited: (limited) => {
      github.rateLimited = limited;
    },
    setBadToken: (token) => {
      github.badToken = token;
    },

    world: { ubuntu, factory, packages, releases, github },
    close: server.close,
  };

  // GitHub lists the newest first by time: added from the oldest on.
  for (const version of [...(options.talos ?? talosVersions)].toSorted(newestFirst).toReversed())
    upstreams.addTalos(version);
  for (const version of [...(options.kubernetes ?? kubernetesVersions)].toSorted(newestFirst).toReversed())
    upstreams.addKubernetes(version);
  return upstreams;
}
