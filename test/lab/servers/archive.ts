import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { signClear, type TestKey } from "../../stand-in/upstreams/keys.ts";

/** What a guest's apt is answered; undefined: there is no such file. */
export type Archive = (file: string) => Promise<Buffer | undefined>;

const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/**
 * A package archive such as Ubuntu's: every .deb of the directory in each suite, signed.
 * @param signingKey asked at each list, so that a test can have it signed by another
 */
export function archive(directory: string, signingKey: () => TestKey): Archive {
  const names = readdirSync(directory).filter((name) => name.endsWith(".deb"));
  const packages = Buffer.from(names.map((name) => stanza(path.join(directory, name), `pool/${name}`)).join("\n"));
  const compressed = gzipSync(packages);
  return async (file) => {
    const [, pooled] = /^\/ubuntu\/pool\/([^/]+\.deb)$/.exec(file) ?? [];
    if (pooled !== undefined) return names.includes(pooled) ? readFileSync(path.join(directory, pooled)) : undefined;
    const [, suite, name] = /^\/ubuntu\/dists\/([a-z-]+)\/(.+)$/.exec(file) ?? [];
    if (suite === undefined) return undefined;
    if (name === "main/binary-amd64/Packages.gz") return compressed;
    if (name === "main/binary-amd64/Packages") return packages;
    return name === "InRelease" ? Buffer.from(await release(suite, packages, compressed, signingKey())) : undefined;
  };
}

async function release(suite: string, packages: Buffer, compressed: Buffer, key: TestKey): Promise<string> {
  const signedAt = new Date(Date.now() - 86_400_000);
  const line = (bytes: Buffer, name: string): string => ` ${sha256(bytes)} ${bytes.length} ${name}`;
  const text = [
    "Origin: Lab",
    `Suite: ${suite}`,
    `Codename: ${suite.replace(/-.*/, "")}`,
    `Date: ${signedAt.toUTCString()}`,
    "Architectures: amd64",
    "Components: main",
    "SHA256:",
    line(packages, "main/binary-amd64/Packages"),
    line(compressed, "main/binary-amd64/Packages.gz"),
    "",
  ].join("\n");
  return await signClear(key, text, signedAt);
}

/** The package's own words about itself, and where it lies. */
function stanza(file: string, at: string): string {
  const bytes = readFileSync(file);
  const control = execFileSync("dpkg-deb", ["--field", file], { encoding: "utf8" });
  return `${control.trimEnd()}\nFilename: ${at}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n`;
}
