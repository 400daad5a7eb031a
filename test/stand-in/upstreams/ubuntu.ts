import { createHash } from "node:crypto";
import { signDetached, type TestKey } from "./keys.ts";
import { qcow2 } from "./qcow2.ts";
import { notFound, type Upstream, type UpstreamAnswer } from "./server.ts";

/** Ways in which a list or its signature can be wrong. The last three are lists that are signed and wrong all the same. */
export type UbuntuTampering =
  | "byte-changed"
  | "list-truncated"
  | "lines-reordered"
  | "line-appended"
  | "signature-of-another-list"
  | "signature-by-another-key"
  | "signature-truncated"
  | "signature-empty"
  | "signature-missing"
  | "digest-duplicated"
  | "image-missing"
  | "line-malformed";

export interface UbuntuRelease {
  release: string;
  codename: string;
  serial: string;
  /** Counts the times that the image has been replaced. */
  build: number;
  tampering?: UbuntuTampering;
}

/** A real image, served in the place of the empty one. */
export interface GivenImage {
  release: string;
  arch: string;
  bytes: Uint8Array;
}

export interface UbuntuMirror {
  serve: Upstream;
  releases: UbuntuRelease[];
  /** A newer build of the image: new serial, new digests; the directory of the old serial is gone. */
  replaceImage(release: string, serial?: string): void;
  /** Makes the list of that release wrong from now on; undefined makes it right again. */
  tamper(release: string, how: UbuntuTampering | undefined): void;
  /** The bytes that are served under a name. */
  file(release: string, name: string): Uint8Array | undefined;
  /** The unhurt list. */
  sums(release: string): string;
}

const archs = ["amd64", "arm64", "armhf", "ppc64el", "riscv64", "s390x"];
const perArch = [
  ".img",
  ".manifest",
  ".squashfs",
  ".squashfs.manifest",
  "-root.tar.xz",
  "-root.manifest",
  "-lxd.tar.xz",
  ".tar.gz",
];
const virtualBytes = 3.5 * 1024 ** 3;

/** The cloud image server: `releases/<number or codename>/release[-serial]/` with SHA256SUMS, its signature and the files. */
export function ubuntuMirror(options: {
  key: TestKey;
  otherKey: TestKey;
  signedAt: () => Date;
  image?: GivenImage;
}): UbuntuMirror {
  const releases: UbuntuRelease[] = [
    { release: "22.04", codename: "jammy", serial: "20260722", build: 1 },
    { release: "24.04", codename: "noble", serial: "20260725", build: 1 },
    { release: "26.04", codename: "resolute", serial: "20260731", build: 1 },
  ];
  const find = (name: string): UbuntuRelease | undefined =>
    releases.find(({ release, codename }) => name === release || name === codename);

  const content = (of: UbuntuRelease): Content => contentOf(of, options.image);

  const served = async (of: UbuntuRelease, name: string): Promise<UpstreamAnswer> => {
    if (name === "SHA256SUMS") return text(tamperedList(of, content(of).sums));
    if (name === "SHA256SUMS.gpg") return await signature(of);
    const file = content(of).files.get(name);
    return file === undefined
      ? notFound()
      : { status: 200, headers: { "content-type": "application/octet-stream" }, body: file };
  };

  const signature = async (of: UbuntuRelease): Promise<UpstreamAnswer> => {
    if (of.tampering === "signature-missing") return notFound();
    if (of.tampering === "signature-empty") return text("");
    const other = releases.find((candidate) => candidate !== of) ?? of;
    const signed =
      of.tampering === "signature-of-another-list" ? content(other).sums : signedList(of, content(of).sums);
    const key = of.tampering === "signature-by-another-key" ? options.otherKey : options.key;
    const armored = await signDetached(key, Buffer.from(signed), options.signedAt());
    return text(of.tampering === "signature-truncated" ? armored.slice(0, armored.length / 2) : armored);
  };

  return {
    releases,
    serve: async ({ path, method }) => {
      const [, directory = "", pointer = "", name = ""] =
        /^\/releases\/([^/]+)\/release(?:-([^/]+))?\/([^/]+)$/.exec(path) ?? [];
      const of = find(directory);
      if (of === undefined || (pointer !== "" && pointer !== of.serial) || (method !== "GET" && method !== "HEAD"))
        return notFound();
      return await served(of, name);
    },
    replaceImage: (release, serial) => {
      const of = find(release);
      if (of === undefined) throw new RangeError(`the mirror has no Ubuntu ${release}`);
      of.build += 1;
      of.serial = serial ?? String(Number(of.serial) + 1);
    },
    tamper: (release, how) => {
      const of = find(release);
      if (of === undefined) throw new RangeError(`the mirror has no Ubuntu ${release}`);
      if (how === undefined) delete of.tampering;
      else of.tampering = how;
    },
    file: (release, name) => {
      const of = find(release);
      return of === undefined ? undefined : content(of).files.get(name);
    },
    sums: (release) => {
      const of = find(release);
      return of === undefined ? "" : content(of).sums;
    },
  };
}

interface Content {
  files: ReadonlyMap<string, Uint8Array>;
  sums: string;
}

const contents = new Map<string, Content>();

/** A release's files and their list, made once for each build. */
function contentOf(of: UbuntuRelease, given: GivenImage | undefined): Content {
  const isGiven = given?.release === of.release;
  const state = `${of.release} ${of.serial} ${of.build}${isGiven ? ` ${given.bytes.length}` : ""}`;
  const known = contents.get(state);
  if (known !== undefined) return known;
  const files = makeFiles(of);
  if (isGiven) files.set(`ubuntu-${given.release}-server-cloudimg-${given.arch}.img`, given.bytes);
  const lines = [...files].map(([name, bytes]) => `${createHash("sha256").update(bytes).digest("hex")} *${name}\n`);
  const made = { files, sums: lines.toSorted().join("") };
  contents.set(state, made);
  return made;
}

/** Every file of a release, under the names that the real lists of July 2026 have. */
function makeFiles(of: UbuntuRelease): Map<string, Uint8Array> {
  const result = new Map<string, Uint8Array>();
  const stem = `ubuntu-${of.release}-server-cloudimg-`;
  const add = (name: string, bytes?: Uint8Array): void => {
    result.set(name, bytes ?? Buffer.from(`stand-in for ${name}, build ${of.build}\n`));
  };
  for (const arch of of.release >= "26.04" ? [...archs, "amd64v3"] : archs) {
    for (const ending of perArch) add(`${stem}${arch}${ending}`);
    add(
      `${stem}${arch}.img`,
      qcow2(virtualBytes, { os: "ubuntu", version: of.release, arch, build: `${of.serial}.${of.build}` }),
    );
    add(`${stem}${arch}.release.20260701.${of.serial}.image_changelog.json`);
    add(`${stem}${arch}.daily.20260715.${of.serial}.image_changelog.json`);
    if (arch.startsWith("amd64"))
      for (const ending of [".ova", ".vmdk", "-azure.vhd.tar.gz"]) add(`${stem}${arch}${ending}`);
  }
  if (of.release === "22.04") for (const ending of [".img", ".manifest"]) add(`${stem}amd64-disk-kvm${ending}`);
  return result;
}

/** What the signature covers; for most kinds of tampering the list as it was before. */
function signedList(of: UbuntuRelease, list: string): string {
  const image = `ubuntu-${of.release}-server-cloudimg-amd64.img`;
  switch (of.tampering) {
    case "digest-duplicated":
      return `${list}${"0".repeat(64)} *${image}\n`;
    case "image-missing":
      return list.replace(new RegExp(`^.*\\*${image.replaceAll(".", "\\.")}\n`, "m"), "");
    case "line-malformed":
      return `${list}# checked by hand\n`;
    default:
      return list;
  }
}

/** What is served as the list. */
function tamperedList(of: UbuntuRelease, sums: string): string {
  const list = signedList(of, sums);
  const lines = list.trimEnd().split("\n");
  switch (of.tampering) {
    case "byte-changed":
      return `${list[0] === "0" ? "1" : "0"}${list.slice(1)}`;
    case "list-truncated":
      return list.slice(0, -100);
    case "lines-reordered":
      return `${[...lines.slice(1), lines[0]].join("\n")}\n`;
    case "line-appended":
      return `${list}${"0".repeat(64)} *ubuntu-${of.release}-server-cloudimg-amd64.img\n`;
    default:
      return list;
  }
}

function text(body: string): UpstreamAnswer {
  return { status: 200, headers: { "content-type": "text/plain" }, body };
}
