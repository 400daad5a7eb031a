import type { Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { Parameters, Proxmox } from "../proxmox/client.ts";
import { nextVmid } from "../proxmox/cluster.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { createPool } from "../proxmox/pool.ts";
import { findTask, TaskFailure, taskStart, waitForTask } from "../proxmox/task.ts";
import { createVm, readConfig, resizeDisk, readConfigIfThere } from "../proxmox/vm.ts";
import type { BuildJob } from "./build.ts";
import { settleClaim } from "./claim.ts";
import type { Context } from "./context.ts";
import type { Fetched } from "./fetch-parts.ts";
import type { StoredImage } from "./images.ts";
import { newLease, type Lease } from "./lease.ts";
import { createParameters } from "./machine.ts";
import { leaseNotes } from "./notes.ts";
import type { Phases } from "./phases.ts";
import { type Remnant } from "./remnant.ts";
import type { Seed } from "./seed.ts";
import type { Undo } from "./undo.ts";
import { runTask } from "./write.ts";
import type { Claim } from "./untagged.ts";
import { isOurs, readOwnConfig } from "./own-vm.ts";

/** A VM of ours whose disk holds the image, claimed against other runs. */
export interface BuildVm {
  node: string;
  vmid: number;
  lease: Lease;
  remnant: Remnant & { kind: "vm" };
  /** When its creation was started, in seconds by the server's clock. */
  createdAt: number;
  /** What its guest boots with; absent where none boots. */
  boot: Seed | undefined;
}

/** Thrown when another run's build of the same target goes on instead of this one. */
export class GaveWay extends Error {
  override readonly name = "GaveWay";
  /** Absent where the other has published its template already. */
  readonly to: Claim | undefined;
  constructor(to: Claim | undefined) {
    super("another run builds this template");
    this.to = to;
  }
}

/** @throws GaveWay, or Failure when the VM cannot be made as wanted */
export async function createBuildVm(context: Context, fetched: Fetched, undo: Undo, phases: Phases): Promise<BuildVm> {
  const { proxmox, reporter } = context;
  const { job, image, mac, boot } = fetched;
  const { target, request, place, ingredients } = job;
  const lease = newLease(job.build, target, context.run, proxmox.clock.now(), job.deadlineMs, {
    seed: boot?.volume,
    image: image.volume,
  });
  const machine = {
    target,
    hardware: ingredients.hardware,
    place,
    notes: leaseNotes(lease),
    boot: boot && { seed: boot.volume, mac, bridge: request.bridge, vlan: request.vlan },
  };
  const made = await phases.run("creating the VM and importing the image", () =>
    importInto(
      proxmox,
      job,
      image,
      (vmid, source) => createParameters({ ...machine, vmid, image: source }),
      undo,
      phases,
    ),
  );
  for (const warning of made.warnings)
    reporter.warn("Proxmox VE warned while it created the VM", warning, target.title);
  const vm: BuildVm = {
    node: place.node,
    vmid: made.vmid,
    lease,
    remnant: made.remnant,
    createdAt: made.createdAt,
    boot,
  };
  const standing = await settleClaim(
    proxmox,
    { vmid: vm.vmid, pool: place.pool, lease, replaces: job.replaces?.row.vmid },
    target,
  );
  if (!standing.wins) throw new GaveWay(standing.to);
  await growDisk(proxmox, job, vm);
  return vm;
}

interface Made {
  vmid: number;
  remnant: Remnant & { kind: "vm" };
  createdAt: number;
  warnings: readonly string[];
}

const attempts = 12;

/** Creates the VM under a free id. An id that somebody else took first, a missing pool, a lock, an image that another run has removed: each is tried again. */
async function importInto(
  proxmox: Proxmox,
  job: BuildJob,
  image: StoredImage,
  parameters: (vmid: number, source: string) => Parameters,
  undo: Undo,
  phases: Phases,
): Promise<Made> {
  let source = image.volume;
  for (let attempt = 1; ; attempt += 1) {
    const vmid = await nextVmid(proxmox);
    const remnant: Remnant & { kind: "vm" } = { kind: "vm", node: job.place.node, vmid, build: job.build };
    undo.push(remnant);
    try {
      const { upid, certain } = await startCreate(proxmox, remnant, parameters(vmid, source));
      // Whoever cleans up stops the task of a known UPID: it must be this build's.
      if (certain) undo.push({ ...remnant, upid });
      const warnings = await awaitCreate(proxmox, remnant, upid, phases);
      // Another run with the same token may have taken the id. What was lost may still come late, so it stays registered.
      if (!certain && !(await isThere(proxmox, remnant))) continue;
      undo.push(remnant);
      return { vmid, remnant, createdAt: taskStart(upid), warnings };
    } catch (error) {
      if (attempt >= attempts) throw error;
      if (isTaken(error)) {
        // Nothing of ours: the id was somebody else's before the call.
        undo.release(remnant);
        await proxmox.clock.sleep(100 + Math.random() * 400, proxmox.signal);
      } else if (isPoolMissing(error)) {
        undo.release(remnant);
        await createPool(proxmox, job.place.pool);
      } else if (isImageGone(error, source)) {
        await undo.remove(proxmox, remnant);
        job.images.forget(job.ingredients.image);
        source = (await job.images.ensure(job.ingredients.image, phases.progress)).volume;
      } else if (error instanceof TaskFailure && (error.lockTimeout || error.outcomeUnknown)) {
        // What cannot be removed stays registered and is told; why the import failed must not be lost over it.
        await undo.remove(proxmox, remnant).catch(() => {
          throw error;
        });
        await proxmox.clock.sleep(1000 * attempt, proxmox.signal);
      } else {
        throw error;
      }
    }
  }
}

/** `certain`: Proxmox VE answered with it; else it was found after the answer was lost, and may be another run's. */
interface Started {
  upid: string;
  certain: boolean;
}

/** The create's UPID, found again if the answer was lost: the call is never sent twice for one id before a look at what became of it. */
async function startCreate(
  proxmox: Proxmox,
  remnant: Remnant & { kind: "vm" },
  parameters: Parameters,
): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { upid: await createVm(proxmox, remnant.node, parameters), certain: true };
    } catch (error) {
      const lost = error instanceof ProxmoxError && error.treatment === "ambiguous" && attempt < 3;
      const cameLate = attempt > 1 && isTaken(error);
      if (!lost && !cameLate) throw error;
      await proxmox.clock.sleep(1000, proxmox.signal);
      const task = await findTask(proxmox, remnant.node, {
        type: "qmcreate",
        id: String(remnant.vmid),
        vmid: remnant.vmid,
      });
      const config = await readConfigIfThere(proxmox, remnant.node, remnant.vmid);
      if (
        task &&
        (config !== undefined ||
          task.status === undefined ||
          task.status === "RUNNING" ||
          isOfNow(proxmox, task.starttime))
      )
        return { upid: task.upid, certain: false };
      if (!lost) throw error;
    }
  }
}

async function isThere(proxmox: Proxmox, remnant: Remnant & { kind: "vm" }): Promise<boolean> {
  const config = await readConfigIfThere(proxmox, remnant.node, remnant.vmid);
  return config !== undefined && isOurs(config, remnant.build);
}

/** A task that was started in the last minutes by the server's clock, as far as the two clocks agree. */
function isOfNow(proxmox: Proxmox, starttime: number): boolean {
  return Math.abs(proxmox.clock.now() / 1000 - starttime) < 300;
}

/** Waits for the import; of one whose worker died the VM itself tells whether it is whole. */
async function awaitCreate(
  proxmox: Proxmox,
  remnant: Remnant & { kind: "vm" },
  upid: string,
  phases: Phases,
): Promise<readonly string[]> {
  try {
    return (
      await waitForTask(proxmox, upid, {
        doing: `creating VM ${remnant.vmid} on node ${remnant.node} and importing its disk`,
        onProgress: phases.progress,
        stallMs,
      })
    ).warnings;
  } catch (error) {
    if (!(error instanceof TaskFailure) || !error.outcomeUnknown) throw error;
    const config = await readConfigIfThere(proxmox, remnant.node, remnant.vmid);
    if (config && isOurs(config, remnant.build) && config.lock === undefined && config.scsi0) return [];
    throw error;
  }
}

/** An import that shows no progress for this long is given up. */
const stallMs = 15 * 60_000;

function isTaken(error: unknown): boolean {
  const words = error instanceof ProxmoxError ? error.reason : error instanceof TaskFailure ? error.exitStatus : "";
  return /VM \d+ already exists|config file already exists|CT \d+ already exists/i.test(words);
}

function isPoolMissing(error: unknown): boolean {
  return error instanceof ProxmoxError && /pool '.*' does not exist/.test(error.reason);
}

function isImageGone(error: unknown, source: string): boolean {
  const words = error instanceof ProxmoxError ? error.reason : error instanceof TaskFailure ? error.exitStatus : "";
  const name = source.slice(source.lastIndexOf("/") + 1);
  return words.includes(name) && /does not exist|no such file|not found|failed to stat|could not open/i.test(words);
}

/** Grows the disk to what was asked for, or to what updates and pulled images need; a bigger image keeps its size. */
async function growDisk(proxmox: Proxmox, job: BuildJob, vm: BuildVm): Promise<void> {
  const wanted = job.request.diskGiB ?? job.ingredients.diskGiB;
  if (wanted === undefined) return;
  const config = await readOwnConfig(proxmox, vm.remnant);
  const current = sizeOfDrive(config.scsi0 ?? "");
  if (current !== undefined && current > wanted) {
    if (job.request.diskGiB === undefined) return;
    throw tooSmall(job.target, wanted, current);
  }
  if (current === wanted) return;
  await runTask(proxmox, {
    doing: `growing the disk of VM ${vm.vmid} to ${wanted} GiB`,
    start: () => resizeDisk(proxmox, vm.node, vm.vmid, "scsi0", `${wanted}G`),
    task: { node: vm.node, type: "resize", vmid: vm.vmid, notBefore: vm.createdAt },
    isDone: async () => sizeOfDrive((await readConfig(proxmox, vm.node, vm.vmid)).scsi0 ?? "") === wanted,
  });
}

/** GiB of a drive as its configuration says it (`…,size=3584M`). */
function sizeOfDrive(drive: string): number | undefined {
  const size = /(?:^|,)size=(\d+(?:\.\d+)?)([KMGT]?)/.exec(drive);
  if (!size?.[1]) return undefined;
  const factor = { "": 1 / 1024 ** 3, K: 1 / 1024 ** 2, M: 1 / 1024, G: 1, T: 1024 }[size[2] ?? ""] ?? 1;
  return Number(size[1]) * factor;
}

function tooSmall(target: Target, wanted: number, current: number): Failure {
  return new Failure(
    "usage",
    `The image of ${target.title} is ${current.toFixed(1)} GiB, more than the wanted disk of ${wanted} GiB; Proxmox VE cannot shrink disks`,
    {
      remedy: [`--disk-size ${Math.ceil(current)} or more`],
    },
  );
}
