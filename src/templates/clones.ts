import * as z from "zod/mini";
import { apiPath, type Proxmox } from "../proxmox/client.ts";
import { listStorages } from "../proxmox/storage.ts";
import type { VmConfig } from "../proxmox/vm.ts";

/** What is known of linked clones that hang on a template's disk. */
export type Clones = { known: true; vmids: readonly number[] } | { known: false; why: string };

// These keep the base's name in the clone's own, or tell it as the volume's parent. LVM-thin does neither, and deletes
// a base under its clones without noticing (pve-storage, LvmThinPlugin).
const tellingTypes = new Set(["dir", "nfs", "cifs", "cephfs", "glusterfs", "btrfs", "zfspool", "rbd"]);

/** Looks for linked clones of a template. Needs Datastore.Audit at its storage, without which disks are not listed. */
export async function findClones(proxmox: Proxmox, node: string, vmid: number, config: VmConfig): Promise<Clones> {
  const disk = (config.scsi0 ?? "").split(",")[0] ?? "";
  const name = disk.slice(0, disk.indexOf(":"));
  const base = disk.slice(disk.lastIndexOf("/") + 1).replace(/^.*:/, "");
  const storage = (await listStorages(proxmox, node)).find((one) => one.name === name);
  if (!storage) return { known: false, why: `storage ${name} is not shown to the token ${proxmox.tokenName}` };
  if (!tellingTypes.has(storage.type))
    return { known: false, why: `a storage of type ${storage.type} does not tell which disks are linked clones` };
  const rows = await proxmox.call({
    method: "GET",
    path: apiPath`/nodes/${node}/storage/${name}/content`,
    parameters: { content: "images" },
    schema: z.array(
      z.object({ volid: z.string(), parent: z.nullish(z.string()), vmid: z.optional(z.coerce.number()) }),
    ),
  });
  if (!rows.some(({ volid }) => volid === disk))
    return {
      known: false,
      why: `storage ${name} does not list the template's own disk to the token ${proxmox.tokenName} (Datastore.Audit)`,
    };
  const clones = rows.filter(
    (row) => row.volid !== disk && row.vmid !== vmid && (row.parent?.includes(base) || row.volid.includes(`${base}/`)),
  );
  return { known: true, vmids: [...new Set(clones.flatMap((row) => row.vmid ?? []))] };
}
