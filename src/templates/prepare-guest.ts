import type { GuestReport } from "../guest/index.ts";
import { readConfig, readStatus, shutdownVm, startVm, updateConfig } from "../proxmox/vm.ts";
import type { BuildJob } from "./build.ts";
import type { Context } from "./context.ts";
import type { BuildVm } from "./create-vm.ts";
import { readReport, watchGuest } from "./guest-watch.ts";
import { seedDrive, strippedParameters } from "./machine.ts";
import type { Phases } from "./phases.ts";
import type { Undo } from "./undo.ts";
import { confirmWrite, runTask } from "./write.ts";
import { readOwnConfig } from "./own-vm.ts";

/** Seconds for an orderly shutdown. The guest has synced and sealed itself: switching it off then loses nothing. */
const shutdownSeconds = 120;

/**
 * The guest's only boot: it prepares, proves and seals itself, is switched off, and loses what it was built with.
 * @throws Failure when the guest does not prove itself
 */
export async function prepareGuest(
  context: Context,
  job: BuildJob,
  vm: BuildVm,
  undo: Undo,
  phases: Phases,
): Promise<GuestReport | undefined> {
  const { proxmox, reporter } = context;
  const { node, vmid, boot } = vm;
  if (!boot) return undefined;
  await phases.run("starting the guest", () =>
    runTask(proxmox, {
      doing: `starting VM ${vmid}`,
      start: () => startVm(proxmox, node, vmid),
      task: { node, type: "qmstart", vmid, notBefore: vm.createdAt },
      isDone: async () => (await readStatus(proxmox, node, vmid)).status === "running",
    }),
  );
  await phases.run("preparing the guest", () =>
    watchGuest(proxmox, { node, vmid, steps: boot.steps, onStep: phases.progress }),
  );
  const report = await readReport(proxmox, vm);
  for (const warning of report?.warnings ?? []) reporter.warn("The guest warned", warning, job.target.title);
  await phases.run("switching the guest off", async () => {
    const { digest } = await readOwnConfig(proxmox, vm.remnant);
    await runTask(proxmox, {
      doing: `shutting VM ${vmid} down`,
      start: () => shutdownVm(proxmox, node, vmid, shutdownSeconds),
      task: { node, type: "qmshutdown", vmid, notBefore: vm.createdAt },
      isDone: async () => (await readStatus(proxmox, node, vmid)).status === "stopped",
      // It waits for the guest; whoever is to remove the VM meanwhile ends it first.
      onTask: (upid) => undo.push({ ...vm.remnant, upid }),
    });
    undo.push(vm.remnant);
    await strip(context, job, vm, digest);
    await undo.remove(proxmox, boot.remnant);
  });
  return report;
}

async function strip(
  { proxmox }: Context,
  job: BuildJob,
  { node, vmid }: BuildVm,
  digest: string | undefined,
): Promise<void> {
  const drive = seedDrive(job.place.arch);
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, node, vmid, { ...strippedParameters(job.place.arch), digest }),
    async () => {
      const config = await readConfig(proxmox, node, vmid);
      return (
        config["net0"] === undefined &&
        config[drive] === undefined &&
        config.scsi1 === undefined &&
        config["unused0"] === undefined
      );
    },
  );
}
