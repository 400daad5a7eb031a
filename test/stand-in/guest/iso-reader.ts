/** What a medium holds, as Linux's isofs shows it. */
export interface IsoVolume {
  /** The primary descriptor's volume identifier: what blkid and udev take for the label. */
  label: string;
  /** Which naming the names come from: Rock Ridge before Joliet before plain ones (fs/isofs). */
  naming: "rock-ridge" | "joliet" | "plain";
  files: ReadonlyMap<string, Uint8Array>;
}

interface RawRecord {
  identifier: Uint8Array;
  extent: number;
  size: number;
  folder: boolean;
  systemUse: Uint8Array;
}

const BLOCK = 2048;
const latin1 = new TextDecoder("latin1");
const utf16be = new TextDecoder("utf-16be");

/**
 * Reads the root folder of an ISO 9660 image; written apart from the product's writer, from ECMA-119, SUSP and Joliet.
 * @returns undefined when the bytes are no ISO 9660 image; a torn one throws a RangeError
 */
export function readIso(image: Uint8Array, only?: IsoVolume["naming"]): IsoVolume | undefined {
  let primary: Uint8Array | undefined;
  let joliet: Uint8Array | undefined;
  for (let block = 16; ; block++) {
    const descriptor = slice(image, block * BLOCK, BLOCK);
    if (descriptor === undefined || latin1.decode(descriptor.subarray(1, 6)) !== "CD001") return undefined;
    if (descriptor[0] === 255) break;
    if (descriptor[0] === 1) primary ??= descriptor;
    if (descriptor[0] === 2 && /^%\/[@CE]/.test(latin1.decode(descriptor.subarray(88, 91)))) joliet ??= descriptor;
  }
  if (primary === undefined) return undefined;
  const label = latin1.decode(primary.subarray(40, 72)).trimEnd();

  const records = readRoot(image, primary);
  const selfUse = records.find((record) => record.identifier[0] === 0 && record.identifier.length === 1)?.systemUse;
  const sharing = selfUse !== undefined && latin1.decode(selfUse.subarray(0, 2)) === "SP" && selfUse[4] === 0xbe;
  const naming = only ?? (sharing ? "rock-ridge" : joliet !== undefined ? "joliet" : "plain");
  if (naming === "joliet") {
    if (joliet === undefined) return undefined;
    return {
      label,
      naming,
      files: contents(image, readRoot(image, joliet), (record) => bare(utf16be.decode(record.identifier))),
    };
  }
  if (naming === "rock-ridge") {
    if (!sharing) return undefined;
    return { label, naming, files: contents(image, records, (record) => rockRidgeName(record) ?? plainName(record)) };
  }
  return { label, naming, files: contents(image, records, plainName) };
}

function contents(
  image: Uint8Array,
  records: readonly RawRecord[],
  name: (record: RawRecord) => string,
): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const record of records) {
    const special = record.identifier.length === 1 && (record.identifier[0] ?? 0) < 2;
    if (special || record.folder) continue;
    const bytes = slice(image, record.extent * BLOCK, record.size);
    if (bytes === undefined)
      throw new RangeError(`a file of ${record.size} bytes at block ${record.extent} lies outside the image`);
    files.set(name(record), bytes);
  }
  return files;
}

function readRoot(image: Uint8Array, descriptor: Uint8Array): RawRecord[] {
  const view = viewOf(descriptor);
  const extent = view.getUint32(156 + 2, true);
  const size = view.getUint32(156 + 10, true);
  if (extent !== view.getUint32(156 + 6, false)) throw new RangeError("the root's two byte orders differ");
  const folder = slice(image, extent * BLOCK, size);
  if (folder === undefined) throw new RangeError("the root lies outside the image");
  const records: RawRecord[] = [];
  for (let offset = 0; offset < folder.length;) {
    const length = folder[offset] ?? 0;
    if (length === 0) {
      offset = (Math.floor(offset / BLOCK) + 1) * BLOCK;
      continue;
    }
    records.push(readRecord(folder.subarray(offset, offset + length)));
    offset += length;
  }
  return records;
}

function readRecord(record: Uint8Array): RawRecord {
  const view = viewOf(record);
  const nameLength = record[32] ?? 0;
  const identifier = record.subarray(33, 33 + nameLength);
  const useAt = 33 + nameLength + (nameLength % 2 === 0 ? 1 : 0);
  return {
    identifier,
    extent: view.getUint32(2, true),
    size: view.getUint32(10, true),
    folder: ((record[25] ?? 0) & 2) !== 0,
    systemUse: record.subarray(useAt),
  };
}

function rockRidgeName(record: RawRecord): string | undefined {
  const use = record.systemUse;
  for (let offset = 0; offset + 4 <= use.length;) {
    const length = use[offset + 2] ?? 0;
    if (length < 4) return undefined;
    if (latin1.decode(use.subarray(offset, offset + 2)) === "NM") {
      return new TextDecoder().decode(use.subarray(offset + 5, offset + length));
    }
    offset += length;
  }
  return undefined;
}

/** fs/isofs/dir.c: lower case, and a trailing `.;1` or `;1` goes. */
function plainName(record: RawRecord): string {
  return bare(latin1.decode(record.identifier).toLowerCase());
}

function bare(name: string): string {
  return name.replace(/\.?;1$/, "");
}

function slice(bytes: Uint8Array, offset: number, length: number): Uint8Array | undefined {
  return offset + length <= bytes.length ? bytes.subarray(offset, offset + length) : undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
