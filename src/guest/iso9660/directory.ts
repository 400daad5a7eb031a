import { bothEndian16, bothEndian32, concatBytes, sectorBytes, shortTime } from "./fields.ts";

export interface DirectoryEntry {
  /** The name's bytes as recorded: plain ASCII, UCS-2 for Joliet, one byte 0 or 1 for the folder itself and its parent. */
  identifier: Uint8Array;
  sector: number;
  bytes: number;
  folder: boolean;
  time: Date;
  systemUse?: Uint8Array;
}

/** ECMA-119 9.1: one directory record, of even length and at most 255 bytes. */
export function directoryRecord(entry: DirectoryEntry): Uint8Array {
  const systemUse = entry.systemUse ?? new Uint8Array(0);
  const nameEnd = 33 + entry.identifier.length;
  // 9.1.12: a padding byte follows a name of even length, so that what follows begins at an even offset.
  const useStart = nameEnd + (nameEnd % 2);
  const length = useStart + systemUse.length + (systemUse.length % 2);
  if (length > 255) throw new RangeError(`a directory record of ${length} bytes cannot be written`);
  const record = new Uint8Array(length);
  record[0] = length;
  record.set(bothEndian32(entry.sector), 2);
  record.set(bothEndian32(entry.bytes), 10);
  record.set(shortTime(entry.time), 18);
  record[25] = entry.folder ? 0b10 : 0;
  record.set(bothEndian16(1), 28);
  record[32] = entry.identifier.length;
  record.set(entry.identifier, 33);
  record.set(systemUse, useStart);
  return record;
}

/** ECMA-119 6.8.1.1: records in their order, none across the end of a sector; whole sectors. */
export function directoryExtent(records: readonly Uint8Array[]): Uint8Array {
  const sectors: Uint8Array[] = [];
  let sector = new Uint8Array(sectorBytes);
  let used = 0;
  for (const record of records) {
    if (used + record.length > sectorBytes) {
      sectors.push(sector);
      sector = new Uint8Array(sectorBytes);
      used = 0;
    }
    sector.set(record, used);
    used += record.length;
  }
  return concatBytes([...sectors, sector]);
}

/** ECMA-119 9.3 orders records by name; by bytes, where the shorter name is filled with `fill`. */
export function byIdentifier(fill: number): (a: DirectoryEntry, b: DirectoryEntry) => number {
  return (a, b) => {
    const length = Math.max(a.identifier.length, b.identifier.length);
    for (let index = 0; index < length; index++) {
      const difference = (a.identifier[index] ?? fill) - (b.identifier[index] ?? fill);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}
