import { createHttp, type Http } from "../../../src/http/index.ts";
import { type GitHub, githubSource } from "../../../src/sources/github/index.ts";
import { type KubernetesSource, kubernetesSource } from "../../../src/sources/kubernetes/index.ts";
import { type TalosSource, talosSource } from "../../../src/sources/talos/index.ts";
import { type UbuntuSource, ubuntuSource } from "../../../src/sources/ubuntu/index.ts";
import { startUpstreams, type Upstreams, type UpstreamsOptions } from "../../stand-in/upstreams/index.ts";

export const today = new Date("2026-11-30T12:00:00Z");

/** The upstreams on loopback and the product's sources that look at them, on one day. */
export interface World extends AsyncDisposable {
  upstreams: Upstreams;
  http: Http;
  github: GitHub;
  ubuntu: UbuntuSource;
  talos: TalosSource;
  kubernetes: KubernetesSource;
  /** Requests since the last call, as "GET ubuntu /path 200". */
  asked(): string[];
}

export async function world(options: UpstreamsOptions & { token?: string; warmSeconds?: number } = {}): Promise<World> {
  const upstreams = await startUpstreams({ now: () => today, ...options });
  const http = createHttp({ environment: {}, version: "0.0.0", sleep: () => Promise.resolve() });
  const now = options.now ?? (() => today);
  const github = githubSource(http, {
    apiUrl: upstreams.githubApiUrl,
    ...(options.token === undefined ? {} : { token: options.token }),
  });
  let seen = 0;
  return {
    upstreams,
    http,
    github,
    ubuntu: ubuntuSource(http, { url: `${upstreams.ubuntuUrl}/`, keyring: Buffer.from(upstreams.ubuntuKeyring), now }),
    talos: talosSource(http, github, {
      factoryUrl: upstreams.talosFactoryUrl,
      ...(options.warmSeconds === undefined ? {} : { warmSeconds: options.warmSeconds }),
    }),
    kubernetes: kubernetesSource(http, github, {
      packagesUrl: upstreams.kubernetesPackagesUrl,
      releasesUrl: upstreams.kubernetesReleasesUrl,
      keyFingerprint: upstreams.kubernetesKeyFingerprint,
      now,
    }),
    asked: () => {
      const entries = upstreams.transcript.slice(seen);
      seen = upstreams.transcript.length;
      return entries.map((entry) => `${entry.method} ${entry.upstream} ${entry.path} ${entry.status}`);
    },
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await upstreams.close();
    },
  };
}
