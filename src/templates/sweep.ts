import type { Proxmox } from "../proxmox/client.ts";
import { listGuests, listNodes, type GuestRow } from "../proxmox/cluster.ts";
import { listStorages, listVolumes, type Volume } from "../proxmox/storage.ts";
import { findTask, taskOwner } from "../proxmox/task.ts";
import { readClaims } from "./claim.ts";
import type { Context } from "./context.ts";
import { hasEnded, leaseGraceMs, sayLease } from "./lease.ts";
import type { SweepRequest } from "./upkeep-requests.ts";
import { type Remnant } from "./remnant.ts";
import type { Left } from "./undo.ts";
import type { Claim } from "./untagged.ts";
import { isOurs } from "./own-vm.ts";
import { destroyStopped, removeRemnant } from "./remove-remnant.ts";

export interface Removed {
  remnant: Remnant;
  /** For people: what it was. */
  what: string;
}

/** What a sweep came to. */
export interface Swept {
  removed: readonly Removed[];
  left: readonly Left[];
}

/** Removes whatever of ours has outlived its lease, on every node: VMs, seed ISOs, images. @throws Failure */
export async function sweep(context: Context, request: SweepRequest): Promise<Swept> {
  const { proxmox } = context;
  const guests = await listGuests(proxmox);
  const claims = await readClaims(proxmox, guests, request.pool);
  const vms = await sweepVms(context, claims, request.dryRun);
  const nodes = (await listNodes(proxmox)).filter(({ online }) => online);
  const seen = new Set<string>();
  const swept = [vms];
  for (const node of nodes) {
    for (const storage of await listStorages(proxmox, node.name)) {
      const contents = (["iso", "import"] as const).filter((content) => storage.content.includes(content));
      if (!storage.usable || contents.length === 0 || seen.has(storage.name)) continue;
      // A shared storage shows the same volumes on every node.
      if (storage.shared) seen.add(storage.name);
      const volumes = (
        await Promise.all(contents.map((content) => listVolumes(proxmox, node.name, storage.name, content)))
      ).flat();
      swept.push(
        await sweepVolumes(context, {
          node: node.name,
          volumes,
          guests,
          timeoutMs: request.timeoutMs,
          dryRun: request.dryRun,
        }),
      );
    }
  }
  return {
    removed: swept.flatMap(({ removed }) => removed),
    left: [...swept.flatMap(({ left }) => left), ...(await lockedRemains(proxmox, guests))],
  };
}

/** VMs which a killed import of this token has left locked: only root may remove them, so they are told. */
async function lockedRemains(proxmox: Proxmox, guests: readonly GuestRow[]): Promise<Left[]> {
  const locked = guests.filter((row) => row.lock === "create");
  const found = await Promise.all(
    locked.map(async ({ node, vmid }): Promise<Left | undefined> => {
      const task = await findTask(proxmox, node, { type: "qmcreate", id: String(vmid), vmid });
      if (task?.endtime === undefined || taskOwner(task.upid) !== proxmox.tokenName) return undefined;
      return {
        remnant: { kind: "vm", node, vmid, build: "" },
        why: "a killed import has left it locked (create), which only root may undo",
      };
    }),
  );
  return found.filter((one) => one !== undefined);
}

/** Removes build VMs whose lease has ended, with their seeds. Half-made templates are among them: published ones bear tags. */
export async function sweepVms(context: Context, claims: readonly Claim[], dryRun = false): Promise<Swept> {
  const { proxmox } = context;
  const removed: Removed[] = [];
  const left: Left[] = [];
  // The clone of a smoke test goes before its candidate, whose disk it hangs on.
  const clonesFirst = claims.toSorted((a, b) => Number(a.config.template) - Number(b.config.template));
  for (const { row, lease } of clonesFirst) {
    if (!hasEnded(lease, proxmox.clock.now())) continue;
    const what = `VM ${row.vmid} on node ${row.node}, a build of ${lease.title} by ${sayLease(lease)}`;
    const remnant: Remnant = { kind: "vm", node: row.node, vmid: row.vmid, build: lease.build };
    try {
      if (!dryRun) {
        // Read again: since it was listed the id may have become somebody else's.
        await destroyStopped(proxmox, row.node, row.vmid, (config) => isOurs(config, lease.build));
        if (lease.seed)
          await removeRemnant(proxmox, { kind: "volume", node: row.node, volume: lease.seed, whole: true });
      }
      removed.push({ remnant, what });
    } catch (error) {
      left.push({ remnant, why: (error as Error).message });
    }
  }
  return { removed, left };
}

export interface VolumeSweep {
  node: string;
  volumes: readonly Volume[];
  guests: readonly GuestRow[];
  timeoutMs: number;
  dryRun: boolean;
}

const seedName = /:iso\/kubehenge-seed-([0-9a-f]{12})\.iso$/;
const imageName = /:import\/kubehenge-(?:ubuntu|talos)-[A-Za-z0-9.+-]+-(?:amd64|arm64)-[0-9a-f]{16}\.qcow2$/;
// Runs of others may be bounded more generously than this one.
const leastTimeoutMs = 60 * 60_000;

/** Removes seeds and images under our names which no live build holds and which are older than any lease. */
export async function sweepVolumes({ proxmox }: Context, input: VolumeSweep): Promise<Swept> {
  const nowMs = proxmox.clock.now();
  const oldest = nowMs - Math.max(input.timeoutMs, leastTimeoutMs) - leaseGraceMs;
  const isOld = ({ id, created }: Volume) =>
    (seedName.test(id) || imageName.test(id)) && created !== undefined && created * 1000 <= oldest;
  if (!input.volumes.some(isOld)) return { removed: [], left: [] };
  // Builds in other pools use the same storages.
  const claims = await readClaims(proxmox, input.guests, undefined);
  const live = claims.filter(({ lease }) => !hasEnded(lease, nowMs));
  // A VM that is locked by its creation may be reading an image, and shows no lease yet.
  const importing = input.guests.some((row) => row.lock === "create");
  const removed: Removed[] = [];
  const left: Left[] = [];
  for (const volume of input.volumes) {
    if (!isOld(volume)) continue;
    const build = seedName.exec(volume.id)?.[1];
    if (
      importing ||
      live.some(({ lease }) => (build === undefined ? lease.image === volume.id : lease.build === build))
    )
      continue;
    const remnant: Remnant = { kind: "volume", node: input.node, volume: volume.id, whole: true };
    try {
      if (!input.dryRun) await removeRemnant(proxmox, remnant);
      removed.push({ remnant, what: `volume ${volume.id} on node ${input.node}, left by a run that has ended` });
    } catch (error) {
      left.push({ remnant, why: (error as Error).message });
    }
  }
  return { removed, left };
}
