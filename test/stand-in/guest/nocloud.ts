import { parseDocument } from "yaml";
import * as z from "zod";
import type { GuestHardware } from "../guest-contract.ts";
import { readIso } from "./iso-reader.ts";
import { unpacked } from "./seed-text.ts";

const command = z.union([z.string(), z.array(z.string())]);

const cloudConfig = z.object({
  users: z.array(z.unknown()).optional(),
  bootcmd: z.array(command).default([]),
  write_files: z
    .array(
      z.object({
        path: z.string().startsWith("/"),
        content: z.string().default(""),
        permissions: z.string().optional(),
      }),
    )
    .default([]),
  runcmd: z.array(command).default([]),
});

const metaData = z.object({
  "instance-id": z.string().min(1),
  "local-hostname": z.string().optional(),
  hostname: z.string().optional(),
});

const networkVersion2 = z.object({
  version: z.literal(2),
  ethernets: z.record(
    z.string(),
    z.object({
      match: z.object({ macaddress: z.string() }).optional(),
      dhcp4: z.boolean().optional(),
      addresses: z.array(z.string()).optional(),
      routes: z.array(z.object({ to: z.string(), via: z.string() })).optional(),
      nameservers: z.object({ addresses: z.array(z.string()) }).optional(),
    }),
  ),
});
const networkConfig = z.union([
  z.object({ network: networkVersion2 }).transform(({ network }) => network),
  networkVersion2,
]);

export type CloudConfig = z.infer<typeof cloudConfig>;
export type NetworkConfig = z.infer<typeof networkVersion2>;

/** A seed as cloud-init's NoCloud datasource takes it up. */
export interface Seed {
  /** The drive it was found in. */
  device: string;
  instanceId: string;
  hostname: string | undefined;
  /** undefined: cloud-init found the seed and could make nothing of its user-data. */
  config: CloudConfig | undefined;
  network: NetworkConfig | undefined;
}

/**
 * Looks through the drives as DataSourceNoCloud does: label `cidata` or `CIDATA`, devices in reverse order, user-data and
 * meta-data both there, the first that is whole wins.
 * @param onRead told of every medium that was read through
 */
export function findSeed(hardware: GuestHardware, onRead: (device: string, bytes: number) => void): Seed | undefined {
  const drives = hardware.cdroms.toSorted((a, b) => b.device.localeCompare(a.device));
  for (const drive of drives) {
    const image = drive.read();
    const volume = readIso(image);
    if (volume === undefined || !["cidata", "CIDATA"].includes(volume.label)) continue;
    onRead(drive.device, image.length);
    const text = (name: string): string | undefined => {
      const bytes = volume.files.get(name);
      return bytes && new TextDecoder().decode(bytes);
    };
    const userData = volume.files.get("user-data");
    const meta = metaData.safeParse(yaml(text("meta-data") ?? ""));
    if (userData === undefined || !meta.success) continue;
    const network = networkConfig.safeParse(yaml(text("network-config") ?? ""));
    return {
      device: drive.device,
      instanceId: meta.data["instance-id"],
      hostname: meta.data["local-hostname"] ?? meta.data.hostname,
      config: readUserData(unpacked(userData)),
      network: network.success ? network.data : undefined,
    };
  }
  return undefined;
}

function readUserData(text: string): CloudConfig | undefined {
  if (text.trim() === "") return cloudConfig.parse({});
  const lines = text.split("\n");
  if (/^##\s*template:\s*jinja/.test(lines[0] ?? "")) lines.shift();
  if (lines[0]?.trim() !== "#cloud-config") return undefined;
  const parsed = cloudConfig.safeParse(yaml(lines.join("\n")) ?? {});
  return parsed.success ? parsed.data : undefined;
}

/** As PyYAML reads it: YAML 1.1. undefined for what is no YAML. */
function yaml(text: string): unknown {
  const document = parseDocument(text, { version: "1.1", uniqueKeys: true });
  return document.errors.length > 0 ? undefined : document.toJS();
}
