import type { Clock } from "../clock.ts";
import type { AccessOptions, PveVersion } from "../options.ts";
import { badParameters, died, forbidden } from "../refusal.ts";
import { builtInRoles } from "./privileges.ts";

export interface User {
  id: string;
  password?: string;
  enabled: boolean;
}

export interface Token {
  id: string;
  secret: string;
  privilegeSeparated: boolean;
  expire: number;
  comment?: string;
}

export interface AclEntry {
  path: string;
  who: string;
  role: string;
  propagate: boolean;
}

/** Privileges at a path, each with whether it holds below the path too. */
export type Privileges = Map<string, boolean>;

/** Where pools and their members are asked for. */
export interface PoolLookup {
  poolOfVm(vmid: number): string | undefined;
  poolOfStorage(storage: string): string | undefined;
}

/** Users, tokens, roles and ACLs, and who may do what (Proxmox VE administration guide, "User Management"). */
export class Access {
  readonly users = new Map<string, User>();
  readonly tokens = new Map<string, Token>();
  readonly roles: Map<string, Set<string>>;
  readonly specialRoles: ReadonlySet<string>;
  acl: AclEntry[] = [];
  readonly #clock: Clock;
  readonly #pools: PoolLookup;

  constructor(version: PveVersion, clock: Clock, pools: PoolLookup, options: AccessOptions) {
    this.#clock = clock;
    this.#pools = pools;
    this.roles = builtInRoles(version);
    this.specialRoles = new Set(this.roles.keys());
    this.users.set("root@pam", { id: "root@pam", enabled: true });
    for (const [role, privileges] of Object.entries(options.roles ?? {})) this.setRole(role, privileges);
    for (const { id, password, enabled } of options.users ?? []) {
      this.users.set(id, { id, enabled: enabled ?? true, ...(password === undefined ? {} : { password }) });
    }
    for (const token of options.tokens ?? []) {
      this.tokens.set(token.id, { expire: 0, privilegeSeparated: true, ...token });
      const user = userOf(token.id);
      if (!this.users.has(user)) this.users.set(user, { id: user, enabled: true });
    }
    for (const entry of options.acl ?? []) this.acl.push({ propagate: true, ...entry });
  }

  setRole(role: string, privileges: readonly string[]): void {
    const known = this.knownPrivileges();
    const unknown = privileges.find((privilege) => !known.has(privilege));
    if (unknown !== undefined) throw badParameters({ privs: `invalid format - invalid privilege '${unknown}'\n` });
    this.roles.set(role, new Set(privileges));
  }

  knownPrivileges(): ReadonlySet<string> {
    return this.roles.get("Administrator") ?? new Set();
  }

  /** True when this user or token may sign in now. */
  isActive(who: string): boolean {
    const user = this.users.get(userOf(who));
    if (!user?.enabled) return false;
    if (!who.includes("!")) return true;
    const token = this.tokens.get(who);
    return token !== undefined && (token.expire === 0 || token.expire > this.#clock.seconds());
  }

  /** What a user or token has at a path; a privilege-separated token has what both it and its user have. */
  privileges(who: string, path: string): Privileges {
    const token = this.tokens.get(who);
    if (!token) return this.#ownPrivileges(who, path);
    const ofUser = this.#ownPrivileges(userOf(who), path);
    if (!token.privilegeSeparated) return ofUser;
    const ofToken = this.#ownPrivileges(who, path);
    const both: Privileges = new Map();
    for (const [privilege, propagate] of ofToken) {
      const byUser = ofUser.get(privilege);
      if (byUser !== undefined) both.set(privilege, propagate && byUser);
    }
    return both;
  }

  #ownPrivileges(who: string, path: string): Privileges {
    const privileges: Privileges = new Map();
    const roles = who === "root@pam" ? new Map([["Administrator", true]]) : this.#rolesWithPool(who, path);
    for (const [role, propagate] of roles) {
      for (const privilege of this.roles.get(role) ?? []) {
        privileges.set(privilege, propagate || (privileges.get(privilege) ?? false));
      }
    }
    return privileges;
  }

  /** Roles at the path itself, and those at the pool that the VM or storage is in. */
  #rolesWithPool(who: string, path: string): Map<string, boolean> {
    const roles = new Map(this.#rolesAt(who, path));
    const vmid = /^\/vms\/(\d+)$/.exec(path)?.[1];
    const storage = /^\/storage\/([^/]+)$/.exec(path)?.[1];
    const pool =
      vmid === undefined
        ? storage === undefined
          ? undefined
          : this.#pools.poolOfStorage(storage)
        : this.#pools.poolOfVm(Number(vmid));
    if (pool === undefined || roles.has("NoAccess")) return roles;
    for (const [role, propagate] of this.#rolesAt(who, `/pool/${pool}`)) roles.set(role, propagate);
    return roles;
  }

  /** Walks from `/` to the path: entries at a deeper level take the place of those inherited. */
  #rolesAt(who: string, path: string): Map<string, boolean> {
    let roles = new Map<string, boolean>();
    const parts = path.split("/").filter((part) => part !== "");
    for (let depth = 0; depth <= parts.length; depth++) {
      const level = `/${parts.slice(0, depth).join("/")}`;
      const final = depth === parts.length;
      const here = this.acl.filter((entry) => entry.who === who && entry.path === level && (final || entry.propagate));
      if (here.length > 0) roles = new Map(here.map((entry) => [entry.role, entry.propagate]));
    }
    return roles.has("NoAccess") ? new Map([["NoAccess", true]]) : roles;
  }

  has(who: string, path: string, privilege: string): boolean {
    return this.privileges(who, path).has(privilege);
  }

  hasAny(who: string, path: string, privileges: readonly string[]): boolean {
    const held = this.privileges(who, path);
    return privileges.some((privilege) => held.has(privilege));
  }

  /** Throws 403 naming the first privilege that is missing at the path. */
  check(who: string, path: string, privileges: readonly string[]): void {
    const held = this.privileges(who, path);
    const missing = privileges.find((privilege) => !held.has(privilege));
    if (missing !== undefined) throw forbidden(`${path}, ${missing}`);
  }

  /** Throws 403 naming all of them when none is held at the path. */
  checkAny(who: string, path: string, privileges: readonly string[]): void {
    if (!this.hasAny(who, path, privileges)) throw forbidden(`${path}, ${privileges.join("|")}`);
  }

  /** A VM's privileges may come from the pool it is going to be in; the refusal names /vms/VMID all the same. */
  checkVm(who: string, vmid: number, pool: string | undefined, privileges: readonly string[], any = false): void {
    if (pool !== undefined) {
      const held = this.privileges(who, `/pool/${pool}`);
      if (any ? privileges.some((p) => held.has(p)) : privileges.every((p) => held.has(p))) return;
    }
    if (any) this.checkAny(who, `/vms/${vmid}`, privileges);
    else this.check(who, `/vms/${vmid}`, privileges);
  }

  /** Adds or removes one ACL entry. */
  modifyAcl(path: string, who: string, role: string, propagate: boolean, remove: boolean): void {
    if (!this.roles.has(role)) throw died(`role '${role}' does not exist`);
    if (who.includes("!") ? !this.tokens.has(who) : !this.users.has(who)) throw died(`user '${who}' does not exist`);
    this.acl = this.acl.filter((entry) => !(entry.path === path && entry.who === who && entry.role === role));
    if (!remove) this.acl.push({ path, who, role, propagate });
  }

  /** Drops every ACL entry at a path. */
  dropAcl(path: string): void {
    this.acl = this.acl.filter((entry) => entry.path !== path);
  }
}

/** `user@realm` of a user or token. */
export const userOf = (who: string): string => who.split("!")[0] ?? who;
