import { randomUUID } from "node:crypto";
import type { AccessOptions, PveVersion } from "./options.ts";

export interface LeastPrivilegeOptions {
  pool: string;
  node?: string;
  importStorage?: string;
  isoStorage?: string;
  diskStorage?: string;
  bridge?: string;
  vlan?: number;
  version?: PveVersion;
  /** Privileges to leave out, as `PATH PRIVILEGE`, or just `PRIVILEGE` for wherever it is. */
  without?: readonly string[];
  user?: string;
  /** With what booting a clone of a template needs, too. */
  smokeTest?: boolean;
}

/**
 * The smallest set of rights with which templates can be made in a pool (privileges.md, section A, with
 * VM.Config.Options at the pool): for a privilege-separated token and its user alike, since the token has only what
 * both have. Spread it into the stand-in's options.
 */
export function leastPrivileges(options: LeastPrivilegeOptions): AccessOptions & { useToken: string } {
  const user = options.user ?? "auto@pve";
  const token = `${user}!kubehenge`;
  const { pool, node = "pve1", importStorage = "local", diskStorage = "shared-storage", bridge = "vmbr0" } = options;
  const network = `/sdn/zones/localnetwork/${bridge}${options.vlan === undefined ? "" : `/${options.vlan}`}`;
  const agent = options.version?.startsWith("8.") ? "VM.Monitor" : "VM.GuestAgent.Audit";
  const fileStorage = ["Datastore.Allocate", "Datastore.AllocateTemplate", "Datastore.Audit"];
  const wanted: [path: string, privileges: string[]][] = [
    [`/nodes/${node}`, ["Sys.AccessNetwork"]],
    [`/storage/${importStorage}`, fileStorage],
    [`/storage/${options.isoStorage ?? importStorage}`, fileStorage],
    [`/storage/${diskStorage}`, ["Datastore.AllocateSpace", "Datastore.Audit"]],
    [network, ["SDN.Use"]],
    [
      `/pool/${pool}`,
      `Pool.Allocate Pool.Audit VM.Allocate VM.Audit VM.Config.CDROM VM.Config.CPU VM.Config.Disk VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options ${agent} VM.PowerMgmt${options.smokeTest ? " VM.Clone VM.Console" : ""}`.split(
        " ",
      ),
    ],
  ];
  // One storage may serve for several things.
  const byPath = new Map<string, Set<string>>();
  for (const [path, privileges] of wanted) byPath.set(path, new Set([...(byPath.get(path) ?? []), ...privileges]));
  const roles: Record<string, string[]> = {};
  const acl: NonNullable<AccessOptions["acl"]> = [];
  for (const [path, privileges] of byPath) {
    const role = `Kubehenge${path.replace(/\W+/g, "-")}`;
    roles[role] = [...privileges].filter((p) => !options.without?.some((out) => out === p || out === `${path} ${p}`));
    for (const who of [user, token]) acl.push({ path, who, role });
  }
  return {
    users: [{ id: user }],
    tokens: [{ id: token, secret: randomUUID() }],
    roles,
    acl,
    useToken: token,
  };
}
