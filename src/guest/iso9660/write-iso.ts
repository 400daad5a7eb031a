import { Failure } from "../../failure/failure.ts";
import { byIdentifier, directoryExtent, directoryRecord, type DirectoryEntry } from "./directory.ts";
import { asciiBytes, concatBytes, sectorBytes, sectorsFor, ucs2Bytes } from "./fields.ts";
import { checkNames, plainNames } from "./names.ts";
import { rootPathTable } from "./path-table.ts";
import {
  alternateName,
  continuation,
  posixAttributes,
  rockRidgeReference,
  sharingProtocol,
  timeStamps,
} from "./system-use.ts";
import { jolietDescriptor, primaryDescriptor, terminator } from "./volume-descriptor.ts";

export interface IsoFile {
  name: string;
  bytes: Uint8Array;
}

/** A seed stays under 1 MiB: Proxmox VE spools uploads on the node's root file system. */
const largestImageBytes = 1024 * 1024;
const descriptorSector = 16;
const pathTableSector = descriptorSector + 3;
const rootSector = pathTableSector + 4;
const pathTableBytes = 10;

/** POSIX file types and permissions: a folder of 0555 and files of 0444, as on a pressed disc. */
const folderMode = 0o040555;
const fileMode = 0o100444;

/**
 * An ISO 9660 image with one folder of files, under three namings: plain names (ECMA-119, interchange level 2), Rock
 * Ridge (RRIP 1.12 over SUSP 1.12) and Joliet. The same input gives the same bytes.
 * @param files names of A-Z a-z 0-9 . _ - (at most 64 characters), and their bytes
 * @param volume.label 1 to 16 characters of A-Z a-z 0-9 _ -; cloud-init looks for `cidata`
 * @param volume.created the time of every file and of the volume
 * @returns whole sectors of 2048 bytes, at most 1 MiB
 * @throws Failure("failure") for names, labels, times or sizes that do not fit
 */
export function writeIso(files: readonly IsoFile[], volume: { label: string; created: Date }): Uint8Array {
  checkNames(files.map((file) => file.name));
  checkVolume(volume);
  const plain = plainNames(files.map((file) => file.name));

  // Sizes first: the length of a record does not depend on the sector numbers in it.
  const primarySectors = sectorsFor(primaryRoot(files, plain, volume.created, 0, 0, 0, 0).length);
  const jolietSectors = sectorsFor(jolietRoot(files, volume.created, 0, 0, 0).length);
  const jolietRootSector = rootSector + primarySectors;
  const continuationSector = jolietRootSector + jolietSectors;
  const firstFileSector = continuationSector + 1;
  const sectors = firstFileSector + files.reduce((sum, file) => sum + sectorsFor(file.bytes.length), 0);
  if (sectors * sectorBytes > largestImageBytes) {
    throw new Failure("failure", `The ISO image would have ${sectors * sectorBytes} bytes; 1 MiB is the most allowed.`);
  }

  const primary = primaryRoot(
    files,
    plain,
    volume.created,
    rootSector,
    primarySectors,
    continuationSector,
    firstFileSector,
  );
  const joliet = jolietRoot(files, volume.created, jolietRootSector, jolietSectors, firstFileSector);
  const image = new Uint8Array(sectors * sectorBytes);
  const put = (sector: number, bytes: Uint8Array): void => image.set(bytes, sector * sectorBytes);
  const root = (sector: number, count: number): Uint8Array =>
    directoryRecord(folderEntry(0, sector, count, volume.created));

  put(
    descriptorSector,
    primaryDescriptor({
      ...volume,
      sectors,
      pathTableBytes,
      littleEndianPathTable: pathTableSector,
      bigEndianPathTable: pathTableSector + 1,
      rootRecord: root(rootSector, primarySectors),
    }),
  );
  put(
    descriptorSector + 1,
    jolietDescriptor({
      ...volume,
      sectors,
      pathTableBytes,
      littleEndianPathTable: pathTableSector + 2,
      bigEndianPathTable: pathTableSector + 3,
      rootRecord: root(jolietRootSector, jolietSectors),
    }),
  );
  put(descriptorSector + 2, terminator());
  put(pathTableSector, rootPathTable(rootSector, true));
  put(pathTableSector + 1, rootPathTable(rootSector, false));
  put(pathTableSector + 2, rootPathTable(jolietRootSector, true));
  put(pathTableSector + 3, rootPathTable(jolietRootSector, false));
  put(rootSector, primary);
  put(jolietRootSector, joliet);
  put(continuationSector, rockRidgeReference());
  fileSectors(files, firstFileSector).forEach((sector, index) => put(sector, files[index]?.bytes ?? new Uint8Array(0)));
  return image;
}

function checkVolume(volume: { label: string; created: Date }): void {
  if (!/^[A-Za-z0-9_-]{1,16}$/.test(volume.label)) {
    throw new Failure("failure", `The volume label ${JSON.stringify(volume.label)} cannot be written to an ISO image.`);
  }
  const year = volume.created.getUTCFullYear();
  if (!(year >= 1900 && year <= 2155)) {
    throw new Failure("failure", "The time of an ISO image must lie in the years 1900 to 2155 (ECMA-119 9.1.5).");
  }
}

/** Where each file begins, one after the other; an empty file takes no sector. */
function fileSectors(files: readonly IsoFile[], first: number): number[] {
  let next = first;
  return files.map((file) => {
    const sector = next;
    next += sectorsFor(file.bytes.length);
    return file.bytes.length === 0 ? 0 : sector;
  });
}

function folderEntry(self: 0 | 1, sector: number, sectors: number, time: Date): DirectoryEntry {
  return { identifier: Uint8Array.of(self), sector, bytes: sectors * sectorBytes, folder: true, time };
}

function primaryRoot(
  files: readonly IsoFile[],
  plain: readonly string[],
  time: Date,
  sector: number,
  sectors: number,
  continuationSector: number,
  firstFileSector: number,
): Uint8Array {
  const attributes = [posixAttributes(folderMode, 2, 1), timeStamps(time)];
  const reference = continuation(continuationSector, 0, rockRidgeReference().length);
  const self = {
    ...folderEntry(0, sector, sectors, time),
    systemUse: concatBytes([sharingProtocol(), ...attributes, reference]),
  };
  const parent = { ...folderEntry(1, sector, sectors, time), systemUse: concatBytes(attributes) };
  const starts = fileSectors(files, firstFileSector);
  const entries = files
    .map((file, index) => ({
      identifier: asciiBytes(plain[index] ?? ""),
      sector: starts[index] ?? 0,
      bytes: file.bytes.length,
      folder: false,
      time,
      systemUse: concatBytes([posixAttributes(fileMode, 1, index + 2), timeStamps(time), alternateName(file.name)]),
    }))
    .toSorted(byIdentifier(0x20));
  return directoryExtent([self, parent, ...entries].map(directoryRecord));
}

function jolietRoot(
  files: readonly IsoFile[],
  time: Date,
  sector: number,
  sectors: number,
  firstFileSector: number,
): Uint8Array {
  const starts = fileSectors(files, firstFileSector);
  const entries = files
    .map((file, index) => ({
      identifier: ucs2Bytes(file.name),
      sector: starts[index] ?? 0,
      bytes: file.bytes.length,
      folder: false,
      time,
    }))
    .toSorted(byIdentifier(0));
  return directoryExtent(
    [folderEntry(0, sector, sectors, time), folderEntry(1, sector, sectors, time), ...entries].map(directoryRecord),
  );
}
