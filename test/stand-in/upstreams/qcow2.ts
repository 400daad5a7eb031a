/** What an image says of itself; a simulated guest can read it back from the bytes. */
export interface ImageLabel {
  /** "ubuntu" or "talos". */
  os: string;
  version: string;
  arch: string;
  build: string;
}

const clusterBits = 12;
const cluster = 1 << clusterBits;
const labelAt = 1024;
const labelMark = "stand-in image ";

/**
 * A small qcow2 (version 3) of an empty disk, 64 KiB long, with the label in its unused first cluster.
 * Layout after qemu's docs/interop/qcow2: header, refcount table, one refcount block, L1 table; 4 KiB clusters.
 */
export function qcow2(virtualBytes: number, label: ImageLabel): Uint8Array {
  const bytes = Buffer.alloc(16 * cluster);
  const l1Entries = Math.ceil(virtualBytes / (cluster * (cluster / 8)));
  const l1Clusters = Math.ceil((l1Entries * 8) / cluster);
  const used = 3 + l1Clusters;
  if (used > 16) throw new RangeError(`a disk of ${virtualBytes} bytes does not fit into this small image`);
  bytes.write("QFI\xfb", 0, "latin1");
  bytes.writeUInt32BE(3, 4);
  bytes.writeUInt32BE(clusterBits, 20);
  bytes.writeBigUInt64BE(BigInt(virtualBytes), 24);
  bytes.writeUInt32BE(l1Entries, 36);
  bytes.writeBigUInt64BE(BigInt(3 * cluster), 40);
  bytes.writeBigUInt64BE(BigInt(cluster), 48);
  bytes.writeUInt32BE(1, 56);
  bytes.writeUInt32BE(4, 96);
  bytes.writeUInt32BE(104, 100);
  bytes.write(`${labelMark}${JSON.stringify(label)}\n`, labelAt, "utf8");
  bytes.writeBigUInt64BE(BigInt(2 * cluster), cluster);
  for (let index = 0; index < used; index += 1) bytes.writeUInt16BE(1, 2 * cluster + index * 2);
  return bytes;
}

/** The label of such an image; undefined for other bytes. */
export function imageLabel(bytes: Uint8Array): ImageLabel | undefined {
  const text = Buffer.from(bytes.subarray(labelAt, cluster)).toString("utf8");
  if (!text.startsWith(labelMark)) return undefined;
  return JSON.parse(text.slice(labelMark.length, text.indexOf("\n"))) as ImageLabel;
}

/** Virtual size in bytes, from the header. */
export function virtualSize(bytes: Uint8Array): number {
  return Number(Buffer.from(bytes).readBigUInt64BE(24));
}
