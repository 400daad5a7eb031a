import { Failure } from "../failure/failure.ts";
import {
  firstSignalSeconds,
  lastLines,
  logPath,
  markerDevice,
  parseReport,
  readHostNameSignal,
  readSignal,
  reportPath,
  type GuestReport,
  type GuestSignal,
  type GuestStep,
} from "../guest/index.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { readGuestFile, readGuestHostName, readStatus, type VmStatus } from "../proxmox/vm.ts";
import { sayDuration } from "../time/duration.ts";

export interface Watched {
  node: string;
  vmid: number;
  steps: readonly GuestStep[];
  onStep(title: string): void;
  /** Told each new signal of the guest. */
  onSignal?(signal: GuestSignal): void;
}

const firstPollMs = 500;
// By the time passed: seldom enough for ten minutes of guest work, often enough that a failure is seen at once.
const slowestPollMs = 3000;
const pollsPerTimePassed = 16;
// What is lost between two polls is lost only behind the last step: there they are closer.
const lastStepPollMs = 1000;
/** Polls without any block statistics before the guest agent is asked instead. */
const patience = 10;

/**
 * Follows a build guest by what it writes on its marker disk, until it says that it is done.
 * @throws Failure `verification` when it fails or switches itself off without having proven itself, `deadline` when it
 * is silent for longer than its step may take; with the guest's last words where they can be had.
 */
export async function watchGuest(proxmox: Proxmox, guest: Watched): Promise<void> {
  const { clock, signal } = proxmox;
  let pause = firstPollMs;
  const started = clock.now();
  let seen: GuestSignal = { kind: "nothing" };
  let since = clock.now();
  let blind = 0;
  for (;;) {
    await clock.sleep(pause, signal);
    const status = await readStatus(proxmox, guest.node, guest.vmid);
    blind = status.status === "running" && status.blockstat === undefined ? blind + 1 : 0;
    if (blind === patience + 1) guest.onStep("Proxmox VE shows no block statistics: its guest agent is asked instead");
    const now =
      blind > patience
        ? await askAgent(proxmox, guest)
        : readSignal(guest.steps, status.blockstat?.[markerDevice]?.wr_highest_offset);
    if (now.kind === "done") return;
    // Block statistics end with the power, so the last signal seen is what a stopped guest had said.
    if (status.status === "stopped") throw await poweredOff(proxmox, guest, seen, status);
    if (now.kind === "failed") {
      guest.onSignal?.(now);
      throw await failed(proxmox, guest, now);
    }
    if (now.kind === "step" && (seen.kind !== "step" || seen.code !== now.code)) {
      seen = now;
      since = clock.now();
      guest.onSignal?.(now);
      guest.onStep(now.step.title);
    }
    const bound = (seen.kind === "step" ? seen.step.boundSeconds : firstSignalSeconds) * 1000;
    if (clock.now() - since > bound) throw await silent(proxmox, guest, seen, status, bound);
    const isLastStep = seen.kind === "step" && seen.code === guest.steps.at(-1)?.code;
    const slowest = isLastStep ? lastStepPollMs : slowestPollMs;
    pause = Math.min(Math.max((clock.now() - started) / pollsPerTimePassed, firstPollMs), slowest);
  }
}

/** Where Proxmox VE tells no block statistics, the guest's transient host name says the same from the agent's step on. */
async function askAgent(proxmox: Proxmox, guest: Watched): Promise<GuestSignal> {
  try {
    return readHostNameSignal(guest.steps, await readGuestHostName(proxmox, guest.node, guest.vmid));
  } catch (error) {
    if (!(error instanceof ProxmoxError)) throw error;
    if (error.status !== 403) return { kind: "nothing" };
    throw new Failure(
      "access",
      `VM ${guest.vmid}: Proxmox VE shows no block statistics of it, and its guest agent may not be asked instead: ${error.reason}`,
      { remedy: error.remedy, cause: error },
    );
  }
}

async function failed(proxmox: Proxmox, guest: Watched, signal: GuestSignal & { kind: "failed" }): Promise<Failure> {
  const why = signal.reason ? `: ${signal.reason.title}` : "";
  return new Failure(
    "verification",
    `The guest of VM ${guest.vmid} failed while ${signal.step.title}${why} (code ${signal.code})`,
    {
      remedy: [...(signal.reason?.remedy ? [signal.reason.remedy] : []), inspectionHint],
      evidence: await lastWords(proxmox, guest),
    },
  );
}

async function poweredOff(_proxmox: Proxmox, guest: Watched, seen: GuestSignal, status: VmStatus): Promise<Failure> {
  return new Failure(
    "verification",
    `VM ${guest.vmid} is switched off (${status.qmpstatus ?? status.status}), but its guest had not proven itself: ${lastSeen(seen)}`,
    {
      remedy: [
        "somebody or something has stopped it, or its guest has crashed: the node's task log and journal tell",
        inspectionHint,
      ],
    },
  );
}

async function silent(
  proxmox: Proxmox,
  guest: Watched,
  seen: GuestSignal,
  status: VmStatus,
  bound: number,
): Promise<Failure> {
  const read = (status.blockstat?.["ide2"] ?? status.blockstat?.["ide0"] ?? status.blockstat?.["scsi2"])?.rd_bytes ?? 0;
  // The firmware alone reads one sector of a CD-ROM.
  const about =
    seen.kind === "step"
      ? lastSeen(seen)
      : read > 2048
        ? "it has read its seed, but nothing of it ran"
        : "it has not read its seed: it does not boot, or finds no data source";
  return new Failure(
    "deadline",
    `The guest of VM ${guest.vmid} has shown nothing new for ${sayDuration(bound)}, the bound of this step: ${about}`,
    {
      remedy: [inspectionHint],
      evidence: await lastWords(proxmox, guest),
    },
  );
}

function lastSeen(seen: GuestSignal): string {
  return seen.kind === "step" ? `it was last seen ${seen.step.title} (code ${seen.code})` : "it never said anything";
}

/** For failures whose VM was not kept. */
export const inspectionHint =
  "run again with --keep-on-failure (keep-on-failure: true), then start the kept VM and open its console: the guest prints its log there";

/** The guest's last lines through its agent, where it runs and the token may read files; nothing else may fail for it. */
async function lastWords(proxmox: Proxmox, guest: Watched): Promise<string[]> {
  try {
    return lastLines(await readGuestFile(proxmox, guest.node, guest.vmid, logPath));
  } catch (error) {
    if (error instanceof ProxmoxError && error.status === 403)
      return [`(the guest's log could not be read: ${error.reason})`];
    return [];
  }
}

/** What the guest says it holds; nothing where its agent cannot be asked: the guest has proven itself without it. */
export async function readReport(
  proxmox: Proxmox,
  guest: Pick<Watched, "node" | "vmid">,
): Promise<GuestReport | undefined> {
  try {
    return parseReport(await readGuestFile(proxmox, guest.node, guest.vmid, reportPath));
  } catch (error) {
    if (error instanceof ProxmoxError) return undefined;
    throw error;
  }
}
