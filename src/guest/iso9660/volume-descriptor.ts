import { asciiBytes, bothEndian16, bothEndian32, longTime, paddedAscii, paddedUcs2, sectorBytes } from "./fields.ts";

export interface Volume {
  label: string;
  created: Date;
  /** Sectors of the whole image. */
  sectors: number;
  /** Bytes of one path table. */
  pathTableBytes: number;
  littleEndianPathTable: number;
  bigEndianPathTable: number;
  /** The 34-byte record of the root directory. */
  rootRecord: Uint8Array;
}

/** ECMA-119 8.4: the primary volume descriptor. The label stands as given, in lower case too, as genisoimage does it. */
export function primaryDescriptor(volume: Volume): Uint8Array {
  return descriptor(1, volume, paddedAscii);
}

/** ECMA-119 8.5 with Joliet's escape sequence for UCS-2 level 3. */
export function jolietDescriptor(volume: Volume): Uint8Array {
  const bytes = descriptor(2, volume, paddedUcs2);
  bytes.set(asciiBytes("%/E"), 88);
  return bytes;
}

/** ECMA-119 8.3: the end of the descriptors. */
export function terminator(): Uint8Array {
  return header(255);
}

function header(type: number): Uint8Array {
  const bytes = new Uint8Array(sectorBytes);
  bytes[0] = type;
  bytes.set(asciiBytes("CD001"), 1);
  bytes[6] = 1;
  return bytes;
}

function descriptor(type: number, volume: Volume, text: (value: string, length: number) => Uint8Array): Uint8Array {
  const bytes = header(type);
  const view = new DataView(bytes.buffer);
  bytes.set(text("LINUX", 32), 8);
  bytes.set(text(volume.label, 32), 40);
  bytes.set(bothEndian32(volume.sectors), 80);
  bytes.set(bothEndian16(1), 120); // volumes in the set
  bytes.set(bothEndian16(1), 124); // number of this volume
  bytes.set(bothEndian16(sectorBytes), 128);
  bytes.set(bothEndian32(volume.pathTableBytes), 132);
  view.setUint32(140, volume.littleEndianPathTable, true);
  view.setUint32(148, volume.bigEndianPathTable, false);
  bytes.set(volume.rootRecord, 156);
  bytes.set(text("", 128), 190); // volume set
  bytes.set(text("", 128), 318); // publisher
  bytes.set(text("", 128), 446); // data preparer
  bytes.set(text("KUBEHENGE", 128), 574); // application
  bytes.set(text("", 37), 702); // copyright file
  bytes.set(text("", 37), 739); // abstract file
  bytes.set(text("", 37), 776); // bibliographic file
  bytes.set(longTime(volume.created), 813);
  bytes.set(longTime(volume.created), 830);
  bytes.set(longTime(undefined), 847); // expires: never
  bytes.set(longTime(volume.created), 864);
  bytes[881] = 1;
  return bytes;
}
