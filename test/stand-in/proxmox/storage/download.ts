import { createHash, type Hash } from "node:crypto";
import { createWriteStream, readFileSync, rmSync } from "node:fs";
import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Call } from "../call.ts";
import { died } from "../refusal.ts";
import { TaskFailure, WorkerDeath, type Worker } from "../tasks.ts";
import type { World } from "../world.ts";
import { formatByName, readImage } from "./image.ts";
import { contentName } from "./names.ts";
import { type Storage, type Volume } from "./volumes.ts";

const REDIRECTS = 20;
let nextFile = 0;

/** A new file for bytes of a volume. */
export const newFile = (world: World): string => join(world.directory, `volume-${nextFile++}`);

/** Whether the storage's configuration lets it hold this content; throws the API's words. */
export function checkContent(storage: Storage, content: string): void {
  if (!storage.content.includes(content)) {
    throw died(`storage '${storage.name}' is not configured for content-type '${content}'`);
  }
}

interface Wanted {
  url: string;
  checksum: string | undefined;
  algorithm: string;
  verify: boolean;
}

/** `POST download-url`: the node fetches a file by itself, and takes it in only with the right checksum. */
export function downloadUrl({ world, who, node, params }: Call): string {
  const storage = world.storageOn(params.need("storage"), node);
  const content = params.need("content");
  checkContent(storage, content);
  if (content === "import" && params.get("compression") !== undefined) {
    throw died("decompression not supported for import content type");
  }
  const name = contentName(content, params.need("filename"), "invalid filename or wrong extension");
  const wanted: Wanted = {
    url: params.need("url"),
    checksum: params.get("checksum"),
    algorithm: params.get("checksum-algorithm") ?? "sha256",
    verify: params.get("verify-certificates") === undefined || params.flag("verify-certificates"),
  };
  const shortName = name.slice(name.indexOf("/") + 1);
  return world.tasks.start(node, "download", shortName, who, (worker) =>
    run(world, worker, storage, content, name, wanted),
  );
}

async function run(
  world: World,
  worker: Worker,
  storage: Storage,
  content: string,
  name: string,
  wanted: Wanted,
): Promise<void> {
  const { node, pid } = worker.task;
  const path = storage.pathOf(name);
  worker.log(`downloading ${wanted.url} to ${path}`);
  const existing = world.volumes.find(storage.name, name, storage.shared ? "" : node);
  if (existing) {
    if (wanted.checksum === undefined) throw new TaskFailure(`refusing to override existing file '${path}'`);
    verify(worker, wanted, hashOf(existing, wanted.algorithm), "calculating checksum of existing file...", true);
    return;
  }
  const temporary = `${path}.tmp_dwnl.${pid}`;
  const file = newFile(world);
  try {
    const { length, hash } = await fetchTo(worker, wanted, file, temporary);
    await interruptible(worker.work());
    if (wanted.checksum !== undefined) verify(worker, wanted, hash, "calculating checksum...", false);
    const info = checkImage(worker, file, content, name, temporary);
    world.volumes.add({
      storage: storage.name,
      node: storage.shared ? "" : node,
      name,
      content: content as Volume["content"],
      format: formatByName(name),
      sizeBytes: length,
      usedBytes: length,
      virtualBytes: info,
      ctime: world.clock.seconds(),
      file,
      handle: { source: wanted.url, name, sha256: createHash("sha256").update(readFileSync(file)).digest("hex") },
      seeded: false,
    });
    worker.log(`download of '${wanted.url}' to '${path}' finished`);
  } catch (error) {
    if (!(error instanceof WorkerDeath)) rmSync(file, { force: true });
    throw error;
  }
}

/** A download that is stopped says so in its own words. */
async function interruptible(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TaskFailure && !error.verbatim) throw new TaskFailure(`download failed: ${error.message}`);
    throw error;
  }
}

function hashOf(volume: Volume, algorithm: string): string {
  const bytes = volume.file === undefined ? Buffer.alloc(0) : readFileSync(volume.file);
  return createHash(algorithm).update(bytes).digest("hex");
}

function verify(worker: Worker, wanted: Wanted, got: string, doing: string, exists: boolean): void {
  if (got.toLowerCase() === wanted.checksum?.toLowerCase()) {
    worker.log(`${doing}OK, ${exists ? "got correct file already, no need to download" : "checksum verified"}`);
    return;
  }
  worker.log(doing);
  const aborting = exists ? ", aborting" : "";
  throw new TaskFailure(`checksum mismatch: got '${got}' != expect '${wanted.checksum}'${aborting}`);
}

/** Bytes of the disk inside; throws when the file is not what its name says. */
function checkImage(worker: Worker, file: string, content: string, name: string, shownPath: string): number {
  const format = formatByName(name);
  if (content !== "import" || format === "ova") return 0;
  try {
    return readImage(file, format, shownPath).virtualBytes;
  } catch (error) {
    worker.log(`command '/usr/bin/qemu-img info '--output=json' ${shownPath} -f ${format}' failed: exit code 1`);
    throw new TaskFailure(`failed to verify file: ${(error as Error).message}`);
  }
}

/** Opens a URL and follows redirects; rejects when no connection comes to be. */
export async function open(
  url: string,
  verifyCertificates: boolean,
  signal: AbortSignal,
  hop: (response: IncomingMessage, url: string) => void,
): Promise<IncomingMessage> {
  let at = url;
  for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const get = at.startsWith("https:") ? httpsGet : httpGet;
      get(
        at,
        { signal, rejectUnauthorized: verifyCertificates, headers: { "user-agent": "Wget/1.25.0", accept: "*/*" } },
        resolve,
      ).on("error", reject);
    });
    hop(response, at);
    const { location } = response.headers;
    if ((response.statusCode ?? 0) < 300 || (response.statusCode ?? 0) > 399 || location === undefined) return response;
    response.resume();
    at = new URL(location, at).href;
  }
  throw new Error("redirection limit exceeded");
}

const hostOf = (url: string) => {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? "443" : "80") : port}`;
};

const stamp = (world: { now(): number }) => new Date(world.now()).toISOString().slice(0, 19).replace("T", " ");

/** Fetches as wget does, with its words in the log. */
async function fetchTo(
  worker: Worker,
  wanted: Wanted,
  file: string,
  temporary: string,
): Promise<{ length: number; hash: string }> {
  const clock = { now: () => worker.task.starttime * 1000 };
  let hash: Hash | undefined;
  let length = 0;
  let lastUrl = "";
  try {
    const response = await open(wanted.url, wanted.verify, worker.signal, (answer, url) => {
      worker.log(`--${stamp(clock)}--  ${url}`);
      const again = lastUrl !== "" && hostOf(lastUrl) === hostOf(url);
      worker.log(
        again ? `Reusing existing connection to ${hostOf(url)}.` : `Connecting to ${hostOf(url)}... connected.`,
      );
      lastUrl = url;
      worker.log(`HTTP request sent, awaiting response... ${answer.statusCode} ${answer.statusMessage}`);
      if (answer.headers.location !== undefined) worker.log(`Location: ${answer.headers.location} [following]`);
    });
    if (response.statusCode !== 200) {
      response.resume();
      worker.log(`${stamp(clock)} ERROR ${response.statusCode}: ${response.statusMessage}.`);
      throw new TaskFailure("download failed: exit code 8");
    }
    const type = response.headers["content-type"];
    worker.log(
      `Length: ${response.headers["content-length"] ?? "unspecified"}${type === undefined ? "" : ` [${type}]`}`,
    );
    worker.log(`Saving to: '${temporary}'`);
    hash = createHash(wanted.algorithm);
    response.on("data", (chunk: Buffer) => {
      hash?.update(chunk);
      length += chunk.length;
    });
    await pipeline(response, createWriteStream(file), { signal: worker.signal });
    worker.log(`     0K ...                                100%  410M=0.008s`);
    worker.log(`${stamp(clock)} (410 MB/s) - '${temporary}' saved [${length}/${length}]`);
    return { length, hash: hash.digest("hex") };
  } catch (error) {
    if (error instanceof TaskFailure) throw error;
    if (worker.signal.aborted) throw new TaskFailure(`download failed: ${(worker.signal.reason as Error).message}`);
    const code = (error as NodeJS.ErrnoException).code;
    const host = hostOf(lastUrl === "" ? wanted.url : lastUrl);
    if (lastUrl === "") worker.log(`--${stamp(clock)}--  ${wanted.url}`);
    if (code === "ECONNREFUSED")
      throw new TaskFailure(`download failed: Connecting to ${host}... failed: Connection refused.`);
    if (code === "ENOTFOUND")
      throw new TaskFailure(`download failed: wget: unable to resolve host address '${host.split(":")[0]}'`);
    throw new TaskFailure("download failed: exit code 4");
  }
}

/** `GET query-url-metadata`: what a HEAD-like look at a URL tells. */
export async function queryUrl({ params }: Call): Promise<unknown> {
  const url = params.need("url");
  const abort = new AbortController();
  try {
    const verifyCertificates = params.get("verify-certificates") === undefined || params.flag("verify-certificates");
    const response = await open(url, verifyCertificates, abort.signal, () => {});
    if (response.statusCode !== 200)
      throw died(`invalid server response: '${response.statusCode} ${response.statusMessage}'`);
    const size = response.headers["content-length"];
    const disposition = /filename="?([^";]+)"?/.exec(response.headers["content-disposition"] ?? "")?.[1];
    const filename = disposition ?? new URL(url).pathname.split("/").pop();
    return {
      ...(size === undefined ? {} : { size: Number(size) }),
      mimetype: response.headers["content-type"]?.split(";")[0] ?? "application/octet-stream",
      filename,
    };
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      throw died(`invalid server response: '500 Can't connect to ${hostOf(url)} (${(error as Error).message})'`);
    }
    throw error;
  } finally {
    abort.abort();
  }
}
