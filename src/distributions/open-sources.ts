import type { Http } from "../http/index.ts";
import type { GitHub } from "../sources/github/index.ts";
import type { Clock } from "../time/clock.ts";
import type { Sources } from "./distribution.ts";
import type { Upstreams } from "./upstreams.ts";

export interface OpenSources extends Sources {
  /** Why GitHub was of no use, if it was asked and did not answer. */
  githubTrouble(): string | undefined;
  /** Bytes exchanged with upstreams so far. */
  readonly traffic: { up: number; down: number };
  close(): Promise<void>;
}

export interface SourcesInput {
  upstreams: Upstreams;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  version: string;
  clock: Clock;
}

/** Opens the sources; each one's code, and the HTTP client's, is loaded when it is first asked for. */
export function openSources({ upstreams, environment, signal, version, clock }: SourcesInput): OpenSources {
  let http: Http | undefined;
  let github: GitHub | undefined;
  const now = () => new Date(clock.now());
  const shared = once(async () => {
    const [{ createHttp }, { githubSource }] = await Promise.all([
      import("../http/index.ts"),
      import("../sources/github/index.ts"),
    ]);
    http = createHttp({ environment, signal, version, sleep: (ms, abort) => clock.sleep(ms, abort) });
    github = githubSource(http, defined({ token: upstreams.githubToken, apiUrl: upstreams.githubApiUrl }));
    return { http, github };
  });
  return {
    ubuntu: once(async () => {
      const [{ http: client }, { ubuntuSource }] = await Promise.all([shared(), import("../sources/ubuntu/index.ts")]);
      return ubuntuSource(client, { ...defined({ url: upstreams.ubuntuUrl, keyring: upstreams.ubuntuKeyring }), now });
    }),
    talos: once(async () => {
      const [{ http: client, github: releases }, { talosSource }] = await Promise.all([
        shared(),
        import("../sources/talos/index.ts"),
      ]);
      return talosSource(client, releases, defined({ factoryUrl: upstreams.talosFactoryUrl }));
    }),
    kubernetes: once(async () => {
      const [{ http: client, github: releases }, { kubernetesSource }] = await Promise.all([
        shared(),
        import("../sources/kubernetes/index.ts"),
      ]);
      const addresses = {
        packagesUrl: upstreams.kubernetesPackagesUrl,
        releasesUrl: upstreams.kubernetesReleasesUrl,
        keyFingerprint: upstreams.kubernetesKeyFingerprint,
      };
      return kubernetesSource(client, releases, { ...defined(addresses), now });
    }),
    githubTrouble: () => github?.trouble()?.message,
    get traffic() {
      return http?.traffic ?? { up: 0, down: 0 };
    },
    close: async () => await http?.close(),
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}

function defined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
