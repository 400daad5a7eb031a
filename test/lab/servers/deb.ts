import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";

const trees = path.join(import.meta.dirname, "../packages");
const made = new Map<string, Buffer>();

/**
 * A Debian package of a program of Kubernetes: the tree of that name, with the version in the place of `@VERSION@`.
 * @returns undefined where there is no tree of the name, or for another architecture than amd64
 */
export function kubernetesDeb(name: string, version: string, arch: string, depends: string): Buffer | undefined {
  const tree = path.join(trees, name);
  if (arch !== "amd64" || !existsSync(tree)) return undefined;
  const key = `${name} ${version}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const work = mkdtempSync(path.join(os.tmpdir(), "kubehenge-deb-"));
  try {
    const root = path.join(work, "root");
    cpSync(tree, root, { recursive: true });
    for (const file of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const full = path.join(file.parentPath, file.name);
      writeFileSync(full, readFileSync(full, "utf8").replaceAll("@VERSION@", version.replace(/-[0-9.]+$/, "")));
      chmodSync(full, file.name.endsWith(".service") ? 0o644 : 0o755);
    }
    mkdirSync(path.join(root, "DEBIAN"), { recursive: true });
    writeFileSync(path.join(root, "DEBIAN/control"), control(name, version, arch, depends));
    const deb = path.join(work, "package.deb");
    execFileSync("dpkg-deb", ["--root-owner-group", "--build", root, deb], { stdio: "ignore" });
    const bytes = readFileSync(deb);
    made.set(key, bytes);
    return bytes;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function control(name: string, version: string, arch: string, depends: string): string {
  return [
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${arch}`,
    ...(depends === "" ? [] : [`Depends: ${depends}`]),
    "Maintainer: Nobody <nobody@example.org>",
    `Description: ${name} of a stand-in`,
    "",
  ].join("\n");
}
