import assert from "node:assert/strict";
import { test } from "node:test";
import type { PveVersion, StandInOptions } from "../../stand-in/proxmox/index.ts";
import { send } from "./session/client.ts";
import { Session, succeeded } from "./session/session.ts";

const SECRET = "11111111-2222-3333-4444-555555555555";
const withToken = (acl: StandInOptions["acl"], roles: Record<string, string[]> = {}): StandInOptions => ({
  users: [{ id: "a@pve" }],
  tokens: [{ id: "a@pve!tok", secret: SECRET }],
  roles,
  acl: acl ?? [],
  useToken: "a@pve!tok",
});

test("a privilege-separated token has only what both it and its user have", async () => {
  const roles = { Both: ["VM.Audit"], Wide: ["VM.Audit", "VM.PowerMgmt"] };
  const acl = [
    { path: "/", who: "a@pve!tok", role: "Wide" },
    { path: "/vms", who: "a@pve", role: "Both" },
  ];
  await using pve = await Session.start(withToken(acl, roles));
  assert.deepEqual(await pve.get("/access/permissions"), { "/vms": { "VM.Audit": 1 } });
  // And the other way round: the user has more.
  pve.state.access.modifyAcl("/vms", "a@pve", "Wide", true, false);
  pve.state.access.modifyAcl("/vms", "a@pve!tok", "Both", true, false);
  assert.deepEqual(await pve.get("/access/permissions"), { "/vms": { "VM.Audit": 1 } });
  const token = pve.state.access.tokens.get("a@pve!tok");
  assert.ok(token);
  token.privilegeSeparated = false;
  assert.deepEqual(await pve.get("/access/permissions"), { "/vms": { "VM.Audit": 1, "VM.PowerMgmt": 1 } });
});

test("an entry at a deeper path takes the place of those above it", async () => {
  const roles = { Upper: ["VM.Audit", "VM.PowerMgmt"], Lower: ["VM.Console"] };
  const acl = ["a@pve", "a@pve!tok"].flatMap((who) => [
    { path: "/vms", who, role: "Upper" },
    { path: "/vms/100", who, role: "Lower" },
  ]);
  await using pve = await Session.start(withToken(acl, roles));
  assert.deepEqual(await pve.get("/access/permissions", { path: "/vms/100" }), { "/vms/100": { "VM.Console": 1 } });
  assert.deepEqual(await pve.get("/access/permissions", { path: "/vms/101" }), {
    "/vms/101": { "VM.Audit": 1, "VM.PowerMgmt": 1 },
  });
});

test("an entry that does not propagate holds at its own path only, and reads 0", async () => {
  const acl = ["a@pve", "a@pve!tok"].map((who) => ({ path: "/", who, role: "PVEAuditor", propagate: false }));
  await using pve = await Session.start(withToken(acl));
  const permissions = (await pve.get("/access/permissions")) as Record<string, Record<string, number>>;
  assert.deepEqual(Object.keys(permissions), ["/"]);
  assert.equal(permissions["/"]?.["Sys.Audit"], 0);
  assert.equal((await pve.ask("GET", "/cluster/status")).status, 200);
  assert.equal((await pve.ask("GET", "/nodes/pve1/status")).status, 403);
});

test("a pool's grants hold for the VMs in it", async () => {
  const acl = ["a@pve", "a@pve!tok"].map((who) => ({ path: "/pool/p", who, role: "PVEVMAdmin" }));
  await using pve = await Session.start({ ...withToken(acl), pools: ["p"] });
  pve.state.addVm({ vmid: 100, pool: "p" });
  pve.state.addVm({ vmid: 101 });
  const rows = (await pve.get("/cluster/resources", { type: "vm" })) as { vmid: number }[];
  assert.deepEqual(
    rows.map(({ vmid }) => vmid),
    [100],
  );
  assert.equal(
    (await pve.ask("GET", "/nodes/pve1/qemu/101/config")).reason,
    "Permission check failed (/vms/101, VM.Audit)",
  );
});

test("lists are shortened, not refused, for who may see less", async () => {
  await using pve = await Session.start({ ...withToken([]), pools: ["p"] });
  pve.state.addVm({ vmid: 100, pool: "p" });
  for (const path of [
    "/nodes/pve1/storage",
    "/storage",
    "/nodes/pve1/qemu",
    "/pools",
    "/nodes/pve1/tasks",
    "/cluster/tasks",
  ]) {
    assert.deepEqual(await pve.get(path), [], path);
  }
  assert.deepEqual(await pve.get("/nodes/pve1/network", { type: "any_bridge" }), []);
  assert.deepEqual(await pve.get("/cluster/resources", { type: "vm" }), []);
  const [node] = (await pve.get("/nodes")) as Record<string, unknown>[];
  assert.equal(node?.["maxmem"], undefined);
});

test("disabled users, expired and removed tokens are 401", async () => {
  const acl = [{ path: "/", who: "a@pve", role: "PVEAuditor" }];
  await using pve = await Session.start(withToken(acl));
  const status = async () => (await pve.ask("GET", "/version")).status;
  assert.equal(await status(), 200);
  const user = pve.state.access.users.get("a@pve");
  const token = pve.state.access.tokens.get("a@pve!tok");
  assert.ok(user && token);
  user.enabled = false;
  assert.equal(await status(), 401);
  user.enabled = true;
  token.expire = 1;
  assert.equal(await status(), 401);
  token.expire = 0;
  pve.state.access.tokens.delete("a@pve!tok");
  assert.equal(await status(), 401);
});

test("a ticket needs the CSRF token for writes, ends after 2 h, and is renewed with itself as the password", async () => {
  await using pve = await Session.start({
    users: [{ id: "adm@pve", password: "pw" }],
    acl: [{ path: "/", who: "adm@pve", role: "Administrator" }],
  });
  const signIn = async (password: string) =>
    (await pve.ask("POST", "/access/ticket", { username: "adm@pve", password })).data as {
      ticket: string;
      CSRFPreventionToken: string;
    };
  const first = await signIn("pw");
  const post = (headers: Record<string, string>) =>
    send(pve.pve, {
      method: "POST",
      path: "/pools?poolid=x",
      headers: { cookie: `PVEAuthCookie=${encodeURIComponent(first.ticket)}`, ...headers },
    });
  assert.equal((await post({})).reason, "Permission denied - invalid csrf token");
  assert.equal((await post({ CSRFPreventionToken: first.CSRFPreventionToken })).status, 200);
  pve.state.clock.advance(60 * 60 * 1000);
  const renewed = await signIn(first.ticket);
  pve.state.clock.advance(90 * 60 * 1000);
  assert.equal((await post({})).reason, "Authentication failed!");
  const headers = { cookie: `PVEAuthCookie=${renewed.ticket}` };
  assert.equal((await send(pve.pve, { method: "GET", path: "/version", headers })).status, 200);
});

test("root's own options are refused to root's token", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  const config = "/nodes/pve1/qemu/100/config";
  assert.deepEqual((await pve.ask("PUT", config, { skiplock: 1, name: "a" })).errors, {
    skiplock: "Only root may use this option.",
  });
  assert.equal((await pve.ask("PUT", config, { args: "-no-hpet" })).reason, "only root can set 'args' config");
  const absolute = await pve.ask("POST", "/nodes/pve1/qemu", {
    vmid: 101,
    scsi0: "shared-storage:0,import-from=/etc/passwd",
  });
  assert.match(absolute.reason, /^Only root can pass arbitrary filesystem paths\./);
});

test("removing a pool drops its ACLs", async () => {
  const acl = ["a@pve", "a@pve!tok"].map((who) => ({ path: "/pool/p", who, role: "PVEPoolAdmin" }));
  await using pve = await Session.start({ ...withToken(acl), pools: ["p"] });
  succeeded(await pve.ask("DELETE", "/pools", { poolid: "p" }));
  assert.equal(
    (await pve.ask("POST", "/pools", { poolid: "p" })).reason,
    "Permission check failed (/pool/p, Pool.Allocate)",
  );
});

test("B54: 8.x knows VM.Monitor and no VM.GuestAgent privilege, 9.x the reverse", async () => {
  const ping = async (version: PveVersion, privilege: string) => {
    const roles = { R: [privilege, "VM.Audit"] };
    const acl = ["a@pve", "a@pve!tok"].map((who) => ({ path: "/vms", who, role: "R" }));
    await using pve = await Session.start({ ...withToken(acl, roles), version });
    pve.state.addVm({ vmid: 100, config: { agent: "1" } });
    return (await pve.ask("POST", "/nodes/pve1/qemu/100/agent/ping")).reason;
  };
  assert.equal(await ping("8.4.0", "VM.Monitor"), "VM 100 is not running");
  assert.equal(await ping("8.4.0", "VM.Audit"), "Permission check failed (/vms/100, VM.Monitor)");
  assert.equal(await ping("9.2.11", "VM.GuestAgent.Audit"), "VM 100 is not running");
  assert.equal(
    await ping("9.2.11", "VM.Audit"),
    "Permission check failed (/vms/100, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)",
  );
  await assert.rejects(Session.start({ roles: { R: ["VM.Monitor"] } }), /Parameter verification failed/);
  await assert.rejects(
    Session.start({ version: "8.4.0", roles: { R: ["VM.GuestAgent.Audit"] } }),
    /Parameter verification failed/,
  );
});

test("own tasks need no privilege, others' need Sys.Audit at the node", async () => {
  const acl = ["a@pve", "a@pve!tok"].map((who) => ({ path: "/vms", who, role: "PVEVMAdmin" }));
  await using pve = await Session.start(withToken(acl));
  pve.state.addVm({ vmid: 100 });
  const own = succeeded(await pve.ask("POST", "/nodes/pve1/qemu/100/status/start")).data as string;
  assert.equal((await pve.ask("GET", `/nodes/pve1/tasks/${own}/status`)).status, 200);
  const others = pve.state.tasks.start("pve1", "qmstop", "100", "root@pam", async () => {});
  for (const [method, path, privilege] of [
    ["GET", "/status", "Sys.Audit"],
    ["GET", "/log", "Sys.Audit"],
    ["DELETE", "", "Sys.Modify"],
  ] as const) {
    const answer = await pve.ask(method, `/nodes/pve1/tasks/${others}${path}`);
    assert.equal(answer.reason, `Permission check failed (/nodes/pve1, ${privilege})`);
  }
});
