import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { makeCertificate } from "../stand-in/proxmox/certificate.ts";
import { action, assertConclusion } from "./harness/action.ts";
import { shown } from "./harness/calls.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { startConnectProxy } from "./harness/connect-proxy.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { startWorld } from "./harness/world.ts";

const none = { KUBEHENGE_PROXMOX_FINGERPRINT: undefined };

describe("the connection to Proxmox VE", { concurrency: 4 }, () => {
  test("is given up before the token is sent when the certificate has another fingerprint", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template list", {
      env: { KUBEHENGE_PROXMOX_FINGERPRINT: "AB:".repeat(31) + "AB" },
    });
    assertCode(end, 6);
    assert.match(
      end.stderr,
      /shows the certificate ([0-9A-F]{2}:){31}[0-9A-F]{2}, not the expected (AB:){31}AB; the token was not sent/,
    );
    assert.match(end.stderr, /pvenode cert info/);
    assert.deepEqual(shown(end.calls), [], "no request came");
    const run = await action(world, { command: "list", "proxmox-fingerprint": "ab".repeat(32) });
    assertConclusion(run, "failure");
    assert.deepEqual(shown(run.calls), []);
  });

  test("takes a fingerprint in any of its spellings", async () => {
    await using world = await startWorld();
    const plain = world.proxmox.fingerprint.replaceAll(":", "").toLowerCase();
    for (const spelling of [plain, `sha256:${plain}`, world.proxmox.fingerprint])
      assertCode(await kubehenge(world, `template list --fingerprint ${spelling}`, { env: none }), 0);
  });

  test("trusts the authority of a CA file, given as option, environment or input, and no other", async () => {
    await using world = await startWorld();
    const own = path.join(world.directory, "ca.pem");
    const other = path.join(world.directory, "other.pem");
    writeFileSync(own, world.proxmox.certificate);
    writeFileSync(other, makeCertificate().certificate);
    assertCode(await kubehenge(world, `template list --ca-file ${own}`, { env: none }), 0);
    assertCode(await kubehenge(world, "template list", { env: { ...none, KUBEHENGE_PROXMOX_CA_FILE: own } }), 0);
    const run = await action(world, {
      command: "list",
      "proxmox-fingerprint": "",
      "proxmox-ca-certificate": world.proxmox.certificate,
    });
    assertConclusion(run, "success");
    const end = await kubehenge(world, `template list --ca-file ${other}`, { env: none });
    assertCode(end, 6);
    assert.deepEqual(shown(end.calls), []);
  });

  test("with a self-signed certificate and nothing to check it by ends in a clear error", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template list", { env: none });
    assertCode(end, 6);
    assert.match(end.stderr, /self-signed certificate/i);
    assert.match(end.stderr, /pve-root-ca\.pem.*fingerprint/);
    assert.deepEqual(shown(end.calls), []);
  });

  test("warns each time with --insecure and proxmox-insecure", async () => {
    await using world = await startWorld();
    for (let run = 1; run <= 2; run += 1) {
      const end = await kubehenge(world, "template list --insecure", { env: none });
      assertCode(end, 0);
      assert.match(end.stderr, /^warning: The server's certificate is not checked: .* can read the token/m);
    }
    const run = await action(world, { command: "list", "proxmox-fingerprint": "", "proxmox-insecure": "true" });
    assertConclusion(run, "success");
    assert.deepEqual(
      run.annotations.map(({ level, title }) => [level, title]),
      [["warning", "The server's certificate is not checked"]],
    );
  });

  test("refuses a CA file or fingerprint that is none with exit code 2", async () => {
    await using world = await startWorld();
    const empty = path.join(world.directory, "empty.pem");
    writeFileSync(empty, "not a certificate\n");
    const rows: [line: string, words: RegExp][] = [
      [`template list --ca-file ${empty}`, /--ca-file or KUBEHENGE_PROXMOX_CA_FILE holds no PEM certificate/],
      ["template list --ca-file missing.pem", /--ca-file: ENOENT/],
      [
        "template list --fingerprint 12:34",
        /--fingerprint or KUBEHENGE_PROXMOX_FINGERPRINT is not a SHA-256 fingerprint.*"12:34"/,
      ],
    ];
    for (const [line, words] of rows) {
      const end = await kubehenge(world, line, { env: none });
      assertCode(end, 2);
      assert.match(end.stderr, words);
    }
  });

  test("goes through HTTPS_PROXY, with the fingerprint checked inside the tunnel, and past it by NO_PROXY", async () => {
    await using world = await startWorld();
    await using proxy = await startConnectProxy();
    const host = new URL(world.proxmox.url).host;
    assertCode(await kubehenge(world, "template create talos --node pve1", { env: { HTTPS_PROXY: proxy.url } }), 0);
    assert.ok(proxy.asked.length > 0 && proxy.asked.every((asked) => asked === host), proxy.asked.join(", "));
    assertNothingLeft(world, 1);
    const tunnels = proxy.asked.length;
    const wrong = await kubehenge(world, "template list", {
      env: { HTTPS_PROXY: proxy.url, KUBEHENGE_PROXMOX_FINGERPRINT: "00".repeat(32) },
    });
    assertCode(wrong, 6);
    assert.deepEqual(shown(wrong.calls), []);
    assert.ok(proxy.asked.length > tunnels);
    const before = proxy.asked.length;
    assertCode(await kubehenge(world, "template list", { env: { HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1" } }), 0);
    assert.equal(proxy.asked.length, before);
  });

  test("names the proxy that refused it", async () => {
    await using world = await startWorld();
    await using proxy = await startConnectProxy({ refuse: true });
    const end = await kubehenge(world, "template list", {
      env: { HTTPS_PROXY: proxy.url.replace("http://", "http://user:pass-word@") },
    });
    assertCode(end, 1);
    assert.match(
      end.stderr,
      /the proxy http:\/\/127\.0\.0\.1:\d+ refused a connection to 127\.0\.0\.1:\d+: 403 Forbidden/,
    );
    assert.match(end.stderr, /NO_PROXY/);
    assert.doesNotMatch(end.stderr, /pass-word/);
  });
});
