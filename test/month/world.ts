import { journalInto } from "../../src/shell/journal.ts";
import type { Context } from "../../src/templates/context.ts";
import { inSession } from "../faults/in-process.ts";
import { scaledClock } from "../faults/scaled-clock.ts";
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

/** A run of the product in this process, by the stand-in's time. */
export async function inRun<T>(
  { proxmox, upstreams }: MonthWorld,
  signal: AbortSignal,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { clock } = proxmox.state;
  return await inSession(
    { proxmox, upstreams },
    {
      signal,
      said: [],
      journal: journalInto(() => {}),
      clock: scaledClock(() => clock.now(), impatience),
    },
    work,
  );
}
