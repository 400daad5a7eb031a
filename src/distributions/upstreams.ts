import * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";

/** Where upstreams live, for mirrors and air gaps; what is absent is upstream's own. */
export interface Upstreams {
  ubuntuUrl?: string | undefined;
  /** Public keys that may sign instead of Ubuntu's own. */
  ubuntuKeyring?: Uint8Array | undefined;
  talosFactoryUrl?: string | undefined;
  kubernetesPackagesUrl?: string | undefined;
  kubernetesReleasesUrl?: string | undefined;
  kubernetesKeyFingerprint?: string | undefined;
  githubApiUrl?: string | undefined;
  githubToken?: string | undefined;
}

const address = z.optional(z.url({ protocol: /^https?$/, error: "is not an http or https address" }));

const schema = z.object({
  "ubuntu-url": address,
  "talos-factory-url": address,
  "kubernetes-packages-url": address,
  "kubernetes-releases-url": address,
  "kubernetes-key-fingerprint": z.optional(
    z.string().check(
      z.overwrite((text) => text.replaceAll(/[\s:]/g, "").toUpperCase()),
      z.regex(/^[0-9A-F]{40}$/, "is not an OpenPGP fingerprint of 40 hex digits"),
    ),
  ),
});

/**
 * Checks the addresses that a person gave. `''` means unset.
 * @throws Failure `usage`
 */
export function parseUpstreams(
  raw: Readonly<Record<string, string | undefined>>,
  name: (input: string) => string,
): Omit<Upstreams, "ubuntuKeyring" | "githubApiUrl" | "githubToken"> {
  const set = Object.fromEntries(
    Object.entries(raw).flatMap(([key, text]) => (text?.trim() ? [[key, text.trim()]] : [])),
  );
  const checked = schema.safeParse(set, inEnglish);
  if (!checked.success) {
    throw new Failure(
      "usage",
      checked.error.issues.map((issue) => `${name(String(issue.path[0]))} ${issue.message}`).join("; "),
    );
  }
  return {
    ubuntuUrl: checked.data["ubuntu-url"],
    talosFactoryUrl: checked.data["talos-factory-url"],
    kubernetesPackagesUrl: checked.data["kubernetes-packages-url"],
    kubernetesReleasesUrl: checked.data["kubernetes-releases-url"],
    kubernetesKeyFingerprint: checked.data["kubernetes-key-fingerprint"],
  };
}
