import { createHash } from "node:crypto";
import type { Ingredients } from "../distributions/distribution.ts";
import type { Target } from "../distributions/target.ts";
import { Failure } from "../failure/failure.ts";
import type { GuestReport } from "../guest/index.ts";
import { convertToTemplate, isWholeTemplate, readConfig } from "../proxmox/vm.ts";
import type { Context } from "./context.ts";
import { createBuildVm, type BuildVm } from "./create-vm.ts";
import { fetchParts } from "./fetch-parts.ts";
import type { Images } from "./images.ts";
import { manifestDigest, type Manifest } from "./manifest.ts";
import type { Proof } from "../guest/smoke/index.ts";
import { readNotes } from "./notes.ts";
import type { Template } from "./outcome.ts";
import type { Phases } from "./phases.ts";
import type { Place } from "./place.ts";
import type { Found } from "./plan.ts";
import { publish } from "./publish.ts";
import { prepareGuest } from "./prepare-guest.ts";
import type { CreateRequest } from "./request.ts";
import { runTask } from "./write.ts";
import type { Undo } from "./undo.ts";
import { readOwnConfig } from "./own-vm.ts";

export interface BuildJob {
  target: Target;
  ingredients: Ingredients;
  /** Asks upstream once more, for when it has replaced the image since. */
  freshIngredients(): Promise<Ingredients>;
  place: Place;
  request: CreateRequest;
  /** Unique for this build. */
  build: string;
  /** When the run gives up, in milliseconds since the epoch. */
  deadlineMs: number;
  images: Images;
  /** The template that this build takes the place of, which is retired then. */
  replaces?: Found | undefined;
}

export interface Built {
  template: Template;
  contents: GuestReport | undefined;
  /** The build that it has taken the place of. */
  replaced: string | undefined;
  /** What a clone of it has proven; absent where none was booted. */
  smokeTest?: readonly Proof[];
}

/**
 * Makes one template: image, VM, guest, conversion, the proof of a clone where that is asked for, publication.
 * @throws GaveWay when another run's build of the same target goes on instead; else Failure. Whatever was made is
 * registered in `undo`.
 */
export async function buildTemplate(context: Context, asked: BuildJob, undo: Undo, phases: Phases): Promise<Built> {
  const fetched = await phases.run("fetching the image", () => fetchParts(context, asked, undo, phases));
  const { job } = fetched;
  const vm = await createBuildVm(context, fetched, undo, phases);
  const report = vm.boot ? await prepareGuest(context, job, vm, undo, phases) : undefined;
  await phases.run("converting to a template", () => convert(context, vm, undo));
  // Loaded when it is wanted only, like all that a plain build can do without.
  const smokeTest = job.request.smokeTest
    ? await (await import("./smoke-test.ts")).smokeTest(context, job, vm, undo, phases)
    : undefined;
  const template = await phases.run("publishing", () => finish(context, job, vm, report, undo));
  const replaced = readNotes(job.replaces?.config.description)?.manifest?.build;
  return { template, contents: report, replaced, ...(smokeTest ? { smokeTest } : {}) };
}

async function convert({ proxmox }: Context, vm: BuildVm, undo: Undo): Promise<void> {
  await runTask(proxmox, {
    doing: `converting VM ${vm.vmid} to a template`,
    start: () => convertToTemplate(proxmox, vm.node, vm.vmid),
    task: { node: vm.node, type: "qmtemplate", vmid: vm.vmid, notBefore: vm.createdAt },
    isDone: async () => isWholeTemplate(await readConfig(proxmox, vm.node, vm.vmid)),
    once: true,
    // Its lock keeps the VM from being removed for as long as it runs.
    onTask: (upid) => undo.push({ ...vm.remnant, upid }),
  });
  undo.push(vm.remnant);
  const config = await readOwnConfig(proxmox, vm.remnant);
  if (!isWholeTemplate(config)) {
    throw new Failure(
      "failure",
      `VM ${vm.vmid} was converted, but its disk is no base volume: ${config.scsi0 ?? "it has no scsi0"}`,
    );
  }
}

async function finish(
  context: Context,
  job: BuildJob,
  vm: BuildVm,
  report: GuestReport | undefined,
  undo: Undo,
): Promise<Template> {
  const { target, place } = job;
  const manifest = manifestOf(context, job, report);
  await publish(context.proxmox, { node: vm.node, vmid: vm.vmid, target, manifest }, job.replaces);
  undo.release(vm.remnant);
  return {
    vmid: vm.vmid,
    node: vm.node,
    storage: place.disk.name,
    name: target.name,
    tags: target.tags,
    manifest,
    digest: manifestDigest(manifest),
  };
}

function manifestOf({ run, proxmox }: Context, job: BuildJob, report: GuestReport | undefined): Manifest {
  const { target, ingredients, place } = job;
  const packages = ingredients.guest?.kubernetes?.packages;
  const list =
    report &&
    Object.entries(report.packages)
      .map(([name, version]) => `${name} ${version}`)
      .sort();
  return {
    schema: 1,
    build: job.build,
    distribution: target.distribution,
    version: target.version,
    ...(target.ubuntuRelease ? { ubuntuRelease: target.ubuntuRelease } : {}),
    ...(target.node ? { node: target.node } : {}),
    architecture: place.arch,
    image: {
      url: withoutUserinfo(ingredients.image.url),
      file: ingredients.image.fileName,
      ...(ingredients.image.sha256 ? { sha256: ingredients.image.sha256 } : {}),
    },
    verified: ingredients.verified.map(({ what, by, signer, signedAt }) => ({
      what,
      by,
      ...(signer ? { signer } : {}),
      ...(signedAt ? { signedAt } : {}),
    })),
    ...(packages
      ? {
          packages: {
            kubeadm: packages.kubeadm,
            kubelet: packages.kubelet,
            kubectl: packages.kubectl,
            "cri-tools": packages.criTools,
            // Ubuntu's newest at the time of the build, by the guest's own words.
            ...(report?.packages["containerd"] ? { containerd: report.packages["containerd"] } : {}),
          },
        }
      : {}),
    ...(list && report
      ? {
          packageListSha256: createHash("sha256").update(list.join("\n")).digest("hex"),
          packageCount: list.length,
          kernel: report.kernel,
        }
      : {}),
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
