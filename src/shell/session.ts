import { openSources } from "../distributions/open-sources.ts";
import type { Upstreams } from "../distributions/upstreams.ts";
import { proxyFor } from "../http/proxy.ts";
import { createProxmox } from "../proxmox/client.ts";
import type { Connection } from "../proxmox/connection.ts";
import { createTransport } from "../proxmox/transport.ts";
import type { Context, RunIdentity } from "../templates/context.ts";
import type { Journal } from "../templates/remnant.ts";
import type { Reporter } from "../templates/reporter.ts";
import { systemClock, type Clock } from "../time/clock.ts";
import { version } from "./version.ts";

export interface SessionInput {
  connection: Connection;
  upstreams: Upstreams;
  /** Proxy variables are read from it. */
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
  reporter: Reporter;
  journal: Journal;
  run: Omit<RunIdentity, "program">;
  /** The system's, unless time is simulated. */
  clock?: Clock;
}

/** Opens what the work needs, does it, and closes it again. */
export async function withSession<T>(input: SessionInput, work: (context: Context) => Promise<T>): Promise<T> {
  const { connection, environment, reporter, journal, signal } = input;
  if (connection.insecure) {
    reporter.warn(
      "The server's certificate is not checked",
      `Whoever sits between here and ${connection.origin} can read the token. Give its fingerprint or its authority's certificate instead.`,
    );
  }
  const clock = input.clock ?? systemClock;
  const proxy = proxyFor(new URL(connection.origin), environment);
  const transport = createTransport(connection, proxy === undefined ? {} : { proxy: new URL(proxy) });
  const sources = openSources({ upstreams: input.upstreams, environment, signal, version, clock });
  const proxmox = createProxmox({ connection, transport, clock, signal });
  try {
    const result = await work({
      proxmox,
      sources,
      reporter,
      journal,
      run: { ...input.run, program: `kubehenge/${version}` },
    });
    const trouble = sources.githubTrouble();
    if (trouble) reporter.warn("GitHub was of no use, other sources were asked", trouble);
    return result;
  } finally {
    proxmox.close();
    await sources.close();
  }
}
