import type { Architecture } from "../distributions/distribution.ts";
import { Failure } from "../failure/failure.ts";
import { readPermissions, type Permissions } from "../proxmox/access.ts";
import type { Proxmox } from "../proxmox/client.ts";
import { listBridges, listNodes, type GuestRow, type NodeRow } from "../proxmox/cluster.ts";
import { grantLines } from "../proxmox/error.ts";
import { poolExists } from "../proxmox/pool.ts";
import { listStorages, listVolumes, type Storage, type Volume } from "../proxmox/storage.ts";
import type { CreateRequest } from "./request.ts";

/** Where a run builds: everything checked that can be before anything is made. */
export interface Place {
  node: string;
  arch: Architecture;
  /** Number of nodes in the cluster. */
  nodes: number;
  disk: Storage;
  importStorage: Storage;
  /** Images that are there already. */
  images: readonly Volume[];
  /** For the seed; absent where no guest boots. */
  iso: Storage | undefined;
  pool: string;
  /** Nothing shows that the pool is there, and the token may make it. */
  poolUnproven: boolean;
  permissions: Permissions;
}

/**
 * Finds and checks the node, storages, bridge and pool of a request.
 * @param boots whether a guest is booted, which needs a bridge and an ISO storage
 * @throws Failure `not-found`, `usage` or `access`, listing what there is to choose from
 */
export async function findPlace(
  proxmox: Proxmox,
  request: CreateRequest,
  guests: readonly GuestRow[],
  boots: boolean,
): Promise<Place> {
  const [permissions, nodes] = await Promise.all([readPermissions(proxmox), listNodes(proxmox)]);
  if (permissions.none) throw noPrivileges(proxmox.tokenName);
  const node = chooseNode(nodes, request.node);
  const isPoolShown = guests.some((row) => row.pool === request.pool);
  const mayMakePool = permissions.has(`/pool/${request.pool}`, "Pool.Allocate");
  const [storages, images, bridges, poolThere] = await Promise.all([
    listStorages(proxmox, node.name),
    listImages(proxmox, node.name, request.importStorage),
    boots ? listBridges(proxmox, node.name) : undefined,
    isPoolShown ? true : mayMakePool ? undefined : poolExists(proxmox, request.pool),
  ]);
  if (bridges) checkBridge(bridges, request.bridge, node.name, permissions, proxmox.tokenName);
  if (poolThere === false) throw missingPool(request.pool, proxmox.tokenName);
  const choose = storageChooser(storages, node.name, permissions, proxmox.tokenName);
  return {
    node: node.name,
    arch: node.arch,
    nodes: nodes.length,
    importStorage: choose.named(request.importStorage, "import", "--import-storage"),
    images,
    disk: request.storage ? choose.named(request.storage, "images", "--storage") : choose.only("images", "--storage"),
    iso: boots
      ? request.isoStorage
        ? choose.named(request.isoStorage, "iso", "--iso-storage")
        : choose.first("iso", "--iso-storage")
      : undefined,
    pool: request.pool,
    poolUnproven: poolThere === undefined,
    permissions,
  };
}

function noPrivileges(tokenName: string): Failure {
  const user = tokenName.split("!")[0] ?? tokenName;
  return new Failure("access", `The token ${tokenName} has no privilege at all`, {
    remedy: [
      `with privilege separation a token has only what both it and ${user} have: give the ACLs to both, or make the token with --privsep 0`,
      `pveum user permissions '${user}'; pveum user token permissions '${user}' '${tokenName.split("!")[1] ?? ""}'`,
      "docs/proxmox-setup.md has all lines to paste",
    ],
  });
}

function chooseNode(nodes: readonly NodeRow[], wanted: string | undefined): NodeRow {
  const names = nodes.map((row) => `${row.name}${row.online ? "" : " (offline)"}`).join(", ");
  if (wanted === undefined) {
    const online = nodes.filter((row) => row.online);
    if (online.length === 1 && online[0]) return online[0];
    throw new Failure("usage", `Several nodes are online, so say on which to build: ${names}`, {
      remedy: ["--node NAME, or the input node"],
    });
  }
  const node = nodes.find((row) => row.name === wanted);
  if (!node)
    throw new Failure("not-found", `There is no node ${wanted} in this cluster`, { remedy: [`nodes: ${names}`] });
  if (!node.online) throw new Failure("failure", `Node ${wanted} is offline`, { remedy: [`nodes: ${names}`] });
  return node;
}

/** Images in the import storage; its absence or wrong content is told by the choice of storages. */
async function listImages(proxmox: Proxmox, node: string, storage: string): Promise<Volume[]> {
  try {
    return await listVolumes(proxmox, node, storage, "import");
  } catch (error) {
    if (error instanceof Failure && (error.kind === "not-found" || error.kind === "access")) return [];
    throw error;
  }
}

function checkBridge(
  bridges: readonly { name: string }[],
  wanted: string,
  node: string,
  permissions: Permissions,
  tokenName: string,
): void {
  if (bridges.some(({ name }) => name === wanted)) return;
  const path = `/sdn/zones/localnetwork/${wanted}`;
  // Bridges that the token may not use are left out of the list, so an absent one may be a missing privilege. That is
  // named later, together with all others.
  if (!permissions.has(path, "SDN.Use") && !permissions.has(path, "SDN.Audit")) return;
  throw new Failure("not-found", `Node ${node} has no bridge ${wanted}`, {
    remedy: [
      bridges.length > 0
        ? `bridges that the token ${tokenName} may use: ${bridges.map(({ name }) => name).join(", ")}`
        : `the token ${tokenName} may use no bridge (SDN.Use)`,
    ],
  });
}

function missingPool(pool: string, tokenName: string): Failure {
  return new Failure(
    "not-found",
    `There is no pool ${pool}, and the token ${tokenName} may not make it (Pool.Allocate at /pool/${pool})`,
    {
      remedy: [
        `pvesh create /pools --poolid ${pool}`,
        ...grantLines(`/pool/${pool}`, ["Pool.Allocate"], tokenName),
        "or name another one with --pool",
      ],
    },
  );
}

function storageChooser(storages: readonly Storage[], node: string, permissions: Permissions, tokenName: string) {
  const holding = (content: string) =>
    storages.filter((storage) => storage.usable && storage.content.includes(content));
  const named = (name: string, content: string, option: string): Storage => {
    const storage = storages.find((one) => one.name === name);
    if (!storage) throw absent(name, option);
    if (!storage.usable)
      throw new Failure("failure", `Storage ${name} is disabled or not reachable on node ${node}`, {
        remedy: [`pvesm status --storage ${name}   # on node ${node}`],
      });
    if (!storage.content.includes(content)) throw withoutContent(storage, content, option);
    return storage;
  };
  const absent = (name: string, option: string): Failure => {
    const path = `/storage/${name}`;
    const visible = permissions.has(path, "Datastore.Audit") || permissions.has(path, "Datastore.AllocateSpace");
    if (!visible) {
      return new Failure(
        "access",
        `Node ${node} shows no storage ${name} (${option}) to the token ${tokenName}: it is not there, or the token lacks Datastore.Audit at ${path}`,
        {
          remedy: [
            `storages that the token sees: ${list(storages)}`,
            `pveum acl modify ${path} --roles PVEDatastoreAdmin --users '${tokenName.split("!")[0]}' --tokens '${tokenName}'`,
          ],
        },
      );
    }
    return new Failure("not-found", `Node ${node} has no storage ${name} (${option})`, {
      remedy: [`storages of the node: ${list(storages)}`],
    });
  };
  const withoutContent = (storage: Storage, content: string, option: string): Failure => {
    const able = content !== "import" || ["dir", "btrfs", "nfs", "cifs", "cephfs"].includes(storage.type);
    const others = holding(content).filter((one) => one.name !== storage.name);
    return new Failure(
      "not-found",
      `Storage ${storage.name} (${option}) does not hold the content type ${content}; it holds ${storage.content.join(", ")}`,
      {
        remedy: [
          able
            ? `pvesm set ${storage.name} --content ${[...storage.content, content].sort().join(",")}`
            : `a storage of type ${storage.type} cannot hold ${content}: take one of type dir, btrfs, nfs, cifs or cephfs`,
          ...(others.length > 0 ? [`${option} ${others[0]?.name}   # holds it: ${list(others)}`] : []),
        ],
      },
    );
  };
  const none = (content: string, option: string): Failure =>
    new Failure("not-found", `Node ${node} has no storage for ${content} that the token ${tokenName} sees`, {
      remedy: [`name one with ${option}; the token sees: ${list(storages)}`],
    });
  return {
    named,
    /** The only one, else the person has to choose. */
    only(content: string, option: string): Storage {
      const able = holding(content);
      if (able.length > 1)
        throw new Failure("usage", `Several storages of node ${node} can hold the disk, so say which: ${list(able)}`, {
          remedy: [`${option} NAME, or the input ${option.slice(2)}`],
        });
      if (!able[0]) throw none(content, option);
      return able[0];
    },
    first(content: string, option: string): Storage {
      const [first] = holding(content);
      if (!first) throw none(content, option);
      return first;
    },
  };
}

function list(storages: readonly Storage[]): string {
  return storages.length === 0
    ? "none"
    : storages
        .map(
          (storage) =>
            `${storage.name} (${storage.type}${storage.shared ? ", shared" : ""}: ${storage.content.join(", ")})`,
        )
        .join("; ");
}
