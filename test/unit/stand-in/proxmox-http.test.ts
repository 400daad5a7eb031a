import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, get } from "node:https";
import type { Socket } from "node:net";
import { test } from "node:test";
import { checkServerIdentity, connect } from "node:tls";
import { send, sendRaw, tokenHeader } from "./session/client.ts";
import { Session } from "./session/session.ts";

const FORM = "application/x-www-form-urlencoded";

test("a DELETE with a body is answered 501, and nothing is deleted", async () => {
  await using pve = await Session.start({ pools: ["keep"] });
  const headers = { ...tokenHeader(pve.token), "content-type": FORM };
  const answer = await send(pve.pve, { method: "DELETE", path: "/pools", headers, body: "poolid=keep" });
  assert.equal(answer.status, 501);
  assert.equal(answer.reason, "Unexpected content for method 'DELETE'");
  assert.ok(pve.state.pools.has("keep"));
});

test("an answer of more than 1 KiB is compressed for who accepts that, a shorter one never", async () => {
  await using pve = await Session.start();
  const ask = (path: string, accept: Record<string, string>) =>
    send(pve.pve, { method: "GET", path, headers: { ...tokenHeader(pve.token), ...accept } });
  const long = "/access/permissions";
  const plain = await ask(long, {});
  assert.equal(plain.contentEncoding, undefined);
  const compressed = await ask(long, { "accept-encoding": "gzip" });
  assert.equal(compressed.contentEncoding, "gzip");
  assert.ok((compressed.length ?? Infinity) < (plain.length ?? 0) / 4);
  const short = await ask("/version", { "accept-encoding": "gzip" });
  assert.equal(short.contentEncoding, undefined);
});

test("a chunked request is answered 501, uploads too", async () => {
  await using pve = await Session.start();
  const head = (path: string) =>
    `POST /api2/json${path} HTTP/1.1\nHost: x\nAuthorization: PVEAPIToken=${pve.token}\nTransfer-Encoding: chunked\n`;
  for (const path of ["/pools", "/nodes/pve1/storage/local/upload"]) {
    const answer = await sendRaw(pve.pve, head(path), Buffer.from("8\r\npoolid=a\r\n0\r\n\r\n"));
    assert.equal(answer.status, 501, path);
    assert.equal(answer.reason, "chunked transfer encoding not supported");
  }
});

test("a form over 512 KiB is answered 501", async () => {
  await using pve = await Session.start();
  const answer = await pve.ask("POST", "/pools", { poolid: "a", comment: "x".repeat(512 * 1024) });
  assert.equal(answer.status, 501);
  assert.equal(answer.reason, "for data too large");
});

test("a raw semicolon separates the parameters of a form, an encoded one does not", async () => {
  await using pve = await Session.start();
  await pve.makeVm(100);
  const headers = { ...tokenHeader(pve.token), "content-type": FORM };
  const path = "/nodes/pve1/qemu/100/config";
  const raw = await send(pve.pve, { method: "PUT", path, headers, body: "tags=a;b" });
  assert.equal(raw.status, 400);
  assert.match(raw.body, /"b":"property is not defined/);
  await pve.put(path, { tags: "a;b" });
  assert.equal((await pve.config(100))["tags"], "a;b");
});

test("a JSON body is taken, but its booleans only where the parameter is one", async () => {
  await using pve = await Session.start();
  const headers = { ...tokenHeader(pve.token), "content-type": "application/json" };
  const post = (body: unknown) =>
    send(pve.pve, { method: "POST", path: "/nodes/pve1/qemu", headers, body: JSON.stringify(body) });
  const refused = await post({ vmid: 100, agent: true, onboot: false });
  assert.deepEqual((JSON.parse(refused.body) as { errors: unknown }).errors, {
    agent: "type check ('string') failed - got JSON::PP::Boolean",
  });
  assert.equal((await post({ vmid: 100, agent: 1, onboot: false })).status, 200);
});

test("an error's text is the reason phrase and the message, and faults of parameters are named one by one", async () => {
  await using pve = await Session.start();
  const missing = await pve.ask("GET", "/nodes/pve1/qemu/999/config");
  const text = "Configuration file 'nodes/pve1/qemu-server/999.conf' does not exist";
  assert.deepEqual([missing.status, missing.reason, missing.message], [500, text, `${text}\n`]);
  const bad = await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100, cores: "many", onboot: "perhaps", nosuch: 1 });
  assert.equal(bad.status, 400);
  assert.deepEqual(bad.errors, {
    cores: "type check ('integer') failed - got 'many'",
    onboot: "type check ('boolean') failed - got 'perhaps'",
    nosuch: "property is not defined in schema and the schema does not allow additional properties",
  });
});

test("bounds, lengths and formats of parameters are checked", async () => {
  await using pve = await Session.start();
  const errorsOf = async (params: Record<string, unknown>) =>
    (await pve.ask("POST", "/nodes/pve1/qemu", { vmid: 100, ...params })).errors;
  assert.deepEqual(await errorsOf({ cores: 0 }), { cores: "value must have a minimum value of 1" });
  assert.deepEqual(await errorsOf({ description: "x".repeat(8193) }), {
    description: "value may only be 8192 characters long",
  });
  assert.deepEqual(await errorsOf({ serial0: "nonsense" }), { serial0: "value does not match the regex pattern" });
  assert.deepEqual(await errorsOf({ tags: "bad tag!" }), { tags: "invalid format - invalid characters in tag\n" });
  assert.deepEqual(await errorsOf({ name: "under_score" }), {
    name: "invalid format - value does not look like a valid DNS name\n",
  });
  assert.match(
    (await errorsOf({ net0: "virtio,bridge=vmbr0,tag=5000" }))?.["net0"] ?? "",
    /net0\.tag: value must have a maximum value of 4094/,
  );
  assert.match(
    (await errorsOf({ scsi0: "local-lvm:1,nosuch=1" }))?.["scsi0"] ?? "",
    /scsi0\.nosuch: property is not defined/,
  );
  assert.match((await errorsOf({ scsi31: "shared-storage:1" }))?.["scsi31"] ?? "", /not defined in schema/);
});

test("a 401 has no body, and names no reason that would help to guess", async () => {
  await using pve = await Session.start();
  const ask = (headers: Record<string, string>) => send(pve.pve, { method: "GET", path: "/version", headers });
  for (const [headers, reason] of [
    [{}, "No ticket"],
    [tokenHeader(`${pve.token}x`), "Authentication failed!"],
    [tokenHeader("root@pam!other=1"), "Authentication failed!"],
  ] as const) {
    const answer = await ask(headers);
    assert.deepEqual([answer.status, answer.reason, answer.body], [401, reason, ""]);
  }
});

test("a 401 is held for as long as asked for, in stand-in time", async () => {
  await using pve = await Session.start({ unauthorizedMs: 3000 });
  const slept: number[] = [];
  pve.state.clock.sleep = async (ms) => void slept.push(ms);
  await send(pve.pve, { method: "GET", path: "/version", headers: {} });
  assert.deepEqual(
    slept.filter((ms) => ms > 0),
    [3000],
  );
});

test("unknown paths and methods are 501, other formats than json and extjs too", async () => {
  await using pve = await Session.start();
  assert.equal((await pve.ask("GET", "/nosuch")).reason, "Method 'GET /nosuch' not implemented");
  assert.equal((await pve.ask("GET", "/nodes/pve1/qemu/100/agent/ping")).status, 501);
  assert.equal((await pve.ask("GET", "/api2/xml/version")).status, 501);
  const extjs = await pve.ask("GET", "/api2/extjs/pools/nosuch");
  assert.equal(extjs.status, 200);
  assert.match(extjs.body, /"success":0,"status":500/);
});

/** Asks once by this agent, and gives the connection that it went over. */
function socketOf(url: string, agent: Agent, ca: string, headers: Record<string, string>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    get(url, { agent, ca, headers }, (response) => {
      const { socket } = response;
      response.resume().on("end", () => resolve(socket));
    }).on("error", reject);
  });
}

test("B20: GETs share a connection, which is closed when it was idle for the time set", async () => {
  await using pve = await Session.start({ idleMs: 50 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = `${pve.pve.url}/api2/json/version`;
  const ask = () => socketOf(url, agent, pve.pve.certificate, tokenHeader(pve.token));
  const [first, second] = [await ask(), await ask()];
  assert.equal(first, second);
  if (!second.destroyed) await once(second, "close");
  assert.notEqual(await ask(), second);
  agent.destroy();
  assert.deepEqual(
    pve.pve.transcript.map(({ connection, newConnection }) => [connection, newConnection]),
    [
      [1, true],
      [1, false],
      [2, true],
    ],
  );
});

test("a write ends its connection, as the recorded heads say", async () => {
  await using pve = await Session.start();
  for (const method of ["POST", "DELETE"]) await pve.ask(method, "/pools", { poolid: "p" });
  await pve.get("/version");
  assert.deepEqual(
    pve.pve.transcript.map(({ method, connection }) => [method, connection]),
    [
      ["POST", 1],
      ["DELETE", 2],
      ["GET", 3],
    ],
  );
});

test("the certificate is for 127.0.0.1 and has the fingerprint that the stand-in and its nodes give", async () => {
  await using pve = await Session.start();
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(pve.pve.url).port), ca: pve.pve.certificate });
  await new Promise((resolve, reject) => socket.once("secureConnect", resolve).once("error", reject));
  const peer = socket.getPeerCertificate();
  socket.destroy();
  assert.equal(checkServerIdentity("127.0.0.1", peer), undefined);
  assert.equal(peer.fingerprint256, pve.pve.fingerprint);
  const [node] = (await pve.get("/nodes")) as { ssl_fingerprint: string }[];
  assert.equal(node?.ssl_fingerprint, pve.pve.fingerprint);
});

test("the transcript has every request with its parameters, and no password", async () => {
  await using pve = await Session.start({ users: [{ id: "a@pve", password: "hush" }] });
  await pve.get("/cluster/resources", { type: "vm" });
  await pve.ask("POST", "/access/ticket", { username: "a@pve", password: "hush" });
  await pve.ask("GET", "/nosuch");
  const { transcript } = pve.pve;
  assert.deepEqual(
    transcript.map(({ method, path, query, status }) => [method, path, query, status]),
    [
      ["GET", "/cluster/resources", "type=vm", 200],
      ["POST", "/access/ticket", "", 200],
      ["GET", "/nosuch", "", 501],
    ],
  );
  assert.deepEqual(transcript[1]?.form, { username: "a@pve", password: "***" });
});
