import { Failure } from "../failure/failure.ts";
import type { GuestSignal } from "../guest/index.ts";
import { proofsOf, smokeSeedIso, smokeSteps, type Proof } from "../guest/smoke/index.ts";
import { readConfig } from "../proxmox/vm.ts";
import type { BuildJob } from "./build.ts";
import type { Context } from "./context.ts";
import type { BuildVm } from "./create-vm.ts";
import { watchGuest } from "./guest-watch.ts";
import { newMac } from "./machine.ts";
import type { Phases } from "./phases.ts";
import { uploadSeedIso } from "./seed.ts";
import { cloneSize, equipClone, smbiosUuid, startClone, type Clone } from "./smoke-clone.ts";
import { SmokeFailure } from "./smoke-failure.ts";
import type { Undo } from "./undo.ts";
import { readOwnConfig } from "./own-vm.ts";

/** Where CAPMOX puts its seed (`internal/inject`); arm64's machine has no IDE (CAPMOX#523). */
function cloneSeedDrive(job: BuildJob): "ide0" | "scsi2" {
  return job.place.arch === "arm64" ? "scsi2" : "ide0";
}

/**
 * An Ubuntu clone boots with a seed as CAPMOX injects it and proves itself by its marker disk.
 * @throws SmokeFailure in the guest's own words
 */
export async function proveGuest(
  context: Context,
  job: BuildJob,
  vm: BuildVm,
  clone: Clone,
  undo: Undo,
  phases: Phases,
): Promise<readonly Proof[]> {
  const { proxmox } = context;
  const { request, place, ingredients } = job;
  const kubernetes = ingredients.guest?.kubernetes;
  const steps = smokeSteps(kubernetes !== undefined);
  const mac = newMac();
  const [own, template] = await Promise.all([
    readOwnConfig(proxmox, clone.remnant),
    readConfig(proxmox, vm.node, vm.vmid),
  ]);
  const iso = smokeSeedIso(
    {
      uuid: smbiosUuid(own, clone.vmid),
      templateUuid: smbiosUuid(template, vm.vmid),
      hostname: clone.name,
      mac,
      network: request.network,
      kubernetes: kubernetes && { version: kubernetes.version, imageRepository: request.imageRepository },
    },
    new Date(proxmox.clock.now()),
  );
  const seed = await uploadSeedIso(proxmox, job, iso, undo);
  const drive = cloneSeedDrive(job);
  await equipClone(proxmox, clone, {
    ...cloneSize,
    net0: `virtio=${mac},bridge=${request.bridge}${request.vlan === undefined ? "" : `,tag=${request.vlan}`}`,
    scsi1: `${place.disk.name}:0.01`,
    [drive]: `${seed.volume},media=cdrom`,
    boot: `order=scsi0;${drive}`,
  });
  await startClone(proxmox, clone);
  let last: GuestSignal = { kind: "nothing" };
  try {
    await watchGuest(proxmox, {
      node: clone.node,
      vmid: clone.vmid,
      steps,
      onStep: phases.progress,
      onSignal: (signal) => (last = signal),
    });
  } catch (error) {
    if (!(error instanceof Failure) || (error.kind !== "verification" && error.kind !== "deadline")) throw error;
    throw new SmokeFailure(error, proofsOf(steps, last));
  }
  await undo.remove(proxmox, clone.remnant);
  await undo.remove(proxmox, seed.remnant);
  return proofsOf(steps, { kind: "done" });
}
