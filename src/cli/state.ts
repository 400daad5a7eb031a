import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import path from "node:path";
import { journalInto } from "../shell/journal.ts";

/**
 * The command's journal: a file per run under the user's state folder (XDG Base Directory specification), written
 * before each call that makes something, gone when nothing is left. It holds no secret.
 */
export function fileJournal(environment: Readonly<Record<string, string | undefined>>, run: string, origin: string) {
  const folder = stateFolder(environment);
  const file = path.join(folder, `${run.replace(/[^A-Za-z0-9.-]/g, "_")}.json`);
  return journalInto((open) => {
    if (open.length === 0) return rmSync(file, { force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Renamed into place, so that a crash leaves the old or the new state, never half of one.
    writeFileSync(`${file}.new`, JSON.stringify({ run, origin, host: hostname(), pid: process.pid, remnants: open }), {
      mode: 0o600,
    });
    renameSync(`${file}.new`, file);
  });
}

export function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  return path.join(
    environment["XDG_STATE_HOME"] || path.join(environment["HOME"] || homedir(), ".local", "state"),
    "kubehenge",
  );
}

/** Whether earlier runs have left journals. */
export function isAnythingLeft(environment: Readonly<Record<string, string | undefined>>): boolean {
  try {
    return readdirSync(stateFolder(environment)).length > 0;
  } catch {
    return false;
  }
}

/**
 * Journals that a run of this machine was writing when it was killed, and the run's pid. They say nothing: the call that
 * they were to precede was not made, and the journal before them is whole.
 */
export function halfWrittenJournals(folder: string): { file: string; pid: number }[] {
  const host = hostname().replace(/[^A-Za-z0-9.-]/g, "_");
  try {
    return readdirSync(folder).flatMap((name) => {
      const pid = name.startsWith(`${host}-`) && /^(\d+)-[0-9a-z]+\.json\.new$/.exec(name.slice(host.length + 1))?.[1];
      return pid ? [{ file: path.join(folder, name), pid: Number(pid) }] : [];
    });
  } catch {
    return [];
  }
}

/** The journals of earlier runs that left something, as text. */
export function leftJournals(folder: string): { file: string; text: string }[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => ({ file: path.join(folder, name), text: readFileSync(path.join(folder, name), "utf8") }));
  } catch {
    return [];
  }
}
