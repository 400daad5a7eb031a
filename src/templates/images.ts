import type { Image } from "../distributions/distribution.ts";
import { Failure } from "../failure/failure.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { downloadImage, listVolumes, type Volume } from "../proxmox/storage.ts";
import { findTask, TaskFailure, waitForTask } from "../proxmox/task.ts";
import type { Remnant } from "./remnant.ts";
import type { Undo } from "./undo.ts";

export interface ImageStore {
  node: string;
  storage: string;
  /** What was there when the run looked. */
  present: readonly Volume[];
}

/** An image in the import storage. */
export interface StoredImage {
  /** `STORAGE:import/NAME` */
  volume: string;
  /** Made by this run, which then removes it; what was there before is left. */
  downloaded: boolean;
}

/** The images of one run: each is fetched once, however many templates are made from it. */
export interface Images {
  /** Has Proxmox VE download the image unless it is there. @throws Failure, see `fetchImage` */
  ensure(image: Image, onProgress: (line: string) => void): Promise<StoredImage>;
  /** Forgets an image, after an import found it gone. */
  forget(image: Image): void;
}

export function imagesOf(proxmox: Proxmox, store: ImageStore, undo: Undo): Images {
  const started = new Map<string, Promise<StoredImage>>();
  let present = store.present;
  return {
    ensure(image, onProgress) {
      const running = started.get(image.fileName);
      if (running) return running;
      const volume = volumeOf(store, image);
      const promise = present.some((one) => one.id === volume)
        ? Promise.resolve({ volume, downloaded: false })
        : fetchImage(proxmox, store, image, undo, onProgress);
      started.set(image.fileName, promise);
      return promise;
    },
    forget(image) {
      started.delete(image.fileName);
      present = present.filter((one) => one.id !== volumeOf(store, image));
    },
  };
}

export function volumeOf(store: Pick<ImageStore, "storage">, image: Image): string {
  return `${store.storage}:import/${image.fileName}`;
}

const downloadAttempts = 6;

const fileIsThere = /refusing to override|file exists|unable to rename/i;

/** A download that was cut off, or refused for another run's file which that run has removed since. */
function mayGoBetter(error: unknown): boolean {
  if (!(error instanceof TaskFailure)) return false;
  return (
    error.outcomeUnknown ||
    error.lockTimeout ||
    fileIsThere.test(error.exitStatus) ||
    /received interrupt/i.test(error.exitStatus)
  );
}

/** A download that shows no progress for this long is given up. */
const stallMs = 10 * 60_000;
// On CephFS a fresh file is sometimes missing from the listing for a moment (cases.md B10).
const listingAttempts = 6;

/**
 * @throws TaskFailure with the task's words; Failure `verification` when the bytes are not those that upstream signed,
 * or `not-found` when upstream has taken the image away since.
 */
async function fetchImage(
  proxmox: Proxmox,
  store: ImageStore,
  image: Image,
  undo: Undo,
  onProgress: (line: string) => void,
): Promise<StoredImage> {
  const volume = volumeOf(store, image);
  const remnant = { kind: "volume", node: store.node, volume } as const;
  undo.push(remnant);
  // Another run that used the same image may have removed it at this very moment, or stopped the download: then once more.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await download(proxmox, store, image, undo, remnant, onProgress);
    } catch (error) {
      if (attempt >= downloadAttempts || !mayGoBetter(error)) throw error;
      await proxmox.clock.sleep(1000 * attempt * (0.5 + Math.random()), proxmox.signal);
      continue;
    }
    if (await isSeen(proxmox, store, volume)) return { volume, downloaded: true };
    if (attempt >= downloadAttempts) throw notListed(store, volume);
  }
}

async function download(
  proxmox: Proxmox,
  store: ImageStore,
  image: Image,
  undo: Undo,
  remnant: Remnant & { kind: "volume" },
  onProgress: (line: string) => void,
): Promise<void> {
  const { volume } = remnant;
  const upid = await startDownload(proxmox, store, image, undo, remnant);
  if (upid) {
    undo.push({ ...remnant, upid });
    try {
      await waitForTask(proxmox, upid, {
        doing: `downloading ${image.url} to ${store.storage} on node ${store.node}`,
        onProgress,
        stallMs,
      });
    } catch (error) {
      if (!(await madeBySomebodyElse(proxmox, store, volume, error))) throw explain(error, image);
    }
  }
  undo.push({ ...remnant, whole: true });
}

/** The task's UPID; nothing when the answer was lost and the image turned out to be there. */
async function startDownload(
  proxmox: Proxmox,
  store: ImageStore,
  image: Image,
  undo: Undo,
  remnant: Remnant,
): Promise<string | undefined> {
  try {
    return await downloadImage(proxmox, store.node, store.storage, {
      url: image.url,
      fileName: image.fileName,
      sha256: image.sha256,
    });
  } catch (error) {
    if (!(error instanceof ProxmoxError)) throw error;
    if (error.treatment !== "ambiguous") {
      // Nothing was begun: another run's download of the same image is none of this one's to stop.
      undo.release(remnant);
      throw error;
    }
    const task = await findTask(proxmox, store.node, { type: "download", id: image.fileName });
    if (task) return task.upid;
    if (await isListed(proxmox, store, volumeOf(store, image))) return undefined;
    return await downloadImage(proxmox, store.node, store.storage, {
      url: image.url,
      fileName: image.fileName,
      sha256: image.sha256,
    });
  }
}

/** Two runs may download one image at the same moment: the second is refused, and finds the first one's file. */
async function madeBySomebodyElse(
  proxmox: Proxmox,
  store: ImageStore,
  volume: string,
  error: unknown,
): Promise<boolean> {
  const refused = error instanceof TaskFailure && fileIsThere.test(error.exitStatus);
  return refused && (await isListed(proxmox, store, volume));
}

function explain(error: unknown, image: Image): unknown {
  if (!(error instanceof TaskFailure)) return error;
  if (error.kind === "verification") {
    return new Failure(
      "verification",
      `${error.message}. The bytes at ${image.url} are not those of the signed list; nothing of them was kept`,
      {
        remedy: [
          "if upstream has just published a new image, run again",
          "else a mirror or proxy changes what it hands on",
        ],
        evidence: error.evidence,
        cause: error,
      },
    );
  }
  // The exit status is only that of the node's wget ("exit code 8"); the server's answer stands in the log.
  if ([error.exitStatus, ...error.evidence].some((line) => /(?:ERROR|failed:) (?:403|404|410)\b/.test(line))) {
    return new Failure("not-found", `${error.message}. The image ${image.url} is not there`, {
      evidence: error.evidence,
      cause: error,
    });
  }
  return error;
}

async function isSeen(proxmox: Proxmox, store: ImageStore, volume: string): Promise<boolean> {
  for (let attempt = 1; attempt <= listingAttempts; attempt += 1) {
    if (await isListed(proxmox, store, volume)) return true;
    await proxmox.clock.sleep(500 * attempt, proxmox.signal);
  }
  return false;
}

function notListed({ storage, node }: ImageStore, volume: string): Failure {
  return new Failure(
    "failure",
    `The download has ended well, but storage ${storage} on node ${node} does not list ${volume}`,
    {
      remedy: [`pvesm list ${storage} --content import   # on node ${node}`],
    },
  );
}

async function isListed(proxmox: Proxmox, store: ImageStore, volume: string): Promise<boolean> {
  return (await listVolumes(proxmox, store.node, store.storage, "import")).some((one) => one.id === volume);
}
