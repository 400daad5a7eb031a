// `npm run test:guest` and, with --serve, `npm run lab`: looks whether this machine can run real guests, makes their image,
// and goes on in network namespaces of their own, where a lab's servers have the real names and ports and nothing else can
// be reached.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { end, startApart } from "./apart.ts";
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

/** What the image's making and the labs need beside their programs. */
const whatRootDoes = "ip link set lo up && mount -t tmpfs none /mnt && mknod /mnt/null c 1 3 && chroot / true";
const diskBytes = 8 * 1024 ** 3;

/** Why no real guest can run here; undefined: it can. */
function obstacle(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return "the lab runs on Linux on x86-64 only";
  if (!/^ID="?debian"?$/m.test(osRelease()))
    return "the guest image is made of Debian's packages, and this is no Debian";
  if (process.getuid?.() !== 0) return "the lab makes a guest image and a network namespace, which root alone may";
  const missing = programs.filter((program) => !found("sh", ["-c", `command -v ${program}`]));
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  if (!found("unshare", ["--net", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", whatRootDoes])) {
    return "this machine does not let even root make namespaces, mount in them and make device files";
  }
  const { bavail, bsize } = statfsSync(os.tmpdir());
  if (bavail * bsize < diskBytes)
    return `${os.tmpdir()} has less room than ${diskBytes / 1024 ** 3} GiB for the disks of the guests`;
  return undefined;
}

function osRelease(): string {
  try {
    return readFileSync("/etc/os-release", "utf8");
  } catch {
    return "";
  }
}

function found(program: string, given: string[]): boolean {
  try {
    execFileSync(program, given, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
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
if (image === undefined) {
  console.log(
    "Real guests: skipped, this machine's package sources cannot be reached, and no guest image is in the cache.",
  );
  process.exit(serve ? 1 : 0);
}
const accelerator = kvmRuns((await openGuestImage(image)).kernel) ? "kvm" : "tcg";
say(accelerator === "kvm" ? "KVM runs kernels here" : "KVM does not run a kernel here: guests are emulated");

const scratch = mkdtempSync(path.join(os.tmpdir(), "kubehenge-lab-"));
const resolver = path.join(scratch, "resolv.conf");
writeFileSync(resolver, "nameserver 127.0.0.1\n");
const script = `ip link set lo up && ip address add ${network.gateway}/32 dev lo && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"`;
const rest = process.argv.slice(2).filter((argument) => argument !== "--serve");
const environment = {
  ...process.env,
  // What a lab leaves when it is pulled goes with the scratch folder.
  TMPDIR: scratch,
  KUBEHENGE_LAB_IMAGE: image,
  KUBEHENGE_LAB_ACCELERATOR: accelerator,
  KUBEHENGE_LAB_QUEUE: mkdtempSync(path.join(scratch, "queue-")),
  KUBEHENGE_LAB_BEGAN: String(Date.now()),
};
const testing = ["--test", "--test-reporter=spec", "--test-timeout=5400000"];
// Two labs at once, each with its own names, ports and Proxmox VE: an emulated guest keeps one core busy or waits.
const labs: Record<string, string[]> = serve
  ? { lab: ["serve.ts"] }
  : Object.fromEntries(["rke2", "kubeadm"].map((name) => [name, [...testing, ...rest, `${name}.test.ts`]]));
const running = Object.entries(labs).map(([name, entry]) => {
  const args = entry.map((one) => (one.endsWith(".ts") ? path.join(import.meta.dirname, one) : one));
  const child = startApart(
    ["sh", "-c", script, "lab", resolver, process.execPath, "--import=./test/text-modules.mjs", ...args],
    environment,
  );
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on("line", (line) => console.log(serve ? line : `${name.padEnd(7)} | ${line}`));
  return child;
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => running.forEach((child) => end(child, signal)));
const codes = await Promise.all(
  running.map(async (child) => (await once(child, "close")) as [number | null, string | null]),
);
rmSync(scratch, { recursive: true, force: true });
const bad = codes.filter(([code]) => code !== 0);
say(`done${bad.length === 0 ? "" : `, exit code ${bad.map(([code, signal]) => code ?? signal).join(", ")}`}`);
if (bad.length > 0) process.exitCode = 1;
