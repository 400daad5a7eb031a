import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Failure } from "../failure/failure.ts";
import type { Outcome } from "../templates/outcome.ts";
import { changesSince, sbomEnding, sbomName, sbomOf, type Changes } from "../templates/sbom.ts";

/** What was written for one template. */
export interface SbomFile {
  title: string;
  file: string;
  /** Against the build that it replaces, where the directory holds that one's file. */
  changes: Changes | undefined;
}

/**
 * Writes an SPDX file for each template that was created, named by its target and build. A template that was reused has
 * its file listed where the directory holds it; its contents are not known any more.
 * @throws Failure when the directory or a file cannot be written
 */
export function saveSboms(outcomes: readonly Outcome[], directory: string): SbomFile[] {
  try {
    return outcomes.flatMap((outcome) => saveOne(outcome, directory) ?? []);
  } catch (error) {
    if (error instanceof Failure || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Failure("failure", `The SBOM could not be written: ${(error as Error).message}`, {
      remedy: ["name a directory that can be written to; the templates themselves are made"],
      cause: error,
    });
  }
}

function saveOne({ target, template, result, contents, replaced }: Outcome, directory: string): SbomFile | undefined {
  const manifest = template?.manifest;
  if (!template || !manifest) return undefined;
  const file = path.join(directory, `${sbomName(target, manifest)}${sbomEnding}`);
  if (result !== "created") return existsSync(file) ? { title: target.title, file, changes: undefined } : undefined;
  const document = sbomOf(target, manifest, template.digest, contents);
  mkdirSync(directory, { recursive: true });
  const older = replaced && readOlder(directory, replaced);
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  return { title: target.title, file, changes: older === undefined ? undefined : changesSince(older, document) };
}

function readOlder(directory: string, build: string): string | undefined {
  const name = readdirSync(directory).find((one) => one.endsWith(`-${build}${sbomEnding}`));
  return name === undefined ? undefined : readFileSync(path.join(directory, name), "utf8");
}
