import { ethernet } from "../network-config.ts";
import { markerDisk } from "../paths.ts";
import fail from "../scripts/fail.sh";
import signal from "../scripts/signal.sh";
import { writeSeed, type SeedFiles } from "../seed-iso.ts";
import { shellQuoted } from "../settings.ts";
import { yamlText } from "../yaml-text.ts";
import { checkSmokePlan, type SmokePlan } from "./plan.ts";
import cloudInit from "./scripts/smoke-cloud-init.sh";
import containerd from "./scripts/smoke-containerd.sh";
import identity from "./scripts/smoke-identity.sh";
import preflight from "./scripts/smoke-preflight.sh";
import run from "./scripts/run.sh";
import step from "./scripts/step.sh";
import { smokeSteps, smokeStepsFile } from "./steps.ts";
import unit from "./units/kubehenge-smoke.service";

/** On tmpfs: nothing of what is to be proven may be changed by the proof. */
const folder = "/run/kubehenge-smoke";

/**
 * A NoCloud seed of the kind that Cluster API's Proxmox provider injects (CAPMOX `internal/inject`): the instance-id is
 * the SMBIOS UUID, network-config version 2 is wrapped in `network:` for networkd. Its user-data only proves.
 * @throws Failure("usage") when a value of the plan does not fit where it goes
 */
export function smokeSeedFiles(plan: SmokePlan): SeedFiles {
  const { uuid, hostname, kubernetes, mac, network } = checkSmokePlan(plan);
  return {
    "user-data": userData(checkSmokePlan(plan)),
    "meta-data": yamlText({
      "instance-id": uuid,
      "local-hostname": hostname,
      hostname,
      "provider-id": `proxmox://${uuid}`,
      ...(kubernetes ? { "kubernetes-version": kubernetes.version } : {}),
    }),
    "network-config": yamlText({
      network: { version: 2, renderer: "networkd", ethernets: { eth0: ethernet(mac, network) } },
    }),
  };
}

/**
 * The seed as an ISO image for the clone's CD-ROM drive.
 * @param created time of the files in it
 * @throws Failure("usage") as {@link smokeSeedFiles}
 */
export function smokeSeedIso(plan: SmokePlan, created: Date): Uint8Array {
  return writeSeed(smokeSeedFiles(plan), created);
}

function userData(plan: SmokePlan): string {
  const steps = smokeSteps(plan.kubernetes !== undefined);
  const seconds = steps.reduce((sum, { boundSeconds }) => sum + boundSeconds, 0);
  const files: [path: string, content: string][] = [
    [`${folder}/settings`, settings(plan)],
    [`${folder}/steps`, smokeStepsFile(steps)],
    [`${folder}/run.sh`, run],
    [`${folder}/fail.sh`, fail],
    [`${folder}/step.sh`, step],
    [`${folder}/signal.sh`, signal],
    [`${folder}/smoke-cloud-init.sh`, cloudInit],
    [`${folder}/smoke-identity.sh`, identity],
    ...(plan.kubernetes
      ? ([
          [`${folder}/smoke-containerd.sh`, containerd],
          [`${folder}/smoke-preflight.sh`, preflight],
        ] satisfies [string, string][])
      : []),
    ["/run/systemd/system/kubehenge-smoke.service", unit],
    ["/run/systemd/system/kubehenge-smoke.service.d/timeout.conf", `[Service]\nTimeoutStartSec=${seconds}\n`],
  ];
  return `#cloud-config\n${yamlText({
    bootcmd: [
      ["mkdir", "-p", "/run/kubehenge"],
      // bootcmd comes before cloud-init makes host keys: those that are older than this file are not this boot's.
      ["touch", "/run/kubehenge/started"],
      ["udevadm", "settle", "--timeout=30", `--exit-if-exists=${markerDisk}`],
      ["dd", "if=/dev/zero", `of=${markerDisk}`, "bs=512", "seek=1", "count=1", "oflag=direct", "conv=notrunc,nocreat"],
    ],
    write_files: files.map(([path, content]) => ({ path, permissions: "0644", content })),
    runcmd: [
      ["systemctl", "daemon-reload"],
      ["systemctl", "start", "--no-block", "kubehenge-smoke.service"],
    ],
  })}`;
}

function settings({ hostname, templateUuid, kubernetes }: SmokePlan): string {
  const values = {
    SMOKE_HOSTNAME: hostname,
    TEMPLATE_MACHINE_ID: templateUuid?.replaceAll("-", ""),
    KUBERNETES_VERSION: kubernetes?.version,
    IMAGE_REPOSITORY: kubernetes?.imageRepository,
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}=${shellQuoted(value ?? "")}\n`)
    .join("");
}
