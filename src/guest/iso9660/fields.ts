/** Bytes of one logical sector and of one logical block; NoCloud seeds and every CD-ROM drive use 2048. */
export const sectorBytes = 2048;

/** Whole sectors needed for `bytes` bytes. */
export function sectorsFor(bytes: number): number {
  return Math.ceil(bytes / sectorBytes);
}

/** ECMA-119 7.2.3: a 16-bit number, first little-endian, then big-endian. */
export function bothEndian16(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, value, true);
  view.setUint16(2, value, false);
  return bytes;
}

/** ECMA-119 7.3.3: a 32-bit number, first little-endian, then big-endian. */
export function bothEndian32(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, value, true);
  view.setUint32(4, value, false);
  return bytes;
}

/** ASCII text, filled with spaces to `length` bytes. */
export function paddedAscii(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x20);
  bytes.set(asciiBytes(text).subarray(0, length));
  return bytes;
}

/** Joliet: big-endian UCS-2 text, filled with UCS-2 spaces to `length` bytes; an odd last byte stays zero. */
export function paddedUcs2(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(ucs2Bytes(text.padEnd(Math.floor(length / 2), " ").slice(0, Math.floor(length / 2))));
  return bytes;
}

export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function ucs2Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index++) view.setUint16(index * 2, text.charCodeAt(index), false);
  return bytes;
}

/** ECMA-119 9.1.5: the seven-byte time of directory records and of Rock Ridge's TF entry, in UTC. */
export function shortTime(time: Date): Uint8Array {
  return Uint8Array.of(
    time.getUTCFullYear() - 1900,
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
    0,
  );
}

/** ECMA-119 8.4.26.1: the seventeen-byte time of volume descriptors, in UTC to hundredths of a second. */
export function longTime(time: Date | undefined): Uint8Array {
  const bytes = new Uint8Array(17);
  // All digits "0" and a zero offset byte say that no time is given.
  const digits = time === undefined ? "0".repeat(16) : time.toISOString().replace(/\D/g, "").slice(0, 16);
  bytes.set(asciiBytes(digits));
  return bytes;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}
