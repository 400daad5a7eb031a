import * as assert from "node:assert/strict";
import { once } from "node:events";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Failure, type FailureKind } from "../../../src/failure/failure.ts";
import { fails } from "../fails.ts";
import { client, loopback, testTls } from "./loopback.ts";

describe("an answer", () => {
  test("comes with status, address, headers and body, and says who asks", async () => {
    await using server = await loopback((_, outgoing) => outgoing.setHeader("X-Thing", "one").end('{"a":1}'));
    await using ours = client();
    const answer = await ours.http(`${server.url}/path?query=1`);
    assert.equal(answer.status, 200);
    assert.equal(answer.url, `${server.url}/path?query=1`);
    assert.equal(answer.headers["x-thing"], "one");
    assert.deepEqual(answer.json(), { a: 1 });
    assert.equal(answer.text(), '{"a":1}');
    assert.equal(server.requests[0]?.url, "/path?query=1");
    assert.equal(server.requests[0]?.headers["user-agent"], "kubehenge/1.2.3");
    assert.equal(server.requests[0]?.headers["accept-encoding"], "identity");
  });

  test("that is no JSON fails with the address when JSON is asked for", async () => {
    await using server = await loopback((_, outgoing) => outgoing.end("<html>"));
    await using ours = client();
    const answer = await ours.http(`${server.url}/versions`);
    assert.throws(() => answer.json(), /127\.0\.0\.1:\d+\/versions did not answer with JSON/);
  });

  test("is counted with what was sent", async () => {
    await using server = await loopback((_, outgoing) => outgoing.end("x".repeat(1000)));
    await using ours = client();
    await ours.http(server.url, { method: "POST", body: "y".repeat(500) });
    assert.ok(ours.http.traffic.down >= 1000 && ours.http.traffic.down < 1500, String(ours.http.traffic.down));
    assert.ok(ours.http.traffic.up >= 500 && ours.http.traffic.up < 1000, String(ours.http.traffic.up));
  });

  test("to POST carries the body and the given headers", async () => {
    await using server = await loopback((incoming, outgoing) => void incoming.pipe(outgoing));
    await using ours = client();
    const answer = await ours.http(server.url, {
      method: "POST",
      body: "customization: {}\n",
      headers: { "Content-Type": "application/yaml" },
    });
    assert.equal(answer.text(), "customization: {}\n");
    assert.equal(server.requests[0]?.headers["content-type"], "application/yaml");
  });
});

describe("a status", () => {
  const kinds: [number, FailureKind][] = [
    [400, "failure"],
    [401, "access"],
    [403, "access"],
    [404, "not-found"],
    [410, "not-found"],
    [501, "failure"],
  ];
  for (const [status, kind] of kinds) {
    test(`of ${status} fails at once as ${kind}, with the server's own words`, async () => {
      await using server = await loopback((_, outgoing) => outgoing.writeHead(status).end("because of the moon\nmore"));
      await using ours = client();
      const failure = await fails(
        ours.http(`${server.url}/list`, { mirrorOption: "--ubuntu-url" }),
        kind,
        new RegExp(`GET http://127.0.0.1:\\d+/list was answered ${status}`),
      );
      assert.deepEqual(failure.evidence, ["because of the moon"]);
      assert.match(failure.remedy.join(), /--ubuntu-url/);
      assert.equal(server.requests.length, 1);
    });
  }

  test("that is expected is given, also 503 without another attempt", async () => {
    await using server = await loopback((_, outgoing) => outgoing.writeHead(503).end());
    await using ours = client();
    assert.equal((await ours.http(server.url, { expect: [503] })).status, 503);
    assert.equal(server.requests.length, 1);
  });

  test("of a page of HTML is not quoted", async () => {
    await using server = await loopback((_, outgoing) => outgoing.writeHead(404).end("<html>nginx</html>"));
    await using ours = client();
    assert.deepEqual((await fails(ours.http(server.url), "not-found", /404 Not Found/)).evidence, []);
  });
});

describe("what may pass", () => {
  test("is tried again with longer pauses, and succeeds", async () => {
    await using server = await loopback((_, outgoing, number) =>
      outgoing.writeHead(number < 4 ? [500, 502, 429][number - 1]! : 200).end("done"),
    );
    await using ours = client();
    assert.equal((await ours.http(server.url)).text(), "done");
    assert.equal(ours.pauses.length, 3);
    for (const [index, pause] of ours.pauses.entries()) {
      const whole = 400 * 2 ** index;
      assert.ok(pause >= whole / 2 && pause <= whole, `pause ${index} was ${pause} ms`);
    }
  });

  test("ends after four attempts and says so", async () => {
    await using server = await loopback((_, outgoing) => outgoing.writeHead(502).end());
    await using ours = client();
    await fails(ours.http(server.url), "failure", /502 Bad Gateway, 4 times/);
    assert.equal(server.requests.length, 4);
  });

  test("is not tried again for POST unless asked", async () => {
    await using server = await loopback((_, outgoing) => outgoing.writeHead(502).end());
    await using ours = client();
    await fails(ours.http(server.url, { method: "POST", body: "x" }), "failure", /502/);
    assert.equal(server.requests.length, 1);
    await fails(ours.http(server.url, { method: "POST", body: "x", attempts: 2 }), "failure", /502/);
    assert.equal(server.requests.length, 3);
  });

  test("waits as long as Retry-After says, and not for longer than 30 s", async () => {
    await using server = await loopback((_, outgoing, number) => {
      outgoing.writeHead(number === 2 ? 200 : 429, { "retry-after": number === 1 ? "7" : "31" }).end();
    });
    await using ours = client();
    await ours.http(server.url);
    assert.deepEqual(ours.pauses, [7000]);
    await fails(ours.http(server.url), "failure", /429 Too Many Requests/);
    assert.equal(server.requests.length, 3);
  });

  test("includes a connection that is cut before or within the answer", async () => {
    await using server = await loopback((incoming, outgoing, number) => {
      if (number === 1) incoming.socket.resetAndDestroy();
      else if (number === 2)
        outgoing.writeHead(200, { "content-length": "100" }).write("half", () => incoming.socket.destroy());
      else outgoing.end("whole");
    });
    await using ours = client();
    assert.equal((await ours.http(server.url)).text(), "whole");
    assert.equal(ours.pauses.length, 2);
  });

  test("does not make half an answer a whole one", async () => {
    await using server = await loopback((incoming, outgoing) => {
      outgoing.writeHead(200, { "content-length": "100" }).write("half", () => incoming.socket.destroy());
    });
    await using ours = client();
    const failure = await fails(ours.http(server.url, { attempts: 2 }), "failure", /GET http.* failed, 2 times: /);
    assert.match(failure.remedy.join(), /HTTP_PROXY/);
  });

  test("includes a port where nobody listens, which is named", async () => {
    await using server = await loopback(() => {});
    const { url } = server;
    await server[Symbol.asyncDispose]();
    await using ours = client();
    await fails(ours.http(url), "failure", /failed, 4 times: .*ECONNREFUSED/);
  });
});

describe("bounds", () => {
  test("of bytes hold for what Content-Length announces and for what comes without it, and end the attempts", async () => {
    await using server = await loopback((incoming, outgoing) => {
      if (incoming.url === "/announced") outgoing.writeHead(200, { "content-length": "5000" });
      outgoing.end("x".repeat(5000));
    });
    await using ours = client();
    for (const path of ["/announced", "/chunked"])
      await fails(ours.http(server.url + path, { maxBytes: 4999 }), "failure", /larger than 4999 bytes/);
    assert.equal(server.requests.length, 2);
    assert.equal((await ours.http(`${server.url}/chunked`, { maxBytes: 5000 })).body.length, 5000);
  });

  test("of bytes hold for what a compressed answer becomes", async () => {
    await using server = await loopback((_, outgoing) =>
      outgoing.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(50_000))),
    );
    await using ours = client();
    await fails(ours.http(server.url, { compressed: true, maxBytes: 10_000 }), "failure", /larger than 10000 bytes/);
    assert.equal((await ours.http(server.url, { compressed: true })).body.length, 50_000);
  });

  test("a .gz file that a server labels as encoded stays as it is", async () => {
    const bytes = gzipSync("Package: kubeadm\n");
    await using server = await loopback((_, outgoing) =>
      outgoing.writeHead(200, { "content-encoding": "x-gzip" }).end(bytes),
    );
    await using ours = client();
    assert.deepEqual(Buffer.from((await ours.http(server.url)).body), bytes);
  });

  test("of time end an answer that never comes or never ends", async () => {
    await using server = await loopback((incoming, outgoing) => {
      if (incoming.url === "/slow-body") outgoing.write("first");
    });
    await using ours = client();
    for (const path of ["/never", "/slow-body"]) {
      await fails(
        ours.http(server.url + path, { timeoutSeconds: 0.05, attempts: 2 }),
        "failure",
        /no whole answer within 0\.05 s, 2 times/,
      );
    }
  });
});

describe("redirects", () => {
  test("are followed five times, a sixth is refused", async () => {
    await using server = await loopback((incoming, outgoing) => {
      const left = Number(incoming.url?.slice(1));
      if (left === 0) outgoing.end("there");
      else outgoing.writeHead(302, { location: `/${left - 1}` }).end();
    });
    await using ours = client();
    const answer = await ours.http(`${server.url}/5`);
    assert.equal(answer.text(), "there");
    assert.equal(answer.url, `${server.url}/0`);
    await fails(ours.http(`${server.url}/6`), "failure", /after 5 redirects/);
  });

  test("keep credentials on the same origin and drop them on another", async () => {
    await using other = await loopback((_, outgoing) => outgoing.end("there"));
    await using server = await loopback((incoming, outgoing) => {
      if (incoming.url === "/same") outgoing.writeHead(307, { location: "/other" }).end();
      else outgoing.writeHead(301, { location: `${other.url}/end` }).end();
    });
    await using ours = client();
    await ours.http(`${server.url}/same`, {
      headers: { Authorization: "Bearer secret", Cookie: "a=b", accept: "text/plain" },
    });
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ["Bearer secret", "Bearer secret"],
    );
    assert.equal(other.requests[0]?.headers.authorization, undefined);
    assert.equal(other.requests[0]?.headers.cookie, undefined);
    assert.equal(other.requests[0]?.headers.accept, "text/plain");
  });

  test("never lead from https to http", async () => {
    setDefaultCACertificates([...getCACertificates("default"), testTls.cert]);
    await using plain = await loopback((_, outgoing) => outgoing.end("plain"));
    await using server = await loopback((incoming, outgoing) => {
      if (incoming.url === "/") outgoing.writeHead(302, { location: `${plain.url}/` }).end();
      else outgoing.end("over TLS");
    }, true);
    await using ours = client();
    assert.equal((await ours.http(`${server.url}/x`)).text(), "over TLS");
    await fails(ours.http(`${server.url}/`), "failure", /redirects from https to http:/);
    assert.equal(plain.requests.length, 0);
  });

  test("of POST are not followed", async () => {
    await using server = await loopback((_, outgoing) => outgoing.writeHead(308, { location: "/elsewhere" }).end());
    await using ours = client();
    await fails(ours.http(server.url, { method: "POST", body: "x" }), "failure", /POST .* is redirected/);
    assert.equal(server.requests.length, 1);
  });

  test("to a file or to nonsense are refused", async () => {
    for (const location of ["file:///etc/passwd", "http://[", "javascript:1"]) {
      await using server = await loopback((_, outgoing) => outgoing.writeHead(302, { location }).end());
      await using ours = client();
      await fails(ours.http(server.url), "failure", /not an http or https address/);
    }
  });
});

describe("secrets", () => {
  test("in an address become a header and stand in no message", async () => {
    await using server = await loopback((incoming, outgoing) =>
      outgoing.writeHead(incoming.url?.startsWith("/ok?") ? 200 : 404).end(),
    );
    await using ours = client();
    const address = server.url.replace("//", "//user:p%40ss-secret@");
    const answer = await ours.http(`${address}/ok?sig=query-secret`);
    assert.equal(
      server.requests[0]?.headers.authorization,
      `Basic ${Buffer.from("user:p@ss-secret").toString("base64")}`,
    );
    assert.ok(!answer.url.includes("ss-secret"));
    const failure = await fails(
      ours.http(`${address}/missing?sig=query-secret#fragment`),
      "not-found",
      /\/missing was answered 404/,
    );
    assert.doesNotMatch(JSON.stringify([failure.message, failure.remedy, failure.evidence]), /secret|fragment/);
  });

  test("an address that is none is refused before anything is sent", async () => {
    await using ours = client();
    for (const address of ["", "cloud-images.ubuntu.com", "ftp://example.org/x", "file:///etc/passwd"]) {
      await fails(ours.http(address), "usage", /not an http or https address/);
    }
  });
});

describe("the end of the run", () => {
  test("stops a request that is under way, and no other attempt follows", async () => {
    const stop = new AbortController();
    await using server = await loopback(() => stop.abort());
    await using ours = client({ signal: stop.signal });
    await fails(ours.http(server.url), "interrupted", /Stopped while asking http:/);
    assert.equal(server.requests.length, 1);
  });

  test("is told in its own words when the signal has them", async () => {
    const stop = new AbortController();
    stop.abort(new Failure("deadline", "60 minutes have passed."));
    await using ours = client({ signal: stop.signal });
    await fails(ours.http("http://127.0.0.1:9/"), "deadline", /60 minutes/);
  });

  test("ends a pause between attempts", async () => {
    const stop = new AbortController();
    await using server = await loopback((_, outgoing) => outgoing.writeHead(503).end());
    await using ours = client({
      signal: stop.signal,
      sleep: async (_, signal) => {
        assert.ok(signal);
        setImmediate(() => stop.abort());
        await once(signal, "abort");
        throw new Error("pause ended");
      },
    });
    await fails(ours.http(server.url), "interrupted", /Stopped/);
    assert.equal(server.requests.length, 1);
  });
});

test("a certificate that nobody vouches for is not tried again, and the remedy names NODE_EXTRA_CA_CERTS", async () => {
  setDefaultCACertificates(getCACertificates("bundled"));
  await using server = await loopback((_, outgoing) => outgoing.end(), true);
  await using ours = client();
  const failure = await fails(ours.http(server.url), "failure", /certificate/);
  assert.match(failure.remedy.join(), /NODE_EXTRA_CA_CERTS/);
  assert.deepEqual(ours.pauses, []);
  assert.equal(server.requests.length, 0);
});
