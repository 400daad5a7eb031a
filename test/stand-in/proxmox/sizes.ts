const UNITS = ["", "K", "M", "G", "T"] as const;

/** Writes a disk size as a configuration does: the largest unit that divides it, such as `2300M` or `366K`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (unit < UNITS.length - 1 && value >= 1024 && value % 1024 === 0) {
    value /= 1024;
    unit++;
  }
  return `${value}${UNITS[unit]}`;
}

/** Reads a disk size such as `4G` or `10486K` to bytes; undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([KMGT]?)$/.exec(text);
  if (!match) return undefined;
  return Math.ceil(Number(match[1]) * 1024 ** UNITS.indexOf(match[2] as (typeof UNITS)[number]));
}

/** Writes bytes for a person, as the import's progress lines do: `42.7 MiB`. */
export function readableSize(bytes: number): string {
  const names = ["B", "KiB", "MiB", "GiB", "TiB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < names.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${names[unit]}`;
}
