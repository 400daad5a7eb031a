import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { commandEnvironment, commandFile } from "../test/e2e/harness/command.ts";
import { startWorld, type World } from "../test/e2e/harness/world.ts";
import { runOnce } from "./measure.ts";
import type { Row } from "./row.ts";

const runs = 3;
const name = "packer over kubehenge";

interface Effort {
  calls: number;
  polls: number;
  wallMs: number;
}

/**
 * A template from what lies on the storage already, by both on the same stand-in: kubehenge from an image that is there,
 * packer's proxmox-clone from a VM that is there. Packer cannot but boot its clone; without a communicator it waits for
 * nothing in it, which is the shortest way that it has.
 */
export async function peerRows(): Promise<Row[]> {
  const found = spawnSync("packer", ["version"], { encoding: "utf8" });
  if (found.error) return [{ name, unit: "×", detail: "not run: packer is not installed (Debian's package `packer`)" }];
  const theirs: Effort[] = [];
  const ours: Effort[] = [];
  for (let run = 0; run < runs; run += 1) {
    ours.push(await kubehenge());
    theirs.push(await packer());
  }
  const [a, b] = [median(theirs), median(ours)];
  const version = /v[\d.]+/.exec(found.stdout)?.[0] ?? "";
  return [
    {
      name: "packer: calls over kubehenge's",
      value: a.calls / b.calls,
      unit: "×",
      headline: true,
      detail: `packer ${version}: ${a.calls}, ${a.polls} of them polls; kubehenge: ${b.calls}, ${b.polls} of them polls`,
    },
    {
      name: "packer: wall over kubehenge's",
      value: a.wallMs / b.wallMs,
      unit: "×",
      headline: true,
      detail: `${(a.wallMs / 1000).toFixed(1)} s over ${(b.wallMs / 1000).toFixed(1)} s, medians of ${runs}; tasks of the default short durations`,
    },
  ];
}

async function kubehenge(): Promise<Effort> {
  await using world = await startWorld({ pools: ["kubehenge-templates"], latencyMs: 5 });
  const schematic = "ce4c980550dd2ab1";
  world.proxmox.state.addVolume({
    storage: "local",
    name: `import/kubehenge-talos-v1.14.2-amd64-${schematic}.qcow2`,
    node: "pve1",
    sizeBytes: 2 ** 30,
  });
  const args = [
    commandFile,
    "template",
    "create",
    "talos",
    "--talos-version",
    "v1.14.2",
    "--node",
    "pve1",
    "--storage",
    "shared-storage",
  ];
  const { wallMs } = await runOnce({ name: "kubehenge", args, environment: commandEnvironment(world) });
  return effort(world, wallMs);
}

async function packer(): Promise<Effort> {
  const user = { id: "packer@pve", password: "only-on-loopback" };
  await using world = await startWorld({
    pools: ["kubehenge-templates"],
    latencyMs: 5,
    users: [user],
    acl: [{ path: "/", who: user.id, role: "Administrator" }],
  });
  world.proxmox.state.addVm({
    vmid: 900,
    config: { name: "source", scsihw: "virtio-scsi-single", boot: "order=scsi0", memory: "512", agent: "1" },
  });
  const template = path.join(world.directory, "peer.json");
  const builder = {
    type: "proxmox-clone",
    proxmox_url: `${world.proxmox.url}/api2/json`,
    username: user.id,
    password: user.password,
    insecure_skip_tls_verify: true,
    node: "pve1",
    clone_vm: "source",
    communicator: "none",
    template_name: "peer",
    vm_name: "peer",
  };
  writeFileSync(template, JSON.stringify({ builders: [builder] }));
  const started = performance.now();
  const child = spawn("packer", ["build", "-color=false", template], {
    stdio: "ignore",
    env: {
      PATH: process.env["PATH"],
      HOME: world.directory,
      CHECKPOINT_DISABLE: "1",
      PACKER_CACHE_DIR: world.directory,
    },
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`packer ended with ${String(code)}`);
  return effort(world, performance.now() - started);
}

function effort({ proxmox }: World, wallMs: number): Effort {
  const polls = proxmox.transcript.filter(
    ({ method, path: called }) => method === "GET" && called.includes("/tasks/") && called.endsWith("/status"),
  );
  return { calls: proxmox.transcript.length, polls: polls.length, wallMs };
}

function median(efforts: readonly Effort[]): Effort {
  const sorted = [...efforts].sort((a, b) => a.wallMs - b.wallMs);
  return sorted[Math.floor(sorted.length / 2)] ?? { calls: Number.NaN, polls: Number.NaN, wallMs: Number.NaN };
}
