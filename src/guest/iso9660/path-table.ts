/** ECMA-119 9.4: the path table of a volume that holds its root only, in the asked byte order; 10 bytes. */
export function rootPathTable(rootSector: number, littleEndian: boolean): Uint8Array {
  const table = new Uint8Array(10);
  const view = new DataView(table.buffer);
  table[0] = 1; // the root's name is one byte, zero
  view.setUint32(2, rootSector, littleEndian);
  view.setUint16(6, 1, littleEndian); // the root is its own parent, number 1
  return table;
}
