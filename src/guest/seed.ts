import { writeIso } from "./iso9660/write-iso.ts";
import { networkConfig } from "./network-config.ts";
import { checkPlan, type GuestPlan } from "./plan.ts";
import { userData } from "./user-data.ts";
import { yamlText } from "./yaml-text.ts";

export interface SeedFiles {
  "user-data": string;
  "meta-data": string;
  "network-config": string;
}

/**
 * The three files of a NoCloud seed (cloud-init's DataSourceNoCloud).
 * @throws Failure("usage") when a value of the plan does not fit where it goes
 */
export function seedFiles(plan: GuestPlan): SeedFiles {
  const checked = checkPlan(plan);
  return {
    "user-data": userData(checked),
    "meta-data": yamlText({ "instance-id": checked.instanceId, "local-hostname": checked.hostname }),
    "network-config": networkConfig(checked.mac, checked.network),
  };
}

/**
 * The seed as an ISO image for the build VM's CD-ROM drive.
 * @param created time of the files in it
 * @returns at most 1 MiB, label `cidata`, with Rock Ridge and Joliet names
 * @throws Failure("usage") as {@link seedFiles}
 */
export function seedIso(plan: GuestPlan, created: Date): Uint8Array {
  const encoder = new TextEncoder();
  const files = Object.entries(seedFiles(plan)).map(([name, text]) => ({ name, bytes: encoder.encode(text) }));
  return writeIso(files, { label: "cidata", created });
}
