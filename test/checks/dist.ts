// `npm run check:dist`: builds the bundle into a temporary folder and compares it with the committed dist/, byte by byte.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** What a runner downloads with each use of the Action, in bytes. */
const sizeLimit = 2_500_000;

const root = path.resolve(import.meta.dirname, "../..");
const committed = path.join(root, "dist");
const scratch = mkdtempSync(path.join(os.tmpdir(), "kubehenge-dist-"));

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .toSorted();
}

function compare(rebuilt: string): string[] {
  const names = [...new Set([...filesOf(committed), ...filesOf(rebuilt)])].toSorted();
  return names.flatMap((name) => {
    const [ours, theirs] = [path.join(committed, name), path.join(rebuilt, name)];
    if (!existsSync(ours)) return [`dist/${name} is missing`];
    if (!existsSync(theirs)) return [`dist/${name} is not built any more`];
    return readFileSync(ours).equals(readFileSync(theirs)) ? [] : [`dist/${name} differs from what the sources give`];
  });
}

try {
  execFileSync(process.execPath, [path.join(root, "node_modules/rolldown/bin/cli.mjs"), "-c", "-d", scratch], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const findings = compare(scratch);
  const size = filesOf(committed).reduce((sum, name) => sum + statSync(path.join(committed, name)).size, 0);
  if (size > sizeLimit) findings.push(`dist/ has ${size} bytes, more than ${sizeLimit}`);
  if (existsSync(path.join(committed, "cli.mjs")) && (statSync(path.join(committed, "cli.mjs")).mode & 0o111) === 0) {
    findings.push("dist/cli.mjs is not executable");
  }
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) console.error("Run `npm run build` and commit dist/.");
  console.log(`dist/: ${filesOf(committed).length} files, ${size} bytes, ${findings.length} findings`);
  process.exitCode = findings.length > 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
