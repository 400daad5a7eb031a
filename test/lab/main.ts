// `npm run test:guest` and, with --serve, `npm run lab`: looks whether this machine can run real guests, makes their image,
// and goes on in a network namespace of its own, where the lab's servers have the real names and ports and nothing else
// can be reached.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { kvmRuns, makeGuestImage, openGuestImage } from "./guest-image.ts";
import { network } from "./network.ts";

const programs = [
  "qemu-system-x86_64",
  "qemu-img",
  "mmdebstrap",
  "mke2fs",
  "debugfs",
  "sfdisk",
  "dpkg-deb",
  "unshare",
  "ip",
];

/** Why no real guest can run here; undefined: it can. */
function obstacle(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "the lab runs on Linux on x86-64 only";
  if (process.getuid?.() !== 0) return "the lab makes a guest image and a network namespace, which root alone may";
  const missing = programs.filter((program) => !found("sh", ["-c", `command -v ${program}`]));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  if (!found("unshare", ["--net", "--mount", "--pid", "--fork", "true"])) {
    return "this machine does not let even root make a network namespace";
  }
  return undefined;
}

function found(program: string, given: string[]): boolean {
  try {
    execFileSync(program, given, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/**
 * unshare itself takes no signal while its child runs. What does not end by the signal is pulled: the kernel then ends the
 * whole pid namespace.
 */
function end(signal: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
  for (const pid of children.filter((one) => one !== "")) process.kill(Number(pid), signal);
  setTimeout(() => child.kill("SIGKILL"), 10_000).unref();
}

const serve = process.argv.includes("--serve");
const why = obstacle();
if (why !== undefined) {
  console.log(`Real guests: skipped, ${why}.`);
  process.exit(serve ? 1 : 0);
}
const began = performance.now();
const say = (line: string): void => console.log(`[${((performance.now() - began) / 1000).toFixed(0)} s] ${line}`);
const image = await makeGuestImage(say);
const accelerator = kvmRuns((await openGuestImage(image)).kernel) ? "kvm" : "tcg";
say(accelerator === "kvm" ? "KVM runs kernels here" : "KVM does not run a kernel here: guests are emulated");

const scratch = mkdtempSync(path.join(os.tmpdir(), "kubehenge-lab-"));
const resolver = path.join(scratch, "resolv.conf");
writeFileSync(resolver, "nameserver 127.0.0.1\n");
const script = `ip link set lo up && ip address add ${network.gateway}/32 dev lo && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"`;
const rest = process.argv.slice(2).filter((argument) => argument !== "--serve");
const entry = serve
  ? [path.join(import.meta.dirname, "serve.ts")]
  : [
      "--test",
      "--test-reporter=spec",
      "--test-timeout=5400000",
      ...rest,
      path.join(import.meta.dirname, "guest.test.ts"),
    ];
const child = spawn(
  "unshare",
  [
    // --kill-child with a pid namespace: whatever happens to this process, no guest stays behind.
    "--net",
    "--mount",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "--",
    "sh",
    "-c",
    script,
    "lab",
    resolver,
    process.execPath,
    "--import=./test/text-modules.mjs",
    ...entry,
  ],
  {
    cwd: path.resolve(import.meta.dirname, "../.."),
    stdio: "inherit",
    // TMPDIR: what the lab leaves when it is pulled goes with the scratch folder.
    env: { ...process.env, TMPDIR: scratch, KUBEHENGE_LAB_IMAGE: image, KUBEHENGE_LAB_ACCELERATOR: accelerator },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end(signal));
child.on("exit", (code, signal) => {
  rmSync(scratch, { recursive: true, force: true });
  say(`done${code === 0 ? "" : `, exit code ${code ?? signal}`}`);
  process.exitCode = code ?? 1;
});
