import { forbidden, Refusal } from "../refusal.ts";
import type { Access } from "./access.ts";

/** A permission as the API's schema writes it: `["perm", path, privileges, …options]`, `["and", …]`, `["or", …]`. */
export type Check = readonly [string, ...unknown[]];

export interface PermissionSpec {
  user?: "all" | "world";
  check?: Check;
}

/** Throws 403 unless the check holds for this user or token, with the request's parameters put into its paths. */
export function checkPermission(access: Access, who: string, check: Check, params: Record<string, unknown>): void {
  const [kind, ...rest] = check;
  if (kind === "and") {
    for (const part of rest) checkPermission(access, who, part as Check, params);
    return;
  }
  if (kind === "or") {
    if (rest.some((part) => holds(access, who, part as Check, params))) return;
    throw forbidden();
  }
  if (kind !== "perm") throw new Error(`the schema has a permission check of an unknown kind: ${kind}`);
  checkPath(access, who, rest, params);
}

const text = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");

function checkPath(access: Access, who: string, rest: unknown[], params: Record<string, unknown>): void {
  const [template, privileges, ...options] = rest as [string, string[], ...unknown[]];
  const required = options[options.indexOf("require_param") + 1];
  if (options.includes("require_param") && params[String(required)] === undefined) throw forbidden();
  const any = options.includes("any");
  const filled = template.replace(/\{([^}]+)\}/g, (_, name: string) => text(params[name]));
  // A path that is none is checked as the empty one, which nobody holds, root neither.
  const path = /^\/$|^(\/[A-Za-z0-9._-]+)+\/?$/.test(filled) ? filled : "";
  if (path === "") throw forbidden(`, ${privileges.join("|")}`);
  if (any) access.checkAny(who, path, privileges);
  else access.check(who, path, privileges);
}

function holds(access: Access, who: string, check: Check, params: Record<string, unknown>): boolean {
  try {
    checkPermission(access, who, check, params);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return false;
    throw error;
  }
}
