import type { CloudConfig } from "./nocloud.ts";

/** What a build's seed makes a guest do, worked out from the files it writes. */
export interface BuildWork {
  /** Sector and device of the report that bootcmd makes. */
  seedRead: { device: string; sector: number } | undefined;
  steps: readonly { code: number; seconds: number; name: string }[];
  settings: ReadonlyMap<string, string>;
  files: ReadonlyMap<string, string>;
  /** It lies on tmpfs and only proves: the smoke test of a clone. */
  proves: boolean;
}

/**
 * Follows runcmd to the unit it starts, the unit to its script, and from there to the steps and settings.
 * @returns undefined when nothing in runcmd starts a unit of ours; throws an Error where a link of this chain is missing
 */
export function readBuild(config: CloudConfig): BuildWork | undefined {
  const files = new Map(config.write_files.map(({ path, content }) => [path, content]));
  const starts = config.runcmd.find(
    (words) => Array.isArray(words) && words[0] === "systemctl" && words.includes("start"),
  );
  const unit = starts?.at(-1);
  if (unit === undefined) return undefined;
  const unitText = files.get(`/etc/systemd/system/${unit}`) ?? files.get(`/run/systemd/system/${unit}`);
  if (unitText === undefined) throw new Error(`runcmd starts ${unit}, which write_files does not write`);
  const script = /^ExecStart=\/bin\/bash (\S+)$/m.exec(unitText)?.[1];
  if (script === undefined || !files.has(script))
    throw new Error(`${unit} starts a script that write_files does not write`);
  const folder = script.slice(0, script.lastIndexOf("/"));
  const needed = (name: string): string => {
    const text = files.get(`${folder}/${name}`);
    if (text === undefined) throw new Error(`the build needs ${folder}/${name}, which write_files does not write`);
    return text;
  };
  const steps = needed("steps")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const match = /^(\d+) (\d+) ([a-z-]+)$/.exec(line);
      if (match === null) throw new Error(`the line "${line}" is no step`);
      const [, code, seconds, name] = match;
      if (!needed(`${name}.sh`).startsWith("#!/bin/bash\n")) throw new Error(`${name}.sh is no bash script`);
      return { code: Number(code), seconds: Number(seconds), name: name ?? "" };
    });
  return {
    seedRead: seedReport(config),
    steps,
    settings: readSettings(needed("settings")),
    files,
    proves: folder.startsWith("/run/"),
  };
}

/** The sector that bootcmd writes with dd, on the disk that udev names so. */
function seedReport(config: CloudConfig): BuildWork["seedRead"] {
  for (const words of config.bootcmd) {
    if (!Array.isArray(words) || words[0] !== "dd") continue;
    const device = words
      .map((word) => /^of=\/dev\/disk\/by-id\/scsi-0QEMU_QEMU_HARDDISK_drive-(scsi\d+)$/.exec(word)?.[1])
      .find(Boolean);
    const sector = words.map((word) => /^seek=(\d+)$/.exec(word)?.[1]).find(Boolean);
    if (device !== undefined && sector !== undefined && words.includes("bs=512"))
      return { device, sector: Number(sector) };
  }
  return undefined;
}

/** KEY='value' lines, read as a POSIX shell reads them: anything but assignments of quoted words is an error. */
export function readSettings(text: string): Map<string, string> {
  const settings = new Map<string, string>();
  let rest = text;
  while (rest !== "") {
    const match = /^([A-Z_]+)=((?:'[^']*'|\\')+)\n/.exec(rest);
    if (match === null) throw new Error(`a shell would not take this for a plain setting: ${rest.split("\n")[0]}`);
    settings.set(
      match[1] ?? "",
      (match[2] ?? "").replace(/'([^']*)'|\\'/g, (whole, inner: string | undefined) =>
        whole === "\\'" ? "'" : (inner ?? ""),
      ),
    );
    rest = rest.slice(match[0].length);
  }
  return settings;
}
