import { Failure } from "../failure/failure.ts";
import { lastLines } from "../guest/index.ts";
import type { Proof } from "../guest/smoke/index.ts";
import { openConsole } from "../proxmox/console.ts";
import { ProxmoxError } from "../proxmox/error.ts";
import { readStatus } from "../proxmox/vm.ts";
import { sayDuration } from "../time/duration.ts";
import type { Context } from "./context.ts";
import type { Phases } from "./phases.ts";
import { cloneSize, equipClone, startClone, type Clone } from "./smoke-clone.ts";
import { SmokeFailure } from "./smoke-failure.ts";
import type { Undo } from "./undo.ts";

/**
 * What Talos says when it has found no configuration: "entering maintenance service" (siderolabs/talos
 * `internal/app/machined/pkg/controllers/config/acquire.go`); the second where it is reached in another wording.
 */
const maintenance = /entering maintenance (?:service|mode)|booted into maintenance mode/i;
const boundMs = 5 * 60_000;
const what = "it boots into maintenance mode, as its serial console says";

/**
 * A Talos clone boots without a seed. It gets no network card: in maintenance mode its API takes a configuration from
 * anybody who reaches it.
 * @throws SmokeFailure with the console's last lines; Failure `access` where the console cannot be read
 */
export async function proveTalos(
  { proxmox }: Context,
  clone: Clone,
  undo: Undo,
  phases: Phases,
): Promise<readonly Proof[]> {
  await equipClone(proxmox, clone, cloneSize);
  await startClone(proxmox, clone);
  const console = await openConsole(proxmox, clone.node, clone.vmid).catch((error: unknown) => {
    throw withoutConsole(error, clone);
  });
  try {
    phases.progress("reading the clone's serial console");
    const end = await console.waitFor(maintenance, boundMs);
    if (end !== "found") {
      const { status } = await readStatus(proxmox, clone.node, clone.vmid);
      throw silent(clone, end, status, lastLines(console.text()));
    }
  } finally {
    console.close();
  }
  await undo.remove(proxmox, clone.remnant);
  return [{ what, ok: true }];
}

function silent(
  { vmid }: Clone,
  end: "late" | "closed" | "flooded",
  status: string,
  evidence: readonly string[],
): SmokeFailure {
  const how =
    status === "stopped"
      ? "it is switched off"
      : {
          late: `its serial console did not say so within ${sayDuration(boundMs)}`,
          closed: "its serial console closed the connection before it said so",
          flooded: "its serial console said too much else",
        }[end];
  const why = evidence.length === 0 ? `${how}, and nothing was to be read there` : how;
  const failure = new Failure(
    end === "late" && status !== "stopped" ? "deadline" : "verification",
    `VM ${vmid} did not come to Talos' maintenance mode: ${why}`,
    { evidence },
  );
  return new SmokeFailure(failure, [{ what, ok: false }]);
}

/** Without its console nothing can be proven of Talos, and what cannot be proven is not passed over. */
function withoutConsole(error: unknown, { vmid }: Clone): unknown {
  if (!(error instanceof Failure) || error.kind === "interrupted" || error.kind === "deadline") return error;
  const words = error instanceof ProxmoxError ? `${error.status} ${error.reason}` : error.message;
  return new Failure(
    error.kind,
    `The smoke test is not possible: the serial console of VM ${vmid} cannot be read: ${words}`,
    {
      remedy: error.remedy,
      cause: error,
    },
  );
}
