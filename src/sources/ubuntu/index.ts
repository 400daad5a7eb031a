import { Failure } from "../../failure/failure.ts";
import { type Http, shownUrl } from "../../http/index.ts";
import { ubuntuFingerprint, ubuntuKeyring, verifyDetached } from "../../trust/index.ts";
import { Once } from "../once.ts";
import { publicUpstreamUrl } from "../upstream-url.ts";
import { parseSelector, possibleLts } from "./release.ts";
import { parseSums } from "./schema.ts";

export type ImageArch = "amd64" | "arm64";

export interface UbuntuImage {
  /** YY.MM */
  release: string;
  arch: ImageArch;
  /** Where Proxmox VE downloads it. */
  url: string;
  /** Upstream's name, ending in .img; it is a qcow2. */
  fileName: string;
  /** 64 hex digits, lower case. */
  sha256: string;
  /** The build's date as the signed names tell it (20260731), where they do. */
  serial?: string;
  /** Fingerprint of the key that signed the list. */
  signer: string;
  signedAt: Date;
  listUrl: string;
}

export interface UbuntuSource {
  /**
   * The release as YY.MM. Numbers and known codenames ask nobody; undefined, "latest" and ranges take the newest LTS release
   * whose list is published; other codenames are looked up in their signed list.
   * @throws Failure "usage", "not-found", "verification", or what Http throws
   */
  resolveRelease(selector: string | undefined): Promise<string>;
  /**
   * The release's current server image, from the list that Ubuntu's key signed. Remembered for the run; `fresh` asks again,
   * for when the image has been replaced since.
   * @throws Failure "verification" when the list is not proven; "not-found" when it does not name the image; or what Http throws
   */
  image(release: string, arch: ImageArch, options?: { fresh?: boolean }): Promise<UbuntuImage>;
}

export interface UbuntuOptions {
  /** Holds `releases/`; default https://cloud-images.ubuntu.com. */
  url?: string;
  /** Public keys that may sign instead of Ubuntu's own. */
  keyring?: Uint8Array;
  now: () => Date;
}

interface SignedList {
  sums: Map<string, string>;
  signer: string;
  signedAt: Date;
  url: string;
}

const mirrorOption = "--ubuntu-url";
// Real lists are 10 to 15 KB.
const listBytes = 512 * 1024;

/** Ubuntu's cloud images, from the `releases/` tree: it keeps what the daily tree drops (cases.md B13). */
export function ubuntuSource(http: Http, options: UbuntuOptions): UbuntuSource {
  const base = publicUpstreamUrl(options.url ?? "https://cloud-images.ubuntu.com", mirrorOption);
  const keys =
    options.keyring === undefined
      ? { keyring: ubuntuKeyring, fingerprints: [ubuntuFingerprint] }
      : { keyring: options.keyring };
  const sums = new Once<Uint8Array | undefined>();
  const lists = new Once<SignedList>();

  /** `release` is Ubuntu's pointer to the newest build. */
  const listUrl = (directory: string): string => `${base}/releases/${directory}/release/SHA256SUMS`;

  const fetchSums = (directory: string): Promise<Uint8Array | undefined> =>
    sums.get(directory, async () => {
      const answer = await http(listUrl(directory), { expect: [404], maxBytes: listBytes, mirrorOption });
      return answer.status === 404 ? undefined : answer.body;
    });

  const fetchList = async (directory: string): Promise<SignedList> => {
    const url = listUrl(directory);
    const subject = shownUrl(url);
    const [data, signature] = await Promise.all([
      fetchSums(directory),
      http(`${url}.gpg`, { expect: [404], maxBytes: 64 * 1024, mirrorOption }),
    ]);
    if (data === undefined) {
      throw new Failure("not-found", `Ubuntu ${directory} has no cloud image: ${subject} is not there.`, {
        remedy: ["See which releases there are: https://cloud-images.ubuntu.com/releases/"],
      });
    }
    if (signature.status === 404) {
      throw new Failure("verification", `${subject} is not accepted: its signature ${subject}.gpg is not there.`, {
        remedy: ["A mirror must carry SHA256SUMS.gpg beside SHA256SUMS, as Ubuntu publishes it."],
      });
    }
    const proof = await verifyDetached({ ...keys, data, signature: signature.body, now: options.now(), subject });
    return { sums: parseSums(Buffer.from(data).toString("utf8"), subject), ...proof, url: subject };
  };

  const list = (directory: string): Promise<SignedList> =>
    lists.get(directory, async () => {
      try {
        return await fetchList(directory);
      } catch (error) {
        if (!(error instanceof Failure) || error.kind !== "verification") throw error;
        // The list and its signature are two files: a new build may have come between them. Asked again as a pair, once.
        sums.forget(directory);
        return await fetchList(directory);
      }
    });

  const newestLts = async (fits: (release: string) => boolean, selector: string): Promise<string> => {
    const candidates = possibleLts(options.now()).filter(fits);
    for (const candidate of candidates) if ((await fetchSums(candidate)) !== undefined) return candidate;
    throw new Failure("not-found", `No Ubuntu LTS release fits ${JSON.stringify(selector)} at ${shownUrl(base)}.`, {
      remedy: [
        candidates.length === 0
          ? `LTS releases: ${possibleLts(options.now()).join(", ")}.`
          : `Asked for: ${candidates.join(", ")}.`,
      ],
    });
  };

  return {
    resolveRelease: async (selector) => {
      const wanted = parseSelector(selector);
      if (wanted.kind === "number") return wanted.release;
      if (wanted.kind === "newest") return await newestLts(wanted.fits, selector ?? "latest");
      return releaseOf(await list(wanted.codename), wanted.codename);
    },
    image: async (release, arch, { fresh = false } = {}) => {
      if (fresh) {
        sums.forget(release);
        lists.forget(release);
      }
      const { sums: digests, ...signed } = await list(release);
      const fileName = `ubuntu-${release}-server-cloudimg-${arch}.img`;
      const sha256 = digests.get(fileName);
      if (sha256 === undefined) throw noImage(fileName, digests.keys(), signed);
      const serial = serialOf(digests.keys(), release, arch);
      return {
        release,
        arch,
        url: `${base}/releases/${release}/release/${fileName}`,
        fileName,
        sha256,
        ...(serial === undefined ? {} : { serial }),
        signer: signed.signer,
        signedAt: signed.signedAt,
        listUrl: signed.url,
      };
    },
  };
}

/** The version that the signed names bear. */
function releaseOf(list: SignedList, codename: string): string {
  const releases = new Set(
    [...list.sums.keys()].flatMap((name) => /^ubuntu-(\d\d\.\d\d)-server-cloudimg-/.exec(name)?.[1] ?? []),
  );
  const [release] = releases;
  if (release !== undefined && releases.size === 1) return release;
  throw new Failure("not-found", `${list.url} does not tell which release ${codename} is.`, {
    remedy: ["Give the release as its number, such as 26.04."],
  });
}

/** The changelog's name ends in the build before and this build: …-amd64.release.20260720.20260731.image_changelog.json. */
function serialOf(names: Iterable<string>, release: string, arch: string): string | undefined {
  const start = `ubuntu-${release}-server-cloudimg-${arch}.release.`;
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    const serial = /^\d{8}(?:\.\d+)?\.(\d{8}(?:\.\d{1,2})?)\.image_changelog\.json$/.exec(
      name.slice(start.length),
    )?.[1];
    if (serial !== undefined) return serial;
  }
  return undefined;
}

function noImage(fileName: string, names: Iterable<string>, list: { url: string; signedAt: Date }): Failure {
  const images = [...names].filter((name) => name.endsWith(".img")).toSorted();
  return new Failure(
    "not-found",
    `The list that Ubuntu signed on ${list.signedAt.toISOString().slice(0, 10)} does not name ${fileName}: ${list.url}`,
    {
      remedy: [
        images.length === 0 ? "It names no image (.img) at all." : `It names: ${images.slice(0, 8).join(", ")}.`,
      ],
    },
  );
}
