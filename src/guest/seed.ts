import { networkConfig } from "./network-config.ts";
import { checkPlan, type GuestPlan } from "./plan.ts";
import { writeSeed, type SeedFiles } from "./seed-iso.ts";
import { userData } from "./user-data.ts";
import { yamlText } from "./yaml-text.ts";

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
 * @throws Failure("usage") as {@link seedFiles}
 */
export function seedIso(plan: GuestPlan, created: Date): Uint8Array {
  return writeSeed(seedFiles(plan), created);
}
