import * as z from "zod/mini";
import type { Proxmox } from "./client.ts";

// A path's privileges; 1 means that it also holds below the path.
const permissionsSchema = z.record(z.string(), z.record(z.string(), z.coerce.number()));

/** What the token may do, as Proxmox VE itself works it out (a token with privilege separation: only what its user may too). */
export interface Permissions {
  /** Whether a privilege holds at a path, on it or inherited from above it. */
  has(path: string, privilege: string): boolean;
  /** No privilege anywhere: usually a token whose user has rights, but which itself has none. */
  readonly none: boolean;
  /** Paths with privileges of their own. */
  readonly paths: readonly string[];
}

export async function readPermissions(proxmox: Proxmox): Promise<Permissions> {
  return permissionsOf(await proxmox.call({ method: "GET", path: "/access/permissions", schema: permissionsSchema }));
}

export function permissionsOf(listed: Record<string, Record<string, number>>): Permissions {
  return {
    has(path, privilege) {
      const own = listed[path];
      if (own) return privilege in own;
      // A path without an ACL of its own takes what propagates from the nearest one above it that is listed.
      for (let above = parentOf(path); above !== undefined; above = parentOf(above)) {
        const inherited = listed[above];
        if (inherited) return inherited[privilege] === 1;
      }
      return false;
    },
    none: Object.values(listed).every((privileges) => Object.keys(privileges).length === 0),
    paths: Object.keys(listed),
  };
}

function parentOf(path: string): string | undefined {
  if (path === "/") return undefined;
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
