import type { GuestPlayer } from "../guest-contract.ts";
import type { Backend } from "./backend/backend.ts";

export type PveVersion = "8.4.0" | "9.1.0" | "9.2.11";

/** The worker of a task, by the type that its UPID bears. */
export type TaskKind =
  | "download"
  | "imgcopy"
  | "imgdel"
  | "qmcreate"
  | "qmclone"
  | "qmconfig"
  | "qmdestroy"
  | "qmshutdown"
  | "qmstart"
  | "qmstop"
  | "qmtemplate"
  | "resize"
  | "vncproxy";

export interface NodeOptions {
  name: string;
  online?: boolean;
  arch?: "x86_64" | "aarch64";
  bridges?: string[];
}

export interface StorageOptions {
  name: string;
  /** `dir`, `nfs`, `lvmthin`, `zfspool`, `rbd`, … */
  type: string;
  content: string[];
  /** The nodes that have it; all when left out. */
  nodes?: string[];
  shared?: boolean;
  availBytes?: number;
  /** Where a file storage is mounted, as task logs show it. */
  path?: string;
}

export interface UserOptions {
  id: string;
  password?: string;
  enabled?: boolean;
}

export interface TokenOptions {
  /** `user@realm!name` */
  id: string;
  secret: string;
  /** Default true: the token has only what both it and its user have. */
  privilegeSeparated?: boolean;
  /** Seconds since the epoch; 0 is never. */
  expire?: number;
}

export interface AclOptions {
  path: string;
  /** A user or a token. */
  who: string;
  role: string;
  propagate?: boolean;
}

export interface AccessOptions {
  users?: UserOptions[];
  tokens?: TokenOptions[];
  roles?: Record<string, string[]>;
  acl?: AclOptions[];
}

export interface StandInOptions extends AccessOptions {
  version?: PveVersion;
  nodes?: NodeOptions[];
  storages?: StorageOptions[];
  pools?: string[];
  /** The token that `ProxmoxStandIn.token` gives; default `root@pam!kubehenge`. */
  useToken?: string;
  /** How many stand-in milliseconds pass in a real one; default 1. */
  speed?: number;
  /** Stand-in milliseconds before each request is carried out; default 0. */
  latencyMs?: number;
  /** Stand-in milliseconds that a task of this kind takes. */
  taskMs?: Partial<Record<TaskKind, number>>;
  /** How late the statistics in /cluster/resources are at most; default 10 s as pvestatd. 0: never late. */
  resourcesLagMs?: number;
  /** The datacenter's `tag-style`. */
  tagStyle?: { ordering?: "config" | "alphabetical"; caseSensitive?: boolean };
  /** Who plays the guests; by default one that runs and never says anything. */
  guest?: GuestPlayer;
  /** What carries disks and machines out; by default memory and the guest player. */
  backend?: Backend;
  port?: number;
  /** Real milliseconds after which an idle connection is closed; default 5000 as pveproxy. */
  idleMs?: number;
  /** Stand-in milliseconds for which a 401 is held; default 3000 as pveproxy. */
  unauthorizedMs?: number;
  /** Stand-in milliseconds until an agent call gives up; default 3000. */
  agentTimeoutMs?: number;
  /** A file to which each request is appended as a JSON line. */
  transcriptFile?: string;
}

/** Short, so that suites are quick; a test of waiting sets its own. */
export const DEFAULT_TASK_MS: Record<TaskKind, number> = {
  download: 40,
  imgcopy: 20,
  imgdel: 20,
  qmcreate: 60,
  qmclone: 40,
  qmconfig: 20,
  qmdestroy: 30,
  qmshutdown: 20,
  qmstart: 30,
  qmstop: 30,
  qmtemplate: 30,
  resize: 20,
  vncproxy: 0,
};

export const DEFAULT_NODES: NodeOptions[] = [{ name: "pve1" }];

/** A fresh installation whose `local` may hold images to import, and one storage for disks. */
export const DEFAULT_STORAGES: StorageOptions[] = [
  {
    name: "local",
    type: "dir",
    content: ["iso", "import", "vztmpl", "snippets", "backup"],
    path: "/var/lib/vz",
  },
  { name: "shared-storage", type: "dir", content: ["images"], shared: true, path: "/mnt/pve/shared" },
];

export const ROOT_TOKEN: TokenOptions = {
  id: "root@pam!kubehenge",
  secret: "5f1c2a34-90d7-4b7e-8a1d-2f6b1c0e9d4a",
  privilegeSeparated: false,
};
