import * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";
import { checkGuestNetwork, type GuestNetwork } from "./network.ts";

export interface KubernetesPlan {
  /** The release, with "v": `v1.37.1`. */
  version: string;
  /** Where the flat apt repository lies, as it stands in the sources line. */
  repositoryUrl: string;
  /** The repository's key, already verified by the builder, in ASCII armor. */
  keyArmored: string;
  /** Exact versions of the .deb packages, such as `1.37.1-1.1`. */
  packages: { kubeadm: string; kubelet: string; kubectl: string; criTools: string; kubernetesCni?: string };
  /** Registry that kubeadm takes the images from instead of `registry.k8s.io`. */
  imageRepository?: string;
}

/** All that a build guest is told. It holds no secret: whoever may read the ISO storage may read the seed. */
export interface GuestPlan {
  /** New for every build; cloud-init does its first-boot work once for each. */
  instanceId: string;
  hostname: string;
  /** The build VM's network card, by which the guest finds it. */
  mac: string;
  network: GuestNetwork;
  /** Stands in for Ubuntu's archive during the build only; the template keeps the image's own sources. */
  aptMirror?: string;
  kubernetes?: KubernetesPlan;
  /** Seconds for the whole preparation inside the guest. */
  timeoutSeconds: number;
}

// One line of characters that mean nothing to a shell, to sed, to apt's sources or to YAML inside quotes. No user
// name or password: the seed lies readable on the ISO storage.
const url = z.string().check(
  z.maxLength(500),
  z.regex(
    /^https?:\/\/[A-Za-z0-9.:[\]-]+(\/[A-Za-z0-9._~:/%+-]*)?$/,
    "a plain http or https URL without user name, query or spaces",
  ),
  z.refine((text) => URL.canParse(text), "a plain http or https URL"),
);
const debVersion = z.string().check(z.regex(/^[0-9][A-Za-z0-9.+:~-]{0,99}$/, "an exact Debian package version"));

const kubernetes = z.object({
  version: z.string().check(z.regex(/^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$/, "an exact version such as v1.37.1")),
  repositoryUrl: url,
  keyArmored: z
    .string()
    .check(
      z.maxLength(100_000),
      z.regex(
        /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[\t\r\n -~]*-----END PGP PUBLIC KEY BLOCK-----\s*$/,
        "an ASCII-armored OpenPGP public key",
      ),
    ),
  packages: z.object({
    kubeadm: debVersion,
    kubelet: debVersion,
    kubectl: debVersion,
    criTools: debVersion,
    kubernetesCni: z.optional(debVersion),
  }),
  imageRepository: z.optional(
    z
      .string()
      .check(
        z.maxLength(255),
        z.regex(
          /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?(\/[a-z0-9][a-z0-9._-]*)*$/,
          "a registry such as registry.example.org/kubernetes",
        ),
      ),
  ),
});

const planSchema = z.object({
  instanceId: z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "letters, digits, dots, dashes")),
  hostname: z.string().check(z.regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "a host name of one label (RFC 1123)")),
  mac: z.string().check(z.regex(/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/, "a MAC address such as BC:24:11:00:00:01")),
  aptMirror: z.optional(url),
  kubernetes: z.optional(kubernetes),
  timeoutSeconds: z.int().check(z.minimum(60), z.maximum(86_400)),
});

/**
 * Checks every value that goes into a seed, so that none can leave the place it is written to.
 * @throws Failure("usage") naming the value and what it must look like
 */
export function checkPlan(plan: GuestPlan): GuestPlan {
  const result = planSchema.safeParse(plan, inEnglish);
  if (!result.success) {
    const issue = result.error.issues[0];
    throw new Failure(
      "usage",
      `The guest cannot be told its ${issue?.path.join(".") ?? "plan"}: expected ${issue?.message ?? "another value"}.`,
    );
  }
  checkGuestNetwork(plan.network);
  return { ...plan, mac: plan.mac.toLowerCase() };
}
