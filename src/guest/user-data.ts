import { yamlText } from "./yaml-text.ts";
import { buildFolder, markerDisk } from "./paths.ts";
import type { GuestPlan } from "./plan.ts";
import { quietUnits } from "./quiet-units.ts";
import { settingsFile, stepsFile } from "./settings.ts";
import { guestSteps } from "./steps.ts";
import agent from "./scripts/agent.sh";
import apt from "./scripts/apt.sh";
import containerdConfig from "./scripts/containerd-config.sh";
import fail from "./scripts/fail.sh";
import failed from "./scripts/failed.sh";
import kubernetesImages from "./scripts/kubernetes-images.sh";
import kubernetesNode from "./scripts/kubernetes-node.sh";
import kubernetesPackages from "./scripts/kubernetes-packages.sh";
import network from "./scripts/network.sh";
import packageLists from "./scripts/package-lists.sh";
import run from "./scripts/run.sh";
import seal from "./scripts/seal.sh";
import signal from "./scripts/signal.sh";
import step from "./scripts/step.sh";
import upgrade from "./scripts/upgrade.sh";
import verify from "./scripts/verify.sh";
import failedUnit from "./units/kubehenge-build-failed.service";
import buildUnit from "./units/kubehenge-build.service";

/**
 * cloud-init's user-data: it writes files and starts one systemd unit. No `apt:` and no `packages:`, whose failures stop
 * nothing after them. bootcmd runs at every boot, before the network: it says that the seed was read.
 */
export function userData(plan: GuestPlan): string {
  return `#cloud-config\n${yamlText({
    // No user: cloud-init would make the image's default one, who would then be in every clone. An empty name stands for
    // an empty list, which the schema of cloud-init 22.4 refuses ("is too short").
    users: [""],
    // Host keys are removed when sealing; one quick one lets sshd start meanwhile.
    ssh_genkeytypes: ["ed25519"],
    no_ssh_fingerprints: true,
    ssh: { emit_keys_to_console: false },
    bootcmd: [
      ["systemctl", "mask", "--runtime", "--quiet", ...quietUnits],
      ["udevadm", "settle", "--timeout=30", `--exit-if-exists=${markerDisk}`],
      // nocreat: where the disk is missing, dd would leave a plain file in its place.
      ["dd", "if=/dev/zero", `of=${markerDisk}`, "bs=512", "seek=1", "count=1", "oflag=direct", "conv=notrunc,nocreat"],
    ],
    write_files: files(plan).map(([path, content]) => ({ path, permissions: "0644", content })),
    runcmd: [
      ["systemctl", "daemon-reload"],
      ["systemctl", "enable", "kubehenge-build.service"],
      ["systemctl", "start", "--no-block", "kubehenge-build.service"],
    ],
  })}`;
}

function files(plan: GuestPlan): [path: string, content: string][] {
  const inBuildFolder: [string, string][] = [
    ["settings", settingsFile(plan)],
    ["steps", stepsFile(guestSteps(plan))],
    ["run.sh", run],
    ["failed.sh", failed],
    ["signal.sh", signal],
    ["fail.sh", fail],
    ["step.sh", step],
    ["apt.sh", apt],
    ["network.sh", network],
    ["package-lists.sh", packageLists],
    ["agent.sh", agent],
    ["upgrade.sh", upgrade],
    ["verify.sh", verify],
    ["seal.sh", seal],
  ];
  if (plan.kubernetes !== undefined) {
    inBuildFolder.push(
      ["kubernetes.asc", `${plan.kubernetes.keyArmored.replaceAll("\r", "").trimEnd()}\n`],
      ["kubernetes-packages.sh", kubernetesPackages],
      ["kubernetes-node.sh", kubernetesNode],
      ["containerd-config.sh", containerdConfig],
      ["kubernetes-images.sh", kubernetesImages],
    );
  }
  const units: [string, string][] = [
    ["kubehenge-build.service", buildUnit],
    ["kubehenge-build.service.d/timeout.conf", `[Service]\nTimeoutStartSec=${plan.timeoutSeconds}\n`],
    ["kubehenge-build-failed.service", failedUnit],
  ];
  return [
    ...inBuildFolder.map(([name, content]): [string, string] => [`${buildFolder}/${name}`, content]),
    ...units.map(([name, content]): [string, string] => [`/etc/systemd/system/${name}`, content]),
  ];
}
