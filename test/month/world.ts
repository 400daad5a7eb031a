import { parseUpstreams } from "../../src/distributions/upstreams.ts";
import { parseConnection } from "../../src/proxmox/connection.ts";
import { journalInto } from "../../src/shell/journal.ts";
import { withSession } from "../../src/shell/session.ts";
import type { Context } from "../../src/templates/context.ts";
import { systemClock } from "../../src/time/clock.ts";
import { listReporter } from "../faults/in-process.ts";
import { simulatedGuest } from "../stand-in/guest/index.ts";
import { startProxmox, type ProxmoxStandIn, type TaskKind } from "../stand-in/proxmox/index.ts";
import { startUpstreams, type Upstreams } from "../stand-in/upstreams/index.ts";

const taskKinds = [
  "download",
  "imgcopy",
  "imgdel",
  "qmcreate",
  "qmclone",
  "qmdestroy",
  "qmshutdown",
  "qmstart",
  "qmstop",
  "qmtemplate",
  "resize",
] as const satisfies readonly TaskKind[];

export const dayMs = 86_400_000;
export const pool = "kubehenge-templates";

/** A Proxmox VE, the upstreams, and one time for all of them. */
export interface MonthWorld extends AsyncDisposable {
  proxmox: ProxmoxStandIn;
  upstreams: Upstreams;
}

/**
 * Stand-in milliseconds in a real one. Product, Proxmox VE, upstreams and cluster share one process, whose own work is
 * no part of what is measured: so it counts a tenth.
 */
const speed = 0.1;

/** Stand-in milliseconds of each task; a fault finds them all under way all the same. */
const shortMs = 8;
const taskMs = Object.fromEntries(taskKinds.map((kind) => [kind, shortMs]));

/** How many times shorter the product waits between its looks: nothing here takes minutes, so it need not wait for seconds. */
const impatience = 20;

export async function startMonth(kubernetesKeyDays: number): Promise<MonthWorld> {
  const proxmox = await startProxmox({
    speed,
    latencyMs: 3,
    taskMs,
    unauthorizedMs: 2,
    agentTimeoutMs: 10,
    resourcesLagMs: 20,
    pools: [pool],
    guest: simulatedGuest({ stepMs: 2 }),
  });
  const now = () => new Date(proxmox.state.clock.now());
  const upstreams = await startUpstreams({
    now,
    kubernetesKeyExpires: new Date(now().getTime() + kubernetesKeyDays * dayMs),
  });
  return {
    proxmox,
    upstreams,
    async [Symbol.asyncDispose]() {
      await Promise.all([proxmox.close(), upstreams.close()]);
    },
  };
}

let runs = 0;

/** A run of the product in this process, by the stand-in's time. */
export async function inRun<T>(
  { proxmox, upstreams }: MonthWorld,
  signal: AbortSignal,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { clock } = proxmox.state;
  runs += 1;
  return await withSession(
    {
      connection: parseConnection(
        { url: proxmox.url, token: proxmox.token, fingerprint: proxmox.fingerprint, insecure: false },
        (option) => option,
      ),
      upstreams: {
        ...parseUpstreams(
          {
            "ubuntu-url": upstreams.ubuntuUrl,
            "talos-factory-url": upstreams.talosFactoryUrl,
            "kubernetes-packages-url": upstreams.kubernetesPackagesUrl,
            "kubernetes-releases-url": upstreams.kubernetesReleasesUrl,
            "kubernetes-key-fingerprint": upstreams.kubernetesKeyFingerprint,
          },
          (input) => input,
        ),
        ubuntuKeyring: Buffer.from(upstreams.ubuntuKeyring),
        githubApiUrl: upstreams.githubApiUrl,
      },
      environment: {},
      signal,
      reporter: listReporter([]),
      journal: journalInto(() => {}),
      run: { id: `night-run-${runs}` },
      clock: { now: () => clock.now(), sleep: (ms, stop) => systemClock.sleep(ms / impatience, stop) },
    },
    work,
  );
}
