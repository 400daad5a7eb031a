import assert from "node:assert/strict";
import { test } from "node:test";
import { authenticate, identityOf } from "../../../src/proxmox/authentication.ts";
import type { Exchange } from "../../../src/proxmox/transport.ts";

const hour = 3_600_000;

/** A Proxmox VE that hands out numbered tickets, and the time by which they grow old. */
function ticketServer() {
  const asked: URLSearchParams[] = [];
  let now = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const send = async ({ body }: Exchange) => {
    asked.push(new URLSearchParams(body?.toString()));
    const data = { username: "admin@pve", ticket: `PVE:${asked.length}`, CSRFPreventionToken: `csrf-${asked.length}` };
    return { status: 200, reason: "OK", text: JSON.stringify({ data }) };
  };
  return { asked, clock, send, pass: (ms: number) => (now += ms) };
}

test("a session logs in once, and its writes bear the CSRF token", async () => {
  const server = ticketServer();
  const session = authenticate(
    { kind: "session", user: "admin@pve", password: "pass word" },
    server.clock,
    server.send,
  );
  const [read, write] = await Promise.all([session.headers("GET"), session.headers("POST")]);
  assert.deepEqual(read, { cookie: "PVEAuthCookie=PVE%3A1" });
  assert.deepEqual(write, { cookie: "PVEAuthCookie=PVE%3A1", csrfpreventiontoken: "csrf-1" });
  assert.deepEqual(server.asked.map(String), ["username=admin%40pve&password=pass+word"]);
});

test("a session is renewed with its ticket as the password before it ends after two hours", async () => {
  const server = ticketServer();
  const session = authenticate({ kind: "session", user: "admin@pve", password: "secret" }, server.clock, server.send);
  await session.headers("GET");
  server.pass(hour - 1);
  await session.headers("GET");
  assert.equal(server.asked.length, 1, "it is young enough");
  for (let renewal = 2; renewal <= 4; renewal += 1) {
    server.pass(hour);
    const { cookie } = await session.headers("GET");
    assert.equal(cookie, `PVEAuthCookie=PVE%3A${renewal}`);
    assert.equal(server.asked.at(-1)?.get("password"), `PVE:${renewal - 1}`);
  }
});

test("a ticket that is there already is used without a log-in, and renewed like any other", async () => {
  const server = ticketServer();
  const held = { kind: "session", user: "admin@pve", ticket: "PVE:held", csrfToken: "csrf-held" } as const;
  const session = authenticate(held, server.clock, server.send);
  assert.deepEqual(await session.headers("PUT"), {
    cookie: "PVEAuthCookie=PVE%3Aheld",
    csrfpreventiontoken: "csrf-held",
  });
  assert.equal(server.asked.length, 0);
  server.pass(hour);
  await session.headers("GET");
  assert.equal(server.asked[0]?.get("password"), "PVE:held");
});

test("a second factor that cannot be given is told, with a way out", async () => {
  const { clock } = ticketServer();
  const data = { username: "admin@pve", ticket: "PVE:tfa", NeedTFA: 1 };
  const send = async () => ({ status: 200, reason: "OK", text: JSON.stringify({ data }) });
  const session = authenticate({ kind: "session", user: "admin@pve", password: "secret" }, clock, send);
  await assert.rejects(session.headers("GET"), (error: Error & { kind: string; remedy: string[] }) => {
    assert.equal(error.kind, "access");
    assert.match(error.message, /second factor/);
    assert.match(error.remedy.join(), /token/);
    return true;
  });
});

test("what may be shown of a token leaves its secret out", () => {
  assert.equal(identityOf({ kind: "token", token: "root@pam!ci=0000-1111" }), "root@pam!ci");
});
