import { asciiBytes, bothEndian32, concatBytes, shortTime } from "./fields.ts";

/** An entry of the System Use Sharing Protocol (SUSP 1.12, 4.1): two letters, length, version, data. */
function entry(signature: string, version: number, data: Uint8Array): Uint8Array {
  return concatBytes([asciiBytes(signature), Uint8Array.of(4 + data.length, version), data]);
}

/** SUSP 5.3, only in the root's own record: this volume speaks SUSP, entries begin at once. */
export function sharingProtocol(): Uint8Array {
  return entry("SP", 1, Uint8Array.of(0xbe, 0xef, 0));
}

/** SUSP 5.1: where the rest of this record's entries lies; sector number, offset and length in bytes. */
export function continuation(sector: number, offset: number, length: number): Uint8Array {
  return entry("CE", 1, concatBytes([bothEndian32(sector), bothEndian32(offset), bothEndian32(length)]));
}

/** SUSP 5.5 with the words of RRIP 1.12, 4.3: which extension the entries belong to. */
export function rockRidgeReference(): Uint8Array {
  const identifier = asciiBytes("IEEE_P1282");
  const description = asciiBytes("THE IEEE P1282 PROTOCOL PROVIDES SUPPORT FOR POSIX FILE SYSTEM SEMANTICS");
  const source = asciiBytes(
    "PLEASE CONTACT THE IEEE STANDARDS DEPARTMENT, PISCATAWAY, NJ, USA FOR THE P1282 SPECIFICATION",
  );
  const lengths = Uint8Array.of(identifier.length, description.length, source.length, 1);
  return entry("ER", 1, concatBytes([lengths, identifier, description, source]));
}

/** RRIP 1.12, 4.1.1: mode, links, owner (root), group (root) and a serial number of the file. */
export function posixAttributes(mode: number, links: number, serial: number): Uint8Array {
  return entry("PX", 1, concatBytes([mode, links, 0, 0, serial].map((value) => bothEndian32(value))));
}

/** RRIP 1.12, 4.1.6: times of modification, access and attribute change. */
export function timeStamps(time: Date): Uint8Array {
  const modifyAccessAttributes = 0b1110;
  const short = shortTime(time);
  return entry("TF", 1, concatBytes([Uint8Array.of(modifyAccessAttributes), short, short, short]));
}

/** RRIP 1.12, 4.1.4: the name as it is. */
export function alternateName(name: string): Uint8Array {
  return entry("NM", 1, concatBytes([Uint8Array.of(0), asciiBytes(name)]));
}
