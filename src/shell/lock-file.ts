import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { CreateReport } from "../templates/outcome.ts";
import { parseLock, writeLock } from "../templates/pins.ts";
import type { CreateRequest } from "../templates/request.ts";
import type { NameInput, RawInputs } from "../templates/request-inputs.ts";

type Mode = "check" | "write";

/** `lock: check` takes the file as the only allowed outcome, `lock: write` writes it after a good run. @throws Failure `usage` */
function lockOf(raw: RawInputs, name: NameInput): { file: string; mode: Mode } | undefined {
  const file = raw["lock-file"]?.trim() || (raw["lock"]?.trim() ? "templates.lock.json" : "");
  if (!file) return undefined;
  const mode = raw["lock"]?.trim() || "check";
  if (mode !== "check" && mode !== "write")
    throw new Failure("usage", `${name("lock")} is check or write, not ${JSON.stringify(mode)}`);
  return { file, mode };
}

/** The request under the lock file's pins, where one is to be checked. @throws Failure `usage` */
export function lockedRequest(request: CreateRequest, raw: RawInputs, name: NameInput): CreateRequest {
  const lock = lockOf(raw, name);
  if (lock?.mode !== "check") return request;
  return { ...request, pins: parseLock(read(lock.file, name), lock.file) };
}

/** Writes the lock file where that was asked for, and everything went well. @throws Failure */
export function saveLock(report: CreateReport, raw: RawInputs, name: NameInput): void {
  const lock = lockOf(raw, name);
  if (lock?.mode !== "write" || report.outcomes.some(({ result }) => result === "failed" || result === "planned"))
    return;
  const templates = report.outcomes.flatMap(({ target, template }) => (template ? [{ target, template }] : []));
  const undigested = templates.find(({ template }) => !template.digest);
  if (undigested)
    throw new Failure(
      "failure",
      `VM ${undigested.template.vmid} has no manifest in its notes, so there is no digest to lock`,
      { remedy: ["build it anew: --refresh always"] },
    );
  writeFileSync(lock.file, writeLock(templates, existsSync(lock.file) ? read(lock.file, name) : undefined, lock.file));
}

function read(file: string, name: NameInput): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Failure("usage", `${name("lock-file")}: ${(error as Error).message}`, {
      remedy: ["write it first with --lock write"],
      cause: error,
    });
  }
}
