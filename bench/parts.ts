import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { seedIso, type GuestPlan } from "../src/guest/index.ts";
import { ubuntuFingerprint, ubuntuKeyring, verifyDetached } from "../src/trust/index.ts";
import type { Row } from "./row.ts";

const root = path.join(import.meta.dirname, "..");
const lists = path.join(root, "test/fixtures/trust");

/** Writing a seed, checking a signature, and what the bundle weighs. */
export async function partRows(): Promise<Row[]> {
  return [isoRow(), await signatureRow(), ...sizeRows()];
}

function isoRow(): Row {
  const plan: GuestPlan = {
    instanceId: "bench",
    hostname: "bench",
    mac: "BC:24:11:00:00:01",
    network: { kind: "dhcp" },
    timeoutSeconds: 3600,
  };
  const times = Array.from({ length: 20 }, () => timed(() => seedIso(plan, new Date(0))));
  return {
    name: "writing a seed ISO",
    value: median(times),
    unit: "ms",
    detail: `${(seedIso(plan, new Date(0)).length / 1024).toFixed(0)} KiB, median of ${times.length}`,
  };
}

async function signatureRow(): Promise<Row> {
  const name = readdirSync(lists).find((file) => file.endsWith("SHA256SUMS")) ?? "";
  const check = {
    data: readFileSync(path.join(lists, name)),
    signature: readFileSync(path.join(lists, `${name}.gpg`)),
    keyring: ubuntuKeyring,
    fingerprints: [ubuntuFingerprint],
    now: new Date(),
    subject: name,
  };
  const times: number[] = [];
  for (let run = 0; run < 10; run += 1) {
    const started = performance.now();
    await verifyDetached(check);
    times.push(performance.now() - started);
  }
  return {
    name: "checking Ubuntu's signature",
    value: median(times.slice(1)),
    unit: "ms",
    detail: `first, with loading OpenPGP: ${(times[0] ?? 0).toFixed(0)} ms`,
  };
}

function sizeRows(): Row[] {
  const dist = path.join(root, "dist");
  const files = readdirSync(dist).map((name) => ({ name, bytes: statSync(path.join(dist, name)).size }));
  const largest = files.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return [
    {
      name: "`dist/` whole, unminified",
      value: total / 1e6,
      unit: "MB",
      target: 2,
      detail: largest.map(({ name, bytes }) => `${name} ${(bytes / 1000).toFixed(0)} KB`).join(", "),
    },
  ];
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
