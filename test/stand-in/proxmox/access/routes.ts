import { randomUUID } from "node:crypto";
import type { Call, Routes } from "../call.ts";
import { badParameters, died, forbidden, Refusal } from "../refusal.ts";
import { splitList } from "../schema/formats.ts";
import type { Access } from "./access.ts";
import { userOf } from "./access.ts";

/** Paths that /access/permissions always looks at, besides those in ACLs and pools. */
const BASE_PATHS = ["/", "/access", "/access/groups", "/nodes", "/pool", "/sdn", "/storage", "/vms"];

const CAPABILITIES: Record<string, [path: string, pattern: RegExp]> = {
  vms: ["/vms", /^(VM\.|Permissions\.Modify$)/],
  storage: ["/storage", /^(Datastore\.|Permissions\.Modify$)/],
  access: ["/access", /^(User\.|Group\.|Permissions\.Modify$)/],
  nodes: ["/nodes", /^(Sys\.|Permissions\.Modify$)/],
  dc: ["/", /^(Sys\.(Audit|Modify)|SDN\.)/],
  sdn: ["/sdn", /^(SDN\.|Permissions\.Modify$)/],
  mapping: ["/mapping", /^(Mapping\.|Permissions\.Modify$)/],
};

function permissions({ world, who, params }: Call): Record<string, Record<string, 0 | 1>> {
  const { access } = world;
  const asked = params.get("userid") ?? who;
  if (asked !== who && userOf(asked) !== who && !access.has(who, "/access", "Sys.Audit")) {
    throw forbidden("/access, Sys.Audit");
  }
  const path = params.get("path");
  const paths =
    path === undefined
      ? [
          ...BASE_PATHS,
          ...access.acl.map((entry) => entry.path),
          ...[...world.pools.values()].flatMap((pool) => [...pool.vms].map((vmid) => `/vms/${vmid}`)),
        ]
      : [path];
  const result: Record<string, Record<string, 0 | 1>> = {};
  for (const each of new Set(paths)) {
    const held = access.privileges(asked, each);
    // The number says whether the privilege holds below the path too.
    if (held.size > 0)
      result[each] = Object.fromEntries([...held].map(([name, propagate]) => [name, propagate ? 1 : 0]));
  }
  return result;
}

function ticket({ world, params }: Call): unknown {
  const username = params.need("username");
  const full = username.includes("@") ? username : `${username}@${params.get("realm") ?? "pam"}`;
  const issued = world.signIn.issue(full, params.need("password"));
  const cap = Object.fromEntries(
    Object.entries(CAPABILITIES).map(([name, [path, pattern]]) => [
      name,
      Object.fromEntries(
        [...world.access.privileges(full, path).keys()].filter((p) => pattern.test(p)).map((p) => [p, 1]),
      ),
    ]),
  );
  return { ...issued, cap };
}

function createUser({ world, params }: Call): void {
  const id = params.need("userid");
  if (world.access.users.has(id)) throw died(`create user failed: user '${id}' already exists`);
  const password = params.get("password");
  const enabled = params.get("enable") === undefined || params.flag("enable");
  world.access.users.set(id, { id, enabled, ...(password === undefined ? {} : { password }) });
}

function userOfCall(access: Access, { params }: Call) {
  const user = access.users.get(params.need("userid"));
  if (!user) throw died(`no such user ('${params.need("userid")}')`);
  return user;
}

function deleteUser(call: Call): void {
  const { access } = call.world;
  const { id } = userOfCall(access, call);
  access.users.delete(id);
  for (const token of access.tokens.keys()) if (userOf(token) === id) access.tokens.delete(token);
  access.acl = access.acl.filter((entry) => userOf(entry.who) !== id);
}

const tokenOf = ({ params }: Call) => `${params.need("userid")}!${params.need("tokenid")}`;

function checkOwnToken(call: Call): void {
  const { world, who, params } = call;
  if (who !== params.need("userid") && !world.access.has(who, "/access", "User.Modify")) throw forbidden();
}

function existingToken(call: Call) {
  const token = call.world.access.tokens.get(tokenOf(call));
  if (!token)
    throw new Refusal(500, `no such token '${call.params.need("tokenid")}' for user '${call.params.need("userid")}'`);
  return token;
}

function createToken(call: Call): unknown {
  const { access } = call.world;
  userOfCall(access, call);
  const id = tokenOf(call);
  if (access.tokens.has(id)) throw badParameters({ tokenid: "Token already exists." });
  const secret = randomUUID();
  const privilegeSeparated = call.params.get("privsep") === undefined || call.params.flag("privsep");
  const comment = call.params.get("comment");
  access.tokens.set(id, {
    id,
    secret,
    privilegeSeparated,
    expire: call.params.int("expire") ?? 0,
    ...(comment === undefined ? {} : { comment }),
  });
  const info = { privsep: privilegeSeparated ? "1" : "0", ...(comment === undefined ? {} : { comment }) };
  return { "full-tokenid": id, info, value: secret };
}

function deleteToken(call: Call): void {
  const token = existingToken(call);
  call.world.access.tokens.delete(token.id);
  call.world.access.acl = call.world.access.acl.filter((entry) => entry.who !== token.id);
}

function createRole({ world, params }: Call): void {
  const role = params.need("roleid");
  if (world.access.roles.has(role)) throw died(`create role failed: role '${role}' already exists`);
  world.access.setRole(role, splitList(params.get("privs") ?? ""));
}

function updateRole({ world, params }: Call): void {
  const role = params.need("roleid");
  const held = world.access.roles.get(role);
  if (!held) throw died(`modify role failed: role '${role}' does not exist`);
  const privileges = splitList(params.get("privs") ?? "");
  world.access.setRole(role, params.flag("append") ? [...held, ...privileges] : privileges);
}

function updateAcl({ world, params }: Call): void {
  const propagate = params.get("propagate") === undefined || params.flag("propagate");
  const who = [...splitList(params.get("users") ?? ""), ...splitList(params.get("tokens") ?? "")];
  if (who.length === 0) throw badParameters({ path: "either 'users', 'groups' or 'tokens' is required." });
  for (const role of splitList(params.need("roles"))) {
    for (const each of who) world.access.modifyAcl(params.need("path"), each, role, propagate, params.flag("delete"));
  }
}

export const accessRoutes: Routes = {
  "GET /access/permissions": permissions,
  "POST /access/ticket": ticket,
  "GET /access/roles": ({ world }) =>
    [...world.access.roles].map(([roleid, privileges]) => ({
      roleid,
      privs: [...privileges].sort().join(","),
      ...(world.access.specialRoles.has(roleid) ? { special: 1 } : {}),
    })),
  "POST /access/roles": createRole,
  "PUT /access/roles/{roleid}": updateRole,
  "DELETE /access/roles/{roleid}": ({ world, params }) => void world.access.roles.delete(params.need("roleid")),
  "POST /access/users": createUser,
  "PUT /access/users/{userid}": (call) => {
    const user = userOfCall(call.world.access, call);
    if (call.params.get("enable") !== undefined) user.enabled = call.params.flag("enable");
  },
  "DELETE /access/users/{userid}": deleteUser,
  "GET /access/users/{userid}/token/{tokenid}": (call) => {
    checkOwnToken(call);
    const { privilegeSeparated, expire } = existingToken(call);
    return { privsep: privilegeSeparated ? 1 : 0, expire };
  },
  "POST /access/users/{userid}/token/{tokenid}": createToken,
  "PUT /access/users/{userid}/token/{tokenid}": (call) => {
    const token = existingToken(call);
    token.expire = call.params.int("expire") ?? token.expire;
    if (call.params.get("privsep") !== undefined) token.privilegeSeparated = call.params.flag("privsep");
    return { privsep: token.privilegeSeparated ? 1 : 0, expire: token.expire };
  },
  "DELETE /access/users/{userid}/token/{tokenid}": deleteToken,
  "GET /access/acl": ({ world, who }) =>
    world.access.acl
      .filter(
        (entry) =>
          world.access.hasAny(who, entry.path, ["Permissions.Modify"]) || world.access.has(who, "/access", "Sys.Audit"),
      )
      .map(({ path, who: ugid, role: roleid, propagate }) => ({
        path,
        ugid,
        roleid,
        type: ugid.includes("!") ? "token" : "user",
        propagate: propagate ? 1 : 0,
      })),
  "PUT /access/acl": updateAcl,
};
