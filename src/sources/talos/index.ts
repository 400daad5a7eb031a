import { Failure } from "../../failure/failure.ts";
import { inEnglish } from "../../failure/in-english.ts";
import { type Http, type HttpResponse, shownUrl } from "../../http/index.ts";
import type { GitHub } from "../github/index.ts";
import { releasedTags } from "../newest.ts";
import { Once } from "../once.ts";
import { publicUpstreamUrl } from "../upstream-url.ts";
import { exactVersion, isExact } from "../exact-version.ts";
import { checkSelector, nearestVersions, selectVersion } from "../versions.ts";
import { schematicAnswer, versionList } from "./schema.ts";

export interface TalosImage {
  /** vX.Y.Z */
  version: string;
  arch: "amd64" | "arm64";
  /** Where Proxmox VE downloads it. */
  url: string;
  schematicId: string;
  /** The factory's name: nocloud-<arch>.qcow2, uncompressed, since Proxmox VE imports nothing else (cases.md B06). */
  fileName: string;
  /** As the factory tells it, in bytes. No digest: the public factory signs and sums no disk image. */
  sizeBytes?: number;
}

export interface TalosSource {
  /**
   * The version as vX.Y.Z: an exact one as it is, without asking; else the newest that fits (undefined: "latest") among
   * GitHub's releases of siderolabs/talos which the factory has, or among the factory's own list when GitHub does not answer.
   * @throws Failure "usage", "not-found", or what Http throws
   */
  resolve(selector: string | undefined): Promise<string>;
  /**
   * Computes the ID of a schematic with these extensions (sorted, for the factory keeps their order), registers it with the
   * factory and compares.
   * @throws Failure "verification" when the factory says another ID
   */
  schematic(extensions?: readonly string[]): Promise<{ id: string; yaml: string }>;
  /**
   * The disk image of a version, asked for with HEAD so that the factory has built it before Proxmox VE comes.
   * @throws Failure "not-found" when the factory does not have it (yet); as `schematic` does
   */
  image(version: string, arch: "amd64" | "arm64"): Promise<TalosImage>;
}

export interface TalosOptions {
  /** Default https://factory.talos.dev. */
  factoryUrl?: string;
  /** System extensions of the images; default the QEMU guest agent. */
  extensions?: readonly string[];
  /** Bound of one HEAD, in seconds; the factory builds at the first request, which takes minutes. Default 300. */
  warmSeconds?: number;
}

const mirrorOption = "--talos-factory-url";
const repository = "siderolabs/talos";

/** Talos images by the Image Factory (siderolabs/image-factory docs/api.md). */
export function talosSource(http: Http, github: GitHub, options: TalosOptions = {}): TalosSource {
  const factory = publicUpstreamUrl(options.factoryUrl ?? "https://factory.talos.dev", mirrorOption);
  const extensions = options.extensions ?? ["siderolabs/qemu-guest-agent"];
  const lists = new Once<string[]>();
  const schematics = new Once<string>();

  const versions = (): Promise<string[]> =>
    lists.get("versions", async () => {
      const answer = await http(`${factory}/versions`, { maxBytes: 1024 * 1024, mirrorOption });
      const parsed = versionList.safeParse(answer.json(), inEnglish);
      if (parsed.success) return parsed.data;
      throw new Failure("failure", `${shownUrl(factory)}/versions did not answer with a list of versions.`, {
        cause: parsed.error,
      });
    });

  const register = async (yaml: string, id: string): Promise<string> => {
    const answer = await http(`${factory}/schematics`, {
      method: "POST",
      headers: { "content-type": "application/yaml" },
      body: yaml,
      maxBytes: 256 * 1024,
      // The ID is the content's digest: posting again changes nothing.
      attempts: 3,
      mirrorOption,
    });
    const parsed = schematicAnswer.safeParse(answer.json());
    if (parsed.success && parsed.data.id === id) return id;
    const said = parsed.success ? parsed.data.id : "no ID at all";
    throw new Failure("verification", `${shownUrl(factory)} answers ${said} for a schematic whose ID is ${id}.`, {
      remedy: [
        "Its images would not be what was asked for, so none is taken. If this is a mirror, compare it with https://factory.talos.dev.",
      ],
    });
  };

  const schematic = async (names: readonly string[] = extensions): Promise<{ id: string; yaml: string }> => {
    // With the YAML library, which a run that only resolves a version does not need.
    const { schematicId, schematicYaml } = await import("./schematic.ts");
    const officialExtensions = [...new Set(names)].toSorted();
    const yaml = schematicYaml({
      customization: officialExtensions.length === 0 ? {} : { systemExtensions: { officialExtensions } },
    });
    return { yaml, id: await schematics.get(yaml, () => register(yaml, schematicId(yaml))) };
  };

  const head = (url: string): Promise<HttpResponse> =>
    http(url, {
      method: "HEAD",
      timeoutSeconds: options.warmSeconds ?? 300,
      attempts: 3,
      expect: [402, 404],
      mirrorOption,
    });

  return {
    resolve: async (selector = "latest") => {
      if (isExact(selector)) return exactVersion(selector);
      // A selector that is none is told before anybody is asked.
      checkSelector(selector);
      const [tags, served] = await Promise.all([releasedTags(github, repository, selector), versions()]);
      const inFactory = new Set(served);
      return selectVersion(selector, tags === undefined ? served : tags.filter((tag) => inFactory.has(tag)), "Talos");
    },
    schematic,
    image: async (given, arch) => {
      const version = exactVersion(given);
      const { id, yaml } = await schematic();
      const fileName = `nocloud-${arch}.qcow2`;
      const url = `${factory}/image/${id}/${version}/${fileName}`;
      let answer = await head(url);
      if (answer.status === 404) {
        const served = await versions();
        if (!served.includes(version)) throw unknownVersion(version, served, factory);
        // A schematic that was accepted can read "not found" later (cases.md B18).
        schematics.forget(yaml);
        await schematic();
        answer = await head(url);
      }
      if (answer.status === 404) throw notYet(version, arch, url);
      if (answer.status === 402) throw enterprise(url);
      const sizeBytes = Number(answer.headers["content-length"]);
      return {
        version,
        arch,
        url,
        schematicId: id,
        fileName,
        ...(Number.isSafeInteger(sizeBytes) && sizeBytes > 0 ? { sizeBytes } : {}),
      };
    },
  };
}

function unknownVersion(version: string, served: readonly string[], factory: string): Failure {
  const near = nearestVersions(version, served);
  return new Failure("not-found", `The Image Factory ${shownUrl(factory)} does not have Talos ${version}.`, {
    remedy: [
      near.length === 0
        ? "It has none at all."
        : `The nearest that it has: ${near.join(", ")}. A new release comes to the factory some hours after GitHub.`,
    ],
  });
}

function notYet(version: string, arch: string, url: string): Failure {
  return new Failure(
    "not-found",
    `The image of Talos ${version} for ${arch} is not yet available: ${shownUrl(url)} is answered 404, though the factory lists the version.`,
    {
      remedy: [
        "Factories list a version hours before they have its images: try again later, or take the version before.",
      ],
    },
  );
}

function enterprise(url: string): Failure {
  return new Failure(
    "access",
    `${shownUrl(url)} is answered 402 Payment Required: this factory serves it with a licence only.`,
    {
      remedy: ["Ask for it without the part that needs the licence, or name another factory with --talos-factory-url."],
    },
  );
}
