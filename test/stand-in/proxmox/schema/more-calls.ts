import type { MethodSpec, ParameterSpec } from "./schema.ts";

const text: ParameterSpec = { type: "string" };
const optionalText: ParameterSpec = { type: "string", optional: 1 };
const flag: ParameterSpec = { type: "boolean", optional: 1 };
const number: ParameterSpec = { type: "integer", optional: 1, minimum: 0 };
const tokenId: ParameterSpec = { type: "string", pattern: "[A-Za-z][A-Za-z0-9\\.\\-_]+" };
const method = (parameters: Record<string, ParameterSpec>, check?: readonly [string, ...unknown[]]): MethodSpec => ({
  parameters: new Map(Object.entries(parameters)),
  permissions: check ? { check } : { user: "all" },
  onNode: false,
});

/** Calls that the reduced schema does not hold: those below /access of an administrator's set-up, and `POST agent`. */
export const MORE_CALLS: Record<string, Record<string, MethodSpec>> = {
  "/access/users": {
    POST: method(
      {
        userid: { ...text, maxLength: 64 },
        password: { ...optionalText, maxLength: 64 },
        comment: optionalText,
        enable: flag,
        expire: number,
      },
      ["perm", "/access", ["User.Modify"]],
    ),
  },
  "/access/users/{userid}": {
    PUT: method({ userid: text, enable: flag, expire: number, comment: optionalText }, [
      "perm",
      "/access",
      ["User.Modify"],
    ]),
    DELETE: method({ userid: text }, ["perm", "/access", ["User.Modify"]]),
  },
  "/access/users/{userid}/token/{tokenid}": {
    GET: method({ userid: text, tokenid: tokenId }),
    POST: method({ userid: text, tokenid: tokenId, privsep: flag, expire: number, comment: optionalText }, [
      "perm",
      "/access",
      ["User.Modify"],
    ]),
    PUT: method({ userid: text, tokenid: tokenId, privsep: flag, expire: number, comment: optionalText }, [
      "perm",
      "/access",
      ["User.Modify"],
    ]),
    DELETE: method({ userid: text, tokenid: tokenId }, ["perm", "/access", ["User.Modify"]]),
  },
  "/access/roles": {
    GET: method({}),
    POST: method({ roleid: text, privs: optionalText }, ["perm", "/access", ["Sys.Modify"]]),
  },
  "/access/roles/{roleid}": {
    PUT: method({ roleid: text, privs: optionalText, append: flag }, ["perm", "/access", ["Sys.Modify"]]),
    DELETE: method({ roleid: text }, ["perm", "/access", ["Sys.Modify"]]),
  },
  "/access/acl": {
    GET: method({}),
    PUT: method({ path: text, roles: text, users: optionalText, tokens: optionalText, propagate: flag, delete: flag }, [
      "perm",
      "/access",
      ["Permissions.Modify"],
    ]),
  },
  "/nodes/{node}/qemu/{vmid}/termproxy": {
    POST: {
      ...method(
        {
          node: text,
          vmid: { type: "integer", minimum: 100 },
          serial: { ...optionalText, enum: ["serial0", "serial1", "serial2", "serial3"] },
        },
        ["perm", "/vms/{vmid}", ["VM.Console"]],
      ),
      onNode: true,
    },
  },
  "/nodes/{node}/qemu/{vmid}/vncwebsocket": {
    GET: {
      ...method(
        {
          node: text,
          vmid: { type: "integer", minimum: 100 },
          port: { type: "integer", minimum: 5900, maximum: 5999 },
          vncticket: { ...text, maxLength: 512 },
        },
        ["perm", "/vms/{vmid}", ["VM.Console"]],
      ),
      onNode: true,
    },
  },
  "/nodes/{node}/qemu/{vmid}/agent": {
    POST: {
      ...method({ node: text, vmid: { type: "integer", minimum: 100 }, command: text }, [
        "perm",
        "/vms/{vmid}",
        ["VM.GuestAgent.Audit", "VM.GuestAgent.Unrestricted"],
        "any",
        1,
      ]),
      onNode: true,
    },
  },
};
