import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { generateKey, readPrivateKey } from "openpgp";
import type { TestKey } from "../stand-in/upstreams/keys.ts";

/** A guest image that stands in for Ubuntu's, with what boots it and the packages that a build installs. */
export interface GuestImage {
  disk: string;
  kernel: string;
  initrd: string;
  /** Folder of .deb files. */
  debs: string;
  /** Signs the archive that the image's package sources trust. */
  archiveKey: TestKey;
}

const script = path.join(import.meta.dirname, "make-image.sh");
const inputs = ["make-image.sh", "initramfs.conf", "initramfs-modules", ...filesBelow("image")];

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(import.meta.dirname, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(import.meta.dirname, path.join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Images are kept per content of what makes them; an image older than this is made anew, for its packages age. */
const maxAgeMs = 14 * 86_400_000;

function cacheFolder(): string {
  const base = process.env["KUBEHENGE_LAB_CACHE"] ?? process.env["XDG_CACHE_HOME"];
  return path.join(base === undefined || base === "" ? path.join(os.homedir(), ".cache") : base, "kubehenge-lab");
}

/** The script's exit code when it has got no packages to make an image of. */
const unreachable = 4;

/**
 * The folder in which the image lies, made if it is not there; undefined where this machine's package sources cannot be
 * reached.
 * @throws Error when it cannot be made for another reason
 */
export async function makeGuestImage(say: (line: string) => void): Promise<string | undefined> {
  const hash = createHash("sha256");
  for (const name of inputs) hash.update(`${name}\n`).update(readFileSync(path.join(import.meta.dirname, name)));
  const folder = path.join(cacheFolder(), hash.digest("hex").slice(0, 16));
  const made = path.join(folder, "made");
  if (existsSync(made) && Date.now() - Number(readFileSync(made, "utf8")) < maxAgeMs) {
    say(`the guest image is in the cache: ${folder}`);
    return folder;
  }
  say("making the guest image from this machine's package sources (two to five minutes) …");
  rmSync(cacheFolder(), { recursive: true, force: true });
  const part = `${folder}.part`;
  mkdirSync(part, { recursive: true });
  const { privateKey } = await generateKey({
    type: "ecc",
    curve: "ed25519Legacy",
    userIDs: [{ name: "Archive TEST KEY of a lab", email: "nobody@example.org" }],
    date: new Date("2020-01-01T00:00:00Z"),
    format: "object",
  });
  writeFileSync(path.join(part, "archive.private.asc"), privateKey.armor(), { mode: 0o600 });
  writeFileSync(path.join(part, "archive.asc"), privateKey.toPublic().armor());
  const log: string[] = [];
  const child = spawn(script, [part], { stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => void log.push(text));
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  if (code === unreachable) return undefined;
  if (code !== 0) throw new Error(`the guest image could not be made:\n${log.join("").slice(-3000)}`);
  writeFileSync(path.join(part, "made"), String(Date.now()));
  renameSync(part, folder);
  return folder;
}

/** Reads what {@link makeGuestImage} has made. */
export async function openGuestImage(folder: string): Promise<GuestImage> {
  const key = await readPrivateKey({ armoredKey: readFileSync(path.join(folder, "archive.private.asc"), "utf8") });
  return {
    disk: path.join(folder, "disk.qcow2"),
    kernel: path.join(folder, "vmlinuz"),
    initrd: path.join(folder, "initrd"),
    debs: path.join(folder, "debs"),
    archiveKey: {
      key,
      name: "Archive",
      publicKey: key.toPublic().armor(),
      fingerprint: key.getFingerprint().toUpperCase(),
    },
  };
}

/**
 * Whether KVM really runs a kernel: the device alone proves nothing, for it may emulate so much that Linux never starts.
 * A kernel without a root disk panics within seconds where it runs.
 */
export function kvmRuns(kernel: string): boolean {
  try {
    const output = execFileSync(
      "timeout",
      [
        "8",
        "qemu-system-x86_64",
        "-machine",
        "pc,accel=kvm",
        "-cpu",
        "host",
        "-m",
        "256",
        "-nodefaults",
        "-display",
        "none",
        "-no-reboot",
        "-serial",
        "stdio",
        "-kernel",
        kernel,
        "-append",
        "console=ttyS0 panic=-1",
      ],
      { encoding: "latin1", stdio: ["ignore", "pipe", "ignore"] },
    );
    return output.includes("Kernel panic - not syncing: VFS");
  } catch {
    return false;
  }
}
