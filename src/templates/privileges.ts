import { Failure } from "../failure/failure.ts";
import type { Permissions } from "../proxmox/access.ts";
import { grantLines } from "../proxmox/error.ts";

/** A privilege that a run needs, where, and for what. Any one of `anyOf` will do. */
export interface Need {
  path: string;
  anyOf: readonly string[];
  /** Another path where it would serve as well, e.g. `/vms` for what is asked for at the pool. */
  orAt?: string;
  why: string;
}

export interface NeedInput {
  node: string;
  pool: string;
  diskStorage: string;
  importStorage: string;
  /** Only where a guest boots. */
  isoStorage: string | undefined;
  bridge: string | undefined;
  vlan: number | undefined;
  /** The image is not there yet. */
  downloads: boolean;
  /** A clone is booted as the template's proof. */
  smokeTest: boolean;
}

/** The least a token needs for one build, as found by taking privileges away one by one on PVE 9.2. */
export function buildNeeds(input: NeedInput): Need[] {
  const pool = `/pool/${input.pool}`;
  const onPool = (privilege: string, why: string): Need => ({ path: pool, anyOf: [privilege], orAt: "/vms", why });
  const importPath = `/storage/${input.importStorage}`;
  const needs: Need[] = [
    onPool("VM.Allocate", "to create, convert and remove VMs"),
    onPool("VM.Audit", "to see VMs and templates"),
    onPool("VM.Config.CPU", "to set the VM's CPU"),
    onPool("VM.Config.Disk", "to set disks and the boot order"),
    onPool("VM.Config.HWType", "to set the disk controller and the serial port"),
    onPool("VM.Config.Memory", "to set the VM's memory"),
    onPool("VM.Config.Options", "to set name, tags, notes and the guest agent"),
    { path: `/storage/${input.diskStorage}`, anyOf: ["Datastore.AllocateSpace"], why: "to make the VM's disk" },
    {
      path: importPath,
      anyOf: ["Datastore.Audit", "Datastore.AllocateSpace"],
      why: "to see images and import from them",
    },
  ];
  if (input.downloads) {
    needs.push(
      { path: `/nodes/${input.node}`, anyOf: ["Sys.AccessNetwork"], why: "to have the node download the image" },
      { path: importPath, anyOf: ["Datastore.AllocateTemplate"], why: "to download the image" },
      { path: importPath, anyOf: ["Datastore.Allocate"], why: "to remove the image afterwards" },
    );
  }
  if (input.smokeTest) {
    needs.push(onPool("VM.Clone", "to boot a clone of the template as its proof (smoke-test)"));
    if (input.isoStorage === undefined)
      needs.push(
        onPool("VM.Console", "to read the clone's serial console (smoke-test)"),
        onPool("VM.PowerMgmt", "to start the clone and switch it off (smoke-test)"),
      );
  }
  if (input.isoStorage !== undefined) {
    const isoPath = `/storage/${input.isoStorage}`;
    needs.push(
      { path: isoPath, anyOf: ["Datastore.AllocateTemplate"], why: "to upload the seed ISO" },
      { path: isoPath, anyOf: ["Datastore.Audit", "Datastore.AllocateSpace"], why: "to attach the seed ISO" },
      { path: isoPath, anyOf: ["Datastore.Allocate"], why: "to remove the seed ISO afterwards" },
      onPool("VM.Config.CDROM", "to take the seed ISO out of the template"),
      onPool("VM.Config.Network", "to give the build VM its network card and take it away"),
      onPool("VM.PowerMgmt", "to start the build VM and switch it off"),
    );
  }
  if (input.bridge !== undefined) {
    const bridge = `/sdn/zones/localnetwork/${input.bridge}`;
    needs.push({
      path: input.vlan === undefined ? bridge : `${bridge}/${input.vlan}`,
      anyOf: ["SDN.Use"],
      why: "to use the bridge",
    });
  }
  return needs;
}

/**
 * Names every missing privilege at once, with the lines that grant it.
 * @throws Failure `access`
 */
export function checkNeeds(permissions: Permissions, needs: readonly Need[], tokenName: string): void {
  const missing = needs.filter((need) => !holds(permissions, need));
  if (missing.length === 0) return;
  const byPath = new Map<string, string[]>();
  for (const { path, anyOf } of missing) byPath.set(path, [...(byPath.get(path) ?? []), anyOf[0] ?? ""]);
  const list = missing.map(({ path, anyOf, why }) => `${anyOf.join(" or ")} at ${path} (${why})`).join("; ");
  const user = tokenName.split("!")[0];
  throw new Failure("access", `The token ${tokenName} lacks ${list}`, {
    remedy: [
      ...(permissions.none
        ? [
            `the token has no privilege at all: with privilege separation it needs its own ACLs beside those of ${user}, or make it with --privsep 0`,
          ]
        : []),
      ...[...byPath].flatMap(([path, privileges]) => grantLines(path, [...new Set(privileges)], tokenName)),
    ],
  });
}

function holds(permissions: Permissions, need: Need): boolean {
  const paths = need.orAt ? [need.path, need.orAt] : [need.path];
  if (paths.some((path) => need.anyOf.some((privilege) => permissions.has(path, privilege)))) return true;
  // PVE accepts these two at / in place of Sys.AccessNetwork at the node.
  return (
    need.anyOf.includes("Sys.AccessNetwork") && permissions.has("/", "Sys.Audit") && permissions.has("/", "Sys.Modify")
  );
}
