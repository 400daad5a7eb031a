import { closeSync, openSync, readSync, statSync } from "node:fs";

/** What `qemu-img info` tells of an image file. */
export interface ImageInfo {
  format: "qcow2" | "raw" | "vmdk";
  virtualBytes: number;
}

/** The format that a file's name says; PVE never looks for another one inside. */
export const formatByName = (name: string): "qcow2" | "raw" | "vmdk" | "ova" | "iso" =>
  /\.(qcow2|raw|vmdk|ova)$/.test(name) ? (name.slice(name.lastIndexOf(".") + 1) as "qcow2") : "iso";

function head(file: string): Buffer {
  const bytes = Buffer.alloc(32);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

/**
 * Reads an image's header as `qemu-img info -f FORMAT` does. The qcow2 header holds the disk's size as a big-endian
 * number at byte 24 (QEMU, docs/interop/qcow2.txt). Throws with qemu-img's words when the file is no such image.
 */
export function readImage(file: string, format: string, shownPath: string): ImageInfo {
  const bytes = head(file);
  if (format === "qcow2") {
    if (bytes.toString("latin1", 0, 4) !== "QFI\xfb") {
      throw new Error(`qemu-img: Could not open '${shownPath}': Image is not in qcow2 format`);
    }
    return { format, virtualBytes: Number(bytes.readBigUInt64BE(24)) };
  }
  if (format === "vmdk") {
    if (bytes.toString("latin1", 0, 4) !== "KDMV" && !bytes.toString("latin1").startsWith("# Disk DescriptorFile")) {
      throw new Error(`qemu-img: Could not open '${shownPath}': invalid VMDK image descriptor`);
    }
    return { format, virtualBytes: Number(bytes.readBigUInt64LE(12)) * 512 };
  }
  return { format: "raw", virtualBytes: statSync(file).size };
}
