const TAG = /^[a-z0-9_][a-z0-9_\-+.]*$/i;
const STORAGE = /^[a-z][a-z0-9\-_.]*[a-z0-9]$/i;
const DNS_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const VOLUME = /^([a-z][a-z0-9\-_.]*[a-z0-9]):(.+)$/i;
const CPU_MODELS =
  /^(host|max|kvm32|kvm64|qemu32|qemu64|x86-64-v[1-4](-AES)?|486|pentium[23]?|core2duo|coreduo|athlon|phenom|cortex-a\d+|neoverse-[nv]\d|a64fx|(Broadwell|Cascadelake-Server|Conroe|Cooperlake|EPYC|GraniteRapids|Haswell|Icelake-(Client|Server)|IvyBridge|KnightsMill|Nehalem|Opteron_G[1-5]|Penryn|SandyBridge|SapphireRapids|SierraForest|Skylake-(Client|Server)|Westmere)(-.*)?)$/;

type Checker = (value: string) => string | undefined;

const matching =
  (pattern: RegExp, message: string): Checker =>
  (value) =>
    pattern.test(value) ? undefined : message;

const list =
  (one: Checker): Checker =>
  (value) => {
    for (const part of splitList(value)) {
      const problem = one(part);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

/** Splits a list parameter as PVE::Tools::split_list does: at commas, semicolons and white space. */
export const splitList = (value: string): string[] => value.split(/[\s,;\0]+/).filter((part) => part !== "");

const storageId: Checker = (value) =>
  STORAGE.test(value) ? undefined : `storage ID '${value}' contains illegal characters`;
const volumeId: Checker = (value) => (VOLUME.test(value) ? undefined : `unable to parse volume ID '${value}'`);
const nodeName = matching(/^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/, "value does not look like a valid node name");
const configId = matching(/^[a-z][a-z0-9_-]+$/i, "invalid configuration ID");
const anything: Checker = () => undefined;

/** Checkers by the names that the API's schema gives; each answers what is wrong, in Proxmox VE's words. */
export const FORMATS: Record<string, Checker> = {
  "pve-vmid": matching(/^[1-9][0-9]{2,8}$/, "value does not look like a valid VM ID"),
  "pve-vmid-list": list(matching(/^[1-9][0-9]{2,8}$/, "value does not look like a valid VM ID")),
  "pve-node": nodeName,
  "pve-node-list": list(nodeName),
  "pve-storage-id": storageId,
  "pve-storage-id-list": list(storageId),
  "storage-pair-list": list((value) => storageId(value.split(":")[0] ?? "")),
  "pve-storage-content": matching(/^(images|rootdir|vztmpl|iso|backup|snippets|import|none)$/, "invalid content type"),
  "pve-storage-content-list": list((value) =>
    /^(images|rootdir|vztmpl|iso|backup|snippets|import|none)$/.test(value)
      ? undefined
      : `invalid content type '${value}'`,
  ),
  "pve-poolid": (value) =>
    /^[A-Za-z0-9.\-_]+(\/[A-Za-z0-9.\-_]+){0,2}$/.test(value)
      ? undefined
      : `pool name '${value}' contains invalid characters`,
  "pve-tag": matching(TAG, "invalid characters in tag"),
  "pve-tag-list": list(matching(TAG, "invalid characters in tag")),
  "pve-configid": configId,
  "pve-configid-list": list((value) =>
    /^[a-z][a-z0-9_-]*$/i.test(value) ? undefined : `invalid configuration ID '${value}'`,
  ),
  "dns-name": matching(DNS_NAME, "value does not look like a valid DNS name"),
  "pve-volume-id": volumeId,
  "pve-volume-id-or-qm-path": (value) =>
    value === "none" || value === "cdrom" || value.startsWith("/") ? undefined : volumeId(value),
  "pve-volume-id-or-absolute-path": (value) => (value.startsWith("/") ? undefined : volumeId(value)),
  "disk-size": matching(/^\d+(\.\d+)?[KMGT]?$/, "value does not look like a valid disk size"),
  "mac-addr": matching(
    /^[a-f0-9][02468ace](:[a-f0-9]{2}){5}$/i,
    "value does not look like a valid unicast MAC address",
  ),
  "pve-bridge-id": matching(/^[-_.\w\d]+$/, "invalid bridge name"),
  "pve-vm-cpu-conf": (value) => {
    const model = value.split(",")[0]?.replace(/^cputype=/, "") ?? "";
    if (model.startsWith("custom-") || CPU_MODELS.test(model)) return undefined;
    return `Built-in cputype '${model}' is not defined (missing 'custom-' prefix?)`;
  },
  "pve-qm-boot": (value) => {
    if (/^[acdn]{1,4}$/.test(value)) return undefined;
    const devices = /^(?:order=)(.*)$/.exec(value)?.[1];
    if (devices === undefined) return "invalid boot order";
    const bad = devices
      .split(/[;\s]+/)
      .find((device) => device !== "" && !/^(ide|sata|scsi|virtio|net|usb|hostpci)\d+$/.test(device));
    return bad === undefined ? undefined : `invalid boot device '${bad}'`;
  },
  "pve-qm-bootdisk": matching(/^(ide|sata|scsi|virtio|efidisk|tpmstate)\d+$/, "invalid boot disk"),
  "pve-qm-ide": (value) => FORMATS["pve-volume-id-or-qm-path"]?.(value.split(",")[0]?.replace(/^file=/, "") ?? ""),
  "pve-qm-smbios1": matching(/^([a-z]+=[^,\s]+)(,[a-z]+=[^,\s]+)*$/i, "unable to parse smbios1 options"),
  "pve-qm-ipconfig": matching(
    /^(ip|ip6|gw|gw6)=[0-9a-fA-F.:/a-z]+(,(ip|ip6|gw|gw6)=[0-9a-fA-F.:/a-z]+)*$/,
    "unable to parse ipconfig options",
  ),
  "pve-startup-order": matching(
    /^(order=)?\d+(,(up|down|order)=\d+)*$|^(up|down)=\d+(,(up|down)=\d+)*$/,
    "unable to parse startup options",
  ),
  "pve-hotplug-features": matching(
    /^([01]|(network|disk|cpu|memory|usb|cloudinit)(,(network|disk|cpu|memory|usb|cloudinit))*)$/,
    "unable to parse hotplug option",
  ),
  "pve-task-status-type-list": list(matching(/^(ok|error|warning|unknown)$/i, "invalid task status")),
  "address-list": list(matching(/^[0-9a-f.:]+$|^[a-z0-9.-]+$/i, "value does not look like a valid address")),
  urlencoded: matching(/^[-%a-zA-Z0-9_.!~*'()]*$/, "not a valid urlencoded string"),
  CIDR: matching(/^[0-9a-f.:]+\/\d+$/i, "value does not look like a valid IP network"),
};

/** What is wrong with a value of this format, or undefined. A format without rules here takes anything. */
export const checkFormat = (format: string, value: string): string | undefined => (FORMATS[format] ?? anything)(value);
