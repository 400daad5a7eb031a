import { createHash } from "node:crypto";
import { Failure } from "../failure/failure.ts";
import { guestSteps, seedIso, type GuestPlan, type GuestStep } from "../guest/index.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { listVolumes, uploadIso } from "../proxmox/storage.ts";
import { waitForTask } from "../proxmox/task.ts";
import type { BuildJob } from "./build.ts";
import { seedFileName } from "./lease.ts";
import type { Remnant } from "./remnant.ts";
import type { Undo } from "./undo.ts";

/** The ISO that a build guest is prepared with, in the ISO storage. */
export interface Seed {
  /** `STORAGE:iso/NAME` */
  volume: string;
  remnant: Remnant;
  steps: readonly GuestStep[];
}

const attempts = 3;

/** Writes the seed and uploads it under a name that bears the build. */
export async function uploadSeed(proxmox: Proxmox, job: BuildJob, mac: string, undo: Undo): Promise<Seed> {
  const plan = guestPlan(job, mac, proxmox.clock.now());
  const bytes = seedIso(plan, new Date(proxmox.clock.now()));
  return { ...(await uploadSeedIso(proxmox, job, bytes, undo)), steps: guestSteps(plan) };
}

/** Uploads a seed under the name that bears the build, which its lease knows. One at a time: they share the name. */
export async function uploadSeedIso(
  proxmox: Proxmox,
  { place, build }: Pick<BuildJob, "place" | "build">,
  bytes: Uint8Array,
  undo: Undo,
): Promise<Pick<Seed, "volume" | "remnant">> {
  const storage = place.iso?.name;
  if (storage === undefined) throw new Error("a guest boots, but no ISO storage was chosen");
  const fileName = seedFileName(build);
  const volume = `${storage}:iso/${fileName}`;
  const remnant: Remnant = { kind: "volume", node: place.node, volume };
  const whole: Remnant = { ...remnant, whole: true };
  undo.push(remnant);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  for (let attempt = 1; ; attempt += 1) {
    try {
      const upid = await uploadIso(proxmox, place.node, storage, { fileName, bytes, sha256 });
      undo.push({ ...remnant, upid });
      await waitForTask(proxmox, upid, { doing: `uploading the seed ISO to ${storage} on node ${place.node}` });
      break;
    } catch (error) {
      // The name is this build's alone, so that sending it again can only replace the same bytes.
      if (!(error instanceof ProxmoxError) || error.treatment !== "ambiguous" || attempt >= attempts) throw error;
      const listed = await listVolumes(proxmox, place.node, storage, "iso");
      if (listed.some((one) => one.id === volume && one.sizeBytes === bytes.length)) break;
    }
  }
  undo.push(whole);
  return { volume, remnant: whole };
}

function guestPlan(job: BuildJob, mac: string, nowMs: number): GuestPlan {
  const { request, target, ingredients } = job;
  const kubernetes = ingredients.guest?.kubernetes;
  const seconds = Math.floor((job.deadlineMs - nowMs) / 1000);
  if (seconds < 120)
    throw new Failure("deadline", `Only ${seconds} s are left of the run's time for preparing ${target.title}`, {
      remedy: ["--timeout MINUTES"],
    });
  return {
    instanceId: `kubehenge-${job.build}`,
    hostname: "kubehenge-build",
    mac,
    network: request.network,
    ...(request.aptMirror ? { aptMirror: request.aptMirror } : {}),
    ...(kubernetes
      ? {
          kubernetes: {
            ...kubernetes,
            ...(request.imageRepository ? { imageRepository: request.imageRepository } : {}),
          },
        }
      : {}),
    timeoutSeconds: Math.min(seconds, 86_400),
  };
}
