import { createHash } from "node:crypto";
import type { Ingredients } from "../distributions/distribution.ts";
import { sameTags, type Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { GuestReport } from "../guest/index.ts";
import { convertToTemplate, isWholeTemplate, readConfig, updateConfig } from "../proxmox/vm.ts";
import type { Context } from "./context.ts";
import { createBuildVm, type BuildVm } from "./create-vm.ts";
import type { Images } from "./images.ts";
import { manifestDigest, type Manifest } from "./manifest.ts";
import { templateNotes } from "./notes.ts";
import type { Template } from "./outcome.ts";
import type { Phases } from "./phases.ts";
import type { Place } from "./place.ts";
import { prepareGuest } from "./prepare-guest.ts";
import type { CreateRequest } from "./request.ts";
import { confirmWrite, runTask } from "./write.ts";
import type { Undo } from "./undo.ts";

export interface BuildJob {
  target: Target;
  ingredients: Ingredients;
  place: Place;
  request: CreateRequest;
  /** Unique for this build. */
  build: string;
  /** When the run gives up, in milliseconds since the epoch. */
  deadlineMs: number;
  images: Images;
}

/**
 * Makes one template: image, VM, guest, conversion, publication.
 * @throws GaveWay when another run's build of the same target goes on instead; else Failure. Whatever was made is
 * registered in `undo`.
 */
export async function buildTemplate(context: Context, job: BuildJob, undo: Undo, phases: Phases): Promise<Template> {
  const vm = await createBuildVm(context, job, undo, phases);
  const report = vm.boot ? await prepareGuest(context, job, vm, undo, phases) : undefined;
  return await phases.run("converting to a template", async () => {
    await convert(context, vm);
    return await publish(context, job, vm, report, undo);
  });
}

async function convert({ proxmox }: Context, vm: BuildVm): Promise<void> {
  await runTask(proxmox, {
    doing: `converting VM ${vm.vmid} to a template`,
    start: () => convertToTemplate(proxmox, vm.node, vm.vmid),
    task: { node: vm.node, type: "qmtemplate", vmid: vm.vmid, notBefore: vm.createdAt },
    isDone: async () => isWholeTemplate(await readConfig(proxmox, vm.node, vm.vmid)),
  });
  const config = await readConfig(proxmox, vm.node, vm.vmid);
  if (!isWholeTemplate(config)) {
    throw new Failure("failure", `VM ${vm.vmid} was converted, but its disk is no base volume: ${config.scsi0 ?? "it has no scsi0"}`);
  }
}

/** The tags come last: until then no cluster can find what has not been proven. */
async function publish(context: Context, job: BuildJob, vm: BuildVm, report: GuestReport | undefined, undo: Undo): Promise<Template> {
  const { proxmox } = context;
  const { target } = job;
  const manifest = manifestOf(context, job, report);
  await confirmWrite(
    proxmox,
    () => updateConfig(proxmox, vm.node, vm.vmid, { name: target.name, tags: target.tags.join(";"), description: templateNotes(target, manifest) }),
    async () => sameTags((await readConfig(proxmox, vm.node, vm.vmid)).tags, target.tags),
  );
  undo.release(vm.remnant);
  return { vmid: vm.vmid, node: vm.node, storage: job.place.disk.name, name: target.name, tags: target.tags, manifest, digest: manifestDigest(manifest) };
}

function manifestOf({ run, proxmox }: Context, job: BuildJob, report: GuestReport | undefined): Manifest {
  const { target, ingredients, place } = job;
  const packages = ingredients.guest?.kubernetes?.packages;
  const list = report && Object.entries(report.packages).map(([name, version]) => `${name} ${version}`).sort();
  return {
    schema: 1,
    distribution: target.distribution,
    version: target.version,
    ...(target.ubuntuRelease ? { ubuntuRelease: target.ubuntuRelease } : {}),
    architecture: place.arch,
    image: { url: withoutUserinfo(ingredients.image.url), file: ingredients.image.fileName, ...(ingredients.image.sha256 ? { sha256: ingredients.image.sha256 } : {}) },
    verified: ingredients.verified.map(({ what, by, signer, signedAt }) => ({ what, by, ...(signer ? { signer } : {}), ...(signedAt ? { signedAt } : {}) })),
    ...(packages ? { packages: { kubeadm: packages.kubeadm, kubelet: packages.kubelet, kubectl: packages.kubectl, "cri-tools": packages.criTools } } : {}),
    ...(list && report ? { packageListSha256: createHash("sha256").update(list.join("\n")).digest("hex"), packageCount: list.length, kernel: report.kernel } : {}),
    created: new Date(proxmox.clock.now()).toISOString(),
    run: run.id,
    ...(run.url ? { runUrl: run.url } : {}),
    program: run.program,
  };
}

/** A mirror's address may carry a user name and password, which have no place in notes that many can read. */
function withoutUserinfo(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}
