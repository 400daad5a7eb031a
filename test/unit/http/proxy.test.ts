import * as assert from "node:assert/strict";
import { connect } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, test } from "node:test";
import { Failure } from "../../../src/failure/failure.ts";
import { proxyFor } from "../../../src/http/index.ts";
import { client, loopback, testTls } from "./loopback.ts";

const proxy = "http://proxy.example.org:3128/";

describe("the proxy of a request", () => {
  const rows: [string, string, Record<string, string>, string | undefined][] = [
    ["no variable: none", "https://a.example.org/", {}, undefined],
    ["HTTPS_PROXY for https", "https://a.example.org/", { HTTPS_PROXY: proxy }, proxy],
    ["https_proxy too", "https://a.example.org/", { https_proxy: proxy }, proxy],
    ["the lower-case name wins", "https://a.example.org/", { https_proxy: proxy, HTTPS_PROXY: "http://other/" }, proxy],
    ["an empty value switches it off", "https://a.example.org/", { https_proxy: "", HTTPS_PROXY: proxy }, undefined],
    ["HTTP_PROXY is not for https", "https://a.example.org/", { HTTP_PROXY: proxy }, undefined],
    ["HTTP_PROXY for http", "http://a.example.org/", { HTTP_PROXY: proxy }, proxy],
    ["without a scheme it is http", "https://a.example.org/", { HTTPS_PROXY: "proxy.example.org:3128" }, proxy],
    [
      "NO_PROXY: the host",
      "https://a.example.org/",
      { HTTPS_PROXY: proxy, NO_PROXY: "b.example.org, a.example.org" },
      undefined,
    ],
    ["no_proxy: a domain", "https://a.example.org/", { HTTPS_PROXY: proxy, no_proxy: "example.org" }, undefined],
    [
      "NO_PROXY: a domain with a dot",
      "https://a.example.org/",
      { HTTPS_PROXY: proxy, NO_PROXY: ".example.org" },
      undefined,
    ],
    [
      "NO_PROXY: a domain with a star",
      "https://a.example.org/",
      { HTTPS_PROXY: proxy, NO_PROXY: "*.example.org" },
      undefined,
    ],
    [
      "NO_PROXY: not a host that only ends alike",
      "https://notexample.org/",
      { HTTPS_PROXY: proxy, NO_PROXY: "example.org" },
      proxy,
    ],
    ["NO_PROXY: everything", "https://a.example.org/", { HTTPS_PROXY: proxy, NO_PROXY: "*" }, undefined],
    ["NO_PROXY: capitals", "https://a.example.org/", { HTTPS_PROXY: proxy, NO_PROXY: "A.Example.ORG" }, undefined],
    [
      "NO_PROXY: the port",
      "https://a.example.org:8006/",
      { HTTPS_PROXY: proxy, NO_PROXY: "a.example.org:8006" },
      undefined,
    ],
    ["NO_PROXY: another port", "https://a.example.org/", { HTTPS_PROXY: proxy, NO_PROXY: "a.example.org:8006" }, proxy],
    ["NO_PROXY: an address", "https://10.1.2.3:8006/", { HTTPS_PROXY: proxy, NO_PROXY: "10.1.2.3" }, undefined],
    ["NO_PROXY: a range", "https://10.1.2.3/", { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" }, undefined],
    ["NO_PROXY: another range", "https://10.1.2.3/", { HTTPS_PROXY: proxy, NO_PROXY: "10.2.0.0/16" }, proxy],
    ["NO_PROXY: an IPv6 address", "https://[fd00::1]/", { HTTPS_PROXY: proxy, NO_PROXY: "fd00::1" }, undefined],
    ["NO_PROXY: an IPv6 range", "https://[fd00::1]:8006/", { HTTPS_PROXY: proxy, NO_PROXY: "fd00::/8" }, undefined],
    ["NO_PROXY: a range that is none", "https://10.1.2.3/", { HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/99,x/8" }, proxy],
  ];
  for (const [name, url, environment, expected] of rows) {
    test(name, () => assert.equal(proxyFor(new URL(url), environment), expected));
  }

  test("a value that is no address is refused with the variable's name, not its value", () => {
    for (const value of ["http://", "socks5://user:secret@p:1080", "http://user:secret@"]) {
      assert.throws(
        () => proxyFor(new URL("https://a.example.org/"), { HTTPS_PROXY: value }),
        (error) =>
          error instanceof Failure &&
          error.kind === "usage" &&
          /HTTPS_PROXY/.test(error.message) &&
          !error.message.includes("secret"),
      );
    }
  });
});

test("a plain http request goes to its proxy as a whole address, with the proxy's credentials", async () => {
  await using server = await loopback((_, outgoing) => outgoing.end("never asked directly"));
  await using through = await loopback((_, outgoing) => outgoing.end("by proxy"));
  await using ours = client({ environment: { http_proxy: through.url.replace("//", "//me:secret@") } });
  assert.equal((await ours.http(`${server.url}/list`)).text(), "by proxy");
  assert.equal(through.requests[0]?.url, `${server.url}/list`);
  assert.equal(
    through.requests[0]?.headers["proxy-authorization"],
    `Basic ${Buffer.from("me:secret").toString("base64")}`,
  );
  assert.equal(server.requests.length, 0);
});

test("an https request goes through a tunnel of its proxy", async () => {
  setDefaultCACertificates([...getCACertificates("default"), testTls.cert]);
  await using server = await loopback((_, outgoing) => outgoing.end("over TLS"), true);
  await using through = await loopback((_, outgoing) => outgoing.writeHead(500).end());
  const tunnels: string[] = [];
  through.server.on("connect", (incoming, socket) => {
    tunnels.push(incoming.url ?? "");
    const [host = "", port = ""] = (incoming.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on("error", () => upstream.destroy());
    upstream.on("error", () => socket.destroy());
  });
  await using ours = client({ environment: { HTTPS_PROXY: through.url } });
  assert.equal((await ours.http(server.url)).text(), "over TLS");
  assert.deepEqual(tunnels, [new URL(server.url).host]);
});

test("a proxy that refuses is named, without its credentials", async () => {
  await using through = await loopback(() => {});
  through.server.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  await using ours = client({ environment: { HTTPS_PROXY: through.url.replace("//", "//me:secret@") } });
  await assert.rejects(ours.http("https://a.example.org/", { attempts: 1 }), (error) => {
    assert.ok(error instanceof Failure);
    assert.match(error.message, /through the proxy http:\/\/127\.0\.0\.1:\d+\/ failed: .*403/);
    assert.doesNotMatch(JSON.stringify([error.message, error.remedy]), /secret/);
    return true;
  });
});
