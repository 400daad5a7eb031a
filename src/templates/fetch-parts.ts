import { Failure } from "../failure/failure.ts";
import type { BuildJob } from "./build.ts";
import type { Context } from "./context.ts";
import type { StoredImage } from "./images.ts";
import { newMac } from "./machine.ts";
import type { Phases } from "./phases.ts";
import { uploadSeed, type Seed } from "./seed.ts";
import type { Undo } from "./undo.ts";

/** What a VM is created from: the image in the import storage and, where a guest boots, its seed. */
export interface Fetched {
  /** With the ingredients that the image is really made of. */
  job: BuildJob;
  image: StoredImage;
  mac: string;
  boot: Seed | undefined;
}

/** Image and seed at the same time. @throws Failure */
export async function fetchParts(context: Context, asked: BuildJob, undo: Undo, phases: Phases): Promise<Fetched> {
  const mac = newMac();
  const [{ job, image }, boot] = await both(
    fetchImage(context, asked, phases),
    asked.ingredients.guest ? uploadSeed(context.proxmox, asked, mac, undo) : Promise.resolve(undefined),
  );
  return { job, image, mac, boot };
}

/**
 * Upstream's address of the newest image is a moving pointer: between the signed list and the download it may have
 * moved on. Then the list is asked for once more; bytes that no signed list names are never taken (cases.md B12).
 */
async function fetchImage(
  { reporter }: Context,
  job: BuildJob,
  phases: Phases,
): Promise<{ job: BuildJob; image: StoredImage }> {
  const { image } = job.ingredients;
  try {
    return { job, image: await job.images.ensure(image, phases.progress) };
  } catch (error) {
    const mayHaveMoved =
      error instanceof Failure &&
      (error.kind === "verification" || error.kind === "not-found") &&
      image.sha256 !== undefined;
    if (!mayHaveMoved) throw error;
    const fresh = await job.freshIngredients();
    if (fresh.image.sha256 === image.sha256) throw error;
    reporter.note(
      `Upstream has published a newer image in the meantime (sha256 ${fresh.image.sha256?.slice(0, 12)}…): taking that one`,
      job.target.title,
    );
    return { job: { ...job, ingredients: fresh }, image: await job.images.ensure(fresh.image, phases.progress) };
  }
}

/** Waits for both even if one fails, so that nothing goes on behind the clean-up. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === "rejected") throw first.reason as Error;
  if (second.status === "rejected") throw second.reason as Error;
  return [first.value, second.value];
}
