// `npm test`: runs the tests on Node 24, started by whatever Node (20 or newer) is there.
//   node test/run.mjs [FILE...] [--OPTION-OF-NODE...]
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** Node that runs TypeScript files as they are (22.18 and newer do, without a flag); 24 is what the Action runs on. */
function findNode() {
  const candidates = [path.join(root, "node_modules/.bin/node"), process.execPath];
  for (const candidate of candidates) {
    if (!existsSync(candidate)) continue;
    const asked = spawnSync(candidate, ["-p", "process.versions.node"], { encoding: "utf8" });
    const [major = 0, minor = 0] = (asked.stdout ?? "").split(".").map(Number);
    if (asked.status === 0 && (major > 22 || (major === 22 && minor >= 18))) return candidate;
  }
  console.error(
    `The tests need Node 22.18 or newer. node_modules/.bin/node is not there or does not start, and this is ${process.version}.\n` +
      "Run `npm ci`, which installs Node 24 on Linux (x64, arm64); elsewhere start the tests with Node 24.",
  );
  process.exit(2);
}

function testFiles(folder) {
  const directory = path.join(root, folder);
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => name.endsWith(".test.ts"))
    .toSorted();
}

const given = process.argv.slice(2);
const options = given.filter((argument) => argument.startsWith("--"));
const named = given.filter((argument) => !argument.startsWith("--"));
const wanted = named.length > 0 ? named : ["test/unit", "test/e2e"];
const files = wanted.flatMap((one) => (one.endsWith(".ts") ? [one] : testFiles(one)));
if (files.length === 0) {
  console.error(`There is no test file in ${wanted.join(" or ")}.`);
  process.exit(2);
}

const scratch = mkdtempSync(path.join(os.tmpdir(), "kubehenge-tests-"));
const tallyFile = path.join(scratch, "tally.json");
const child = spawn(
  findNode(),
  [
    "--import=./test/text-modules.mjs",
    "--test",
    "--test-concurrency=2",
    `--test-reporter=${process.env.KUBEHENGE_TEST_REPORTER ?? "spec"}`,
    "--test-reporter-destination=stdout",
    "--test-reporter=./test/tally.mjs",
    `--test-reporter-destination=${tallyFile}`,
    ...options,
    ...files,
  ],
  {
    cwd: root,
    stdio: "inherit",
    // Each test file is a process of its own that loads the stand-ins: compiled once, they load three times as fast.
    env: { NODE_COMPILE_CACHE: path.join(root, "node_modules/.cache/compiled"), ...process.env },
  },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));

child.on("exit", (code, signal) => {
  printTally();
  rmSync(scratch, { recursive: true, force: true });
  process.exitCode = code ?? 128 + (os.constants.signals[signal] ?? 0);
});

function printTally() {
  let tally;
  try {
    tally = JSON.parse(readFileSync(tallyFile, "utf8"));
  } catch {
    console.error("\nThe tests ended without a summary.");
    return;
  }
  if (tally.skipped.length > 0) {
    console.log("\nSkipped:");
    for (const { reason, names } of tally.skipped) {
      console.log(`  ${reason} (${names.length === 1 ? names[0] : `${names.length} tests`})`);
    }
  }
  const { counts, seconds } = tally;
  console.log(
    `\n${files.length} files, ${counts.tests} tests: ${counts.passed} passed, ${counts.failed} failed, ` +
      `${counts.cancelled} cancelled, ${counts.skipped} skipped, ${counts.todo} to do, in ${seconds.toFixed(1)} s`,
  );
}
