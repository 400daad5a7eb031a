import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Call } from "../call.ts";
import { badParameters } from "../refusal.ts";
import { TaskFailure } from "../tasks.ts";
import { checkContent, newFile } from "./download.ts";
import { formatByName, readImage } from "./image.ts";
import { contentName } from "./names.ts";
import type { Volume } from "./volumes.ts";

/** `POST upload`: takes a file in; one of the same name is overwritten without a word. */
export function upload({ world, who, node, params, upload: sent }: Call): string {
  const storage = world.storageOn(params.need("storage"), node);
  const content = params.need("content");
  if (!sent) throw badParameters({ tmpfilename: "missing temporary upload file" });
  checkContent(storage, content);
  const name = contentName(content, params.need("filename"), "wrong file extension");
  const path = storage.pathOf(name);
  const temporary = `/var/tmp/pveupload-${randomBytes(16).toString("hex")}`;
  const checksum = params.get("checksum");
  const algorithm = params.get("checksum-algorithm") ?? "sha256";
  return world.tasks.start(node, "imgcopy", "", who, async (worker) => {
    worker.log(`starting file import from: ${temporary}`);
    if (checksum !== undefined) {
      const got = createHash(algorithm).update(sent.bytes).digest("hex");
      if (got !== checksum.toLowerCase()) {
        worker.log("calculating checksum...");
        throw new TaskFailure(`checksum mismatch: got '${got}' != expect '${checksum}'`);
      }
      worker.log("calculating checksum...OK, checksum verified");
    }
    worker.log(`target node: ${node}`);
    worker.log(`target file: ${path}`);
    worker.log(`file size is: ${sent.bytes.length}`);
    worker.log(`command: cp -- ${temporary} ${path}`);
    await worker.work();
    const file = newFile(world);
    writeFileSync(file, sent.bytes);
    const format = formatByName(name);
    const virtualBytes = content === "import" && format !== "ova" ? imageBytes(file, format, path) : 0;
    world.volumes.add({
      storage: storage.name,
      node: storage.shared ? "" : node,
      name,
      content: content as Volume["content"],
      format,
      sizeBytes: sent.bytes.length,
      usedBytes: sent.bytes.length,
      virtualBytes,
      ctime: world.clock.seconds(),
      file,
      handle: { source: "upload", name, sha256: createHash("sha256").update(sent.bytes).digest("hex") },
      seeded: false,
    });
    worker.log("finished file import successfully");
  });
}

/** An upload is not looked into: what is no image shows only when it is imported. */
function imageBytes(file: string, format: string, path: string): number {
  try {
    return readImage(file, format, path).virtualBytes;
  } catch {
    return 0;
  }
}
