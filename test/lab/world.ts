import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startProxmox, type ProxmoxStandIn } from "../stand-in/proxmox/index.ts";
import { testKey, type TestKey } from "../stand-in/upstreams/keys.ts";
import { startUpstreams, type Upstreams } from "../stand-in/upstreams/index.ts";
import { openGuestImage, type GuestImage } from "./guest-image.ts";
import { QemuBackend } from "./qemu/backend.ts";
import type { Engine } from "./qemu/machine.ts";
import { archive } from "./servers/archive.ts";
import { kubernetesDeb } from "./servers/deb.ts";
import { startNameServer } from "./servers/names.ts";
import { registry } from "./servers/registry.ts";
import { labNames, startWeb, type Web } from "./servers/web.ts";

/** A Proxmox VE whose VMs are real, and all that its guests and the product reach. */
export interface Lab extends AsyncDisposable {
  proxmox: ProxmoxStandIn;
  upstreams: Upstreams;
  web: Web;
  machines: QemuBackend;
  accelerator: "kvm" | "tcg";
  /** The environment in which the command finds this lab. */
  environment: Record<string, string>;
  /** A folder of the lab's own; home and state of the command lie in it. */
  directory: string;
  /** The product's calendar runs so many times as fast as real time; undefined: as suits the machine. */
  setSpeed(speed: number | undefined): void;
  /** Machines are started without the port of the guest agent. */
  withoutAgentPort(without: boolean): void;
  /** Who signs the package archive; another key is what a guest must not take. */
  archiveSigner: TestKey;
  strangeKey: TestKey;
}

/** On it nobody answers a guest. */
export const deadBridge = "vmbr9";

/** Without KVM a guest takes three to five times as long as with it. */
const emulatedSpeed = 0.25;

const emulated = process.env["KUBEHENGE_LAB_ACCELERATOR"] !== "kvm";

/** How long a clone may take to its end of cloud-init, in seconds. */
export const bootSeconds = emulated ? 600 : 180;

/** The lab as main.ts has prepared it: its image and accelerator are in the environment. */
export async function openLab(): Promise<Lab> {
  return await startLab(await openGuestImage(process.env["KUBEHENGE_LAB_IMAGE"] ?? ""), emulated ? "tcg" : "kvm");
}

/** Starts a lab; it has to run in the network namespace that `main.ts` makes, where ports 53, 80 and 443 are free. */
export async function startLab(image: GuestImage, accelerator: "kvm" | "tcg"): Promise<Lab> {
  const directory = mkdtempSync(path.join(os.tmpdir(), "kubehenge-lab-"));
  const engine: Engine = {
    directory: path.join(directory, "machines"),
    accelerator,
    kernel: image.kernel,
    initrd: image.initrd,
    memoryLimitMiB: 1024,
    deadBridges: [deadBridge],
    agentPort: true,
  };
  const machines = new QemuBackend(engine);
  const usualSpeed = accelerator === "kvm" ? 1 : emulatedSpeed;
  const speedFile = path.join(directory, "speed");
  const setSpeed = (speed = usualSpeed): void => writeFileSync(speedFile, String(speed));
  setSpeed();
  const upstreams = await startUpstreams({
    kubernetes: ["1.37.1", "1.37.0"],
    ubuntuImage: { release: "26.04", arch: "amd64", bytes: readFileSync(image.disk) },
    debOf: kubernetesDeb,
  });
  const proxmox = await startProxmox({
    nodes: [{ name: "pve1", bridges: ["vmbr0", deadBridge] }],
    unauthorizedMs: 20,
    backend: machines,
    speed: usualSpeed,
    agentTimeoutMs: 100,
  });
  const strangeKey = await testKey("Stranger");
  const keyring = path.join(directory, "mirror.asc");
  writeFileSync(keyring, upstreams.ubuntuKeyring);
  const lab: Lab = {
    proxmox,
    upstreams,
    machines,
    accelerator,
    directory,
    strangeKey,
    setSpeed,
    withoutAgentPort: (without) => {
      engine.agentPort = !without;
    },
    archiveSigner: image.archiveKey,
    web: await startWeb({
      archive: archive(image.debs, () => lab.archiveSigner),
      registry: registry(),
      packagesUrl: upstreams.kubernetesPackagesUrl,
      installScript: readFileSync(path.join(import.meta.dirname, "servers/install.sh"), "utf8"),
    }),
    environment: {
      PATH: process.env["PATH"] ?? "",
      HOME: directory,
      XDG_STATE_HOME: path.join(directory, "state"),
      ...proxmox.environment,
      ...upstreams.environment,
      KUBEHENGE_UBUNTU_KEYRING: keyring,
      // By the name under which guests reach it, too.
      KUBEHENGE_KUBERNETES_PACKAGES_URL: "http://pkgs.k8s.io",
      NODE_OPTIONS: `--import=${path.join(import.meta.dirname, "slow-clock.mjs")}`,
      KUBEHENGE_LAB_SPEED: speedFile,
    },
    async [Symbol.asyncDispose]() {
      await proxmox.close();
      await Promise.all([upstreams.close(), lab.web.close(), names.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
  const names = await startNameServer(labNames);
  return lab;
}
