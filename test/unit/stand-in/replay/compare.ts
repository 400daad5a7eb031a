/** Fields whose values, not only their types, must be as recorded. */
const SAME_VALUE = new Set(
  "status exitstatus qmpstatus volid format template lock tags name vmid pool type poolid comment errors message username roleid parent shared exited exitcode".split(
    " ",
  ),
);
/** What names an entry of a list. */
const NAMES = ["volid", "storage", "iface", "vmid", "key", "n", "roleid", "id", "ugid", "node", "name"] as const;

/** Lists of what else went on at the recording: one entry is enough to compare the shape. */
const LOOSE_LISTS = /^(tasks-|cluster-tasks|.*tasks-of-vm|acl\.list|boot\.agent-|task-log-while-|nodes$|node-network)/;

/** Optional fields that the schema allows and that the recorded machine did not give. */
const MAY_BE_MORE = new Set([
  "host-arch",
  "cgroup-mode",
  "blockstat",
  "diskread",
  "diskwrite",
  "running-machine",
  "running-qemu",
  "pid",
  "lock",
]);

/** Replaces what differs from run to run: task ids, digests, times, addresses. */
export function normal(text: string): string {
  return text
    .replace(/UPID:(\w+):[0-9A-F]+:[0-9A-F]+:[0-9A-F]+:/g, "UPID:$1:PID:START:TIME:")
    .replace(/[0-9a-f]{64}/gi, (hex) => (/^0+$/.test(hex) ? hex : "SHA256"))
    .replace(/\b[0-9a-f]{40}\b/g, "SHA1")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replace(/pveupload-[0-9a-f]{32}/g, "pveupload-HEX")
    .replace(/BC:24:11(:[0-9A-F]{2}){3}/g, "MAC")
    .replace(/creation-qemu=[\d.]+,ctime=\d+/g, "META")
    .replace(/tmp_dwnl\.\d+/g, "tmp_dwnl.PID")
    .replace(/127\.0\.0\.1:\d{2,5}/g, "127.0.0.1:PORT")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "DATE");
}

const nameOf = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  const key = NAMES.find((name) => name in value);
  return key === undefined ? undefined : `${key}=${normal(String((value as Record<string, unknown>)[key]))}`;
};

/** What differs between a recorded JSON value and ours; empty when keys, types and telling values are the same. */
export function differences(recorded: unknown, ours: unknown, name: string, at = "", strict = false): string[] {
  if (Array.isArray(recorded)) {
    if (!Array.isArray(ours)) return [`${at}: a list was recorded, not ${JSON.stringify(ours)}`];
    return listDifferences(recorded, ours, name, at, strict);
  }
  if (typeof recorded === "object" && recorded !== null) {
    if (typeof ours !== "object" || ours === null)
      return [`${at}: an object was recorded, not ${JSON.stringify(ours)}`];
    return objectDifferences(recorded as Record<string, unknown>, ours as Record<string, unknown>, name, at, strict);
  }
  if (typeof recorded !== typeof ours || (recorded === null) !== (ours === null)) {
    return [`${at}: ${JSON.stringify(recorded)} was recorded, not ${JSON.stringify(ours)}`];
  }
  if (strict && typeof recorded === "string" && normal(recorded) !== normal(String(ours))) {
    return [`${at}: ${JSON.stringify(normal(recorded))} was recorded, not ${JSON.stringify(normal(String(ours)))}`];
  }
  if (strict && typeof recorded === "number" && recorded !== ours)
    return [`${at}: ${recorded} was recorded, not ${String(ours)}`];
  return [];
}

function listDifferences(recorded: unknown[], ours: unknown[], name: string, at: string, strict: boolean): string[] {
  if (LOOSE_LISTS.test(name)) {
    if (recorded.length > 0 && ours.length === 0) return [`${at}: entries were recorded, ours is empty`];
    return recorded.length > 0 ? differences(recorded[0], ours[0], name, `${at}[0]`, false) : [];
  }
  const found: string[] = [];
  if (recorded.length !== ours.length) {
    found.push(
      `${at}: ${recorded.length} entries were recorded (${recorded.map(nameOf).join(" ")}), not ${ours.length} (${ours.map(nameOf).join(" ")})`,
    );
  }
  for (const [index, entry] of recorded.entries()) {
    const entryName = nameOf(entry);
    const match = entryName === undefined ? ours[index] : ours.find((own) => nameOf(own) === entryName);
    if (match === undefined) found.push(`${at}: no entry ${entryName ?? index}`);
    else found.push(...differences(entry, match, name, `${at}[${entryName ?? index}]`, strict));
  }
  return found;
}

function objectDifferences(
  recorded: Record<string, unknown>,
  ours: Record<string, unknown>,
  name: string,
  at: string,
  strict: boolean,
): string[] {
  const found: string[] = [];
  for (const [key, value] of Object.entries(recorded)) {
    // What a guest says of itself is the guest's own.
    const sameValue = strict || (SAME_VALUE.has(key) && !name.startsWith("boot.agent-"));
    if (!(key in ours) && !(value === null && key === "clustername")) found.push(`${at}.${key}: missing`);
    else if (key in ours) found.push(...differences(value, ours[key], name, `${at}.${key}`, sameValue));
  }
  for (const key of Object.keys(ours)) {
    if (!(key in recorded) && !MAY_BE_MORE.has(key)) found.push(`${at}.${key}: was not recorded`);
  }
  return found;
}

/** Lines of wget and of copies tell of the moment; the others must be the same, in the same order. */
const passing = (line: string) => !/^(transferred|--DATE|\s*0K |Length: |DATE |Saving to|Connecting to)/.test(line);

/** What differs between two task logs. */
export function logDifferences(recorded: string[], ours: string[]): string[] {
  const [a, b] = [recorded, ours].map((lines) => lines.map(normal).filter(passing));
  if (!a || !b) return [];
  return a.join("\n") === b.join("\n") ? [] : [`log: recorded\n${a.join("\n")}\nours\n${b.join("\n")}`];
}
