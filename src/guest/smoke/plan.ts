import * as z from "zod/mini";
import { Failure } from "../../failure/failure.ts";
import { inEnglish } from "../../failure/in-english.ts";
import { checkGuestNetwork, type GuestNetwork } from "../network.ts";

/** All that a clone is told in its smoke test: what Cluster API's Proxmox provider tells its clones, and what to prove. */
export interface SmokePlan {
  /** The clone's SMBIOS UUID as Proxmox VE gave it; becomes the instance-id. */
  uuid: string;
  /** The template's SMBIOS UUID: a machine-id made of it is not the clone's own. */
  templateUuid: string | undefined;
  hostname: string;
  mac: string;
  network: GuestNetwork;
  kubernetes: { version: string; imageRepository?: string | undefined } | undefined;
}

const uuid = z
  .string()
  .check(z.regex(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, "a UUID"), z.toLowerCase());

const kubernetes = z.object({
  version: z.string().check(z.regex(/^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$/, "an exact version such as v1.37.1")),
  imageRepository: z.optional(
    z
      .string()
      .check(
        z.maxLength(255),
        z.regex(/^[a-z0-9.-]+(:[0-9]{1,5})?(\/[a-z0-9._-]+)*$/, "a registry such as registry.example.org/kubernetes"),
      ),
  ),
});

const planSchema = z.object({
  uuid,
  templateUuid: z.optional(uuid),
  hostname: z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "a host name of one label (RFC 1123)")),
  mac: z.string().check(z.regex(/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/, "a MAC address"), z.toLowerCase()),
  kubernetes: z.optional(kubernetes),
});

/**
 * Checks every value that goes into the seed, so that none can leave the place it is written to.
 * @throws Failure("usage") naming the value and what it must look like
 */
export function checkSmokePlan(plan: SmokePlan): SmokePlan {
  const result = planSchema.safeParse(plan, inEnglish);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new Failure(
      "usage",
      `The clone cannot be told its ${issue?.path.join(".") ?? "plan"}: expected ${issue?.message ?? "another value"}.`,
    );
  }
  checkGuestNetwork(plan.network);
  return { ...plan, ...result.data };
}
