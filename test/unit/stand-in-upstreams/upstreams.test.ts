import * as assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, test } from "node:test";
import { createHttp, type Http } from "../../../src/http/index.ts";
import {
  imageLabel,
  startUpstreams,
  type Upstreams,
  type UpstreamsOptions,
  virtualSize,
} from "../../stand-in/upstreams/index.ts";
import { canonical, readSchematic, schematicId } from "../../stand-in/upstreams/schematic.ts";
import { fixture } from "../trust/fixtures.ts";
import { testTls } from "../http/loopback.ts";

interface Vector {
  name: string;
  schematic: Record<string, unknown>;
  canonical: string;
  id: string;
}

const anything = [200, 201, 302, 400, 401, 402, 403, 404, 500, 503];

async function started(options: UpstreamsOptions = {}): Promise<{ up: Upstreams; http: Http } & AsyncDisposable> {
  const up = await startUpstreams(options);
  const http = createHttp({ environment: {}, version: "0.0.0", sleep: () => Promise.resolve() });
  return {
    up,
    http: Object.assign((url: string, request = {}) => http(url, { expect: anything, attempts: 1, ...request }), {
      traffic: http.traffic,
      close: http.close,
    }),
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await up.close();
    },
  };
}

describe("the factory's schematics", () => {
  const vectors = JSON.parse(
    readFileSync(new URL("../../fixtures/sources/schematic-vectors.json", import.meta.url), "utf8"),
  ) as Vector[];
  for (const vector of vectors) {
    test(`have the factory's ID: ${vector.name}`, () => {
      assert.equal(canonical(vector.schematic), vector.canonical);
      assert.equal(schematicId(vector.schematic), vector.id);
    });
  }

  test("are read from YAML and JSON, and refused with a field that the factory does not know", () => {
    assert.deepEqual(readSchematic("customization:\n    extraKernelArgs:\n        - a\n"), {
      customization: { extraKernelArgs: ["a"] },
    });
    assert.deepEqual(readSchematic('{"customization":{}}'), { customization: {} });
    for (const text of [
      "customisation: {}\n",
      "customization:\n    extensions: []\n",
      "customization: []\n",
      "customization:\n    extraKernelArgs: a\n",
      "a: [\n",
    ]) {
      assert.throws(() => readSchematic(text), text);
    }
  });
});

describe("the factory", () => {
  test("answers 201 to a schematic and 400 to what is none", async () => {
    await using s = await started();
    const good = await s.http(`${s.up.talosFactoryUrl}/schematics`, { method: "POST", body: "customization: {}\n" });
    assert.equal(good.status, 201);
    assert.equal(
      (good.json() as { id: string }).id,
      "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba",
    );
    const bad = await s.http(`${s.up.talosFactoryUrl}/schematics`, { method: "POST", body: "custom: {}\n" });
    assert.equal(bad.status, 400);
    assert.match(bad.text(), /field custom not found/);
  });

  test("has images of known schematics and versions only, and sells checksums", async () => {
    await using s = await started();
    const url = s.up.talosFactoryUrl;
    const { id } = (await s.http(`${url}/schematics`, { method: "POST", body: "{}" })).json() as { id: string };
    const rows: [string, number][] = [
      [`${id}/v1.14.4/nocloud-amd64.qcow2`, 200],
      [`${id}/v1.14.4/nocloud-arm64.raw`, 200],
      [`${id}/v1.14.4/nocloud-amd64.qcow2.sha256`, 402],
      [`${id}/v1.14.4/nocloud-amd64.qcow2.sigstore.json`, 402],
      [`${id}/v9.9.9/nocloud-amd64.qcow2`, 404],
      [`${"0".repeat(64)}/v1.14.4/nocloud-amd64.qcow2`, 404],
      [`${id}/v1.14.4/nocloud-riscv.qcow2`, 400],
    ];
    for (const [path, status] of rows) {
      assert.equal((await s.http(`${url}/image/${path}`)).status, status, path);
      assert.equal((await s.http(`${url}/image/${path}`, { method: "HEAD" })).status, status, path);
    }
  });

  test("gives an image that tells which it is", async () => {
    await using s = await started();
    const { id } = (await s.http(`${s.up.talosFactoryUrl}/schematics`, { method: "POST", body: "{}" })).json() as {
      id: string;
    };
    const { body } = await s.http(`${s.up.talosFactoryUrl}/image/${id}/v1.13.10/nocloud-amd64.qcow2`);
    assert.deepEqual(imageLabel(body), { os: "talos", version: "v1.13.10", arch: "amd64", build: id });
    assert.equal(virtualSize(body), 1246 * 1024 ** 2);
  });
});

describe("the Ubuntu mirror", () => {
  const real: Record<string, string> = {
    "22.04": "jammy-20260722",
    "24.04": "noble-20260725",
    "26.04": "resolute-20260731",
  };
  for (const [release, file] of Object.entries(real)) {
    test(`names the images of ${release} as the real list does`, async () => {
      await using s = await started();
      const images = (list: string): string[] =>
        list
          .split("\n")
          .map((line) => line.slice(66))
          .filter((name) => /\.(img|ova|squashfs)$/.test(name))
          .toSorted();
      assert.deepEqual(
        images(s.up.world.ubuntu.sums(release)),
        images(Buffer.from(fixture(`${file}.SHA256SUMS`)).toString()),
      );
    });
  }

  test("serves small valid qcow2 images of 3.5 GiB, with the digests that its list says", async () => {
    await using s = await started();
    const base = `${s.up.ubuntuUrl}/releases/noble/release`;
    const list = (await s.http(`${base}/SHA256SUMS`)).text();
    const { body } = await s.http(`${base}/ubuntu-24.04-server-cloudimg-amd64.img`);
    assert.ok(
      list.includes(`${createHash("sha256").update(body).digest("hex")} *ubuntu-24.04-server-cloudimg-amd64.img\n`),
    );
    assert.equal(Buffer.from(body.subarray(0, 4)).toString("latin1"), "QFI\xfb");
    assert.equal(virtualSize(body), 3.5 * 1024 ** 3);
    assert.equal(imageLabel(body)?.version, "24.04");
    assert.deepEqual(body, s.up.ubuntuFile("24.04", "ubuntu-24.04-server-cloudimg-amd64.img"));
  });

  test("has a fixed directory of the newest build, and drops it when the image is replaced", async () => {
    await using s = await started();
    const fixed = `${s.up.ubuntuUrl}/releases/26.04/release-20260731/SHA256SUMS`;
    const before = await s.http(fixed);
    assert.equal(before.status, 200);
    s.up.replaceUbuntuImage("26.04", "20260823");
    assert.equal((await s.http(fixed)).status, 404);
    const after = await s.http(`${s.up.ubuntuUrl}/releases/26.04/release-20260823/SHA256SUMS`);
    assert.notEqual(after.text(), before.text());
  });
});

test("a qcow2 image has refcounts for exactly its used clusters, inside its file", async () => {
  await using s = await started();
  const bytes = Buffer.from(s.up.ubuntuFile("26.04", "ubuntu-26.04-server-cloudimg-arm64.img") ?? []);
  const clusterBytes = 2 ** bytes.readUInt32BE(20);
  const l1Entries = bytes.readUInt32BE(36);
  const [l1Offset, tableOffset] = [Number(bytes.readBigUInt64BE(40)), Number(bytes.readBigUInt64BE(48))];
  const blockOffset = Number(bytes.readBigUInt64BE(tableOffset));
  const used = (l1Offset + Math.ceil((l1Entries * 8) / clusterBytes) * clusterBytes) / clusterBytes;
  assert.equal(l1Entries, (3.5 * 1024 ** 3) / (clusterBytes * (clusterBytes / 8)));
  for (let cluster = 0; cluster < clusterBytes / 2; cluster += 1)
    assert.equal(bytes.readUInt16BE(blockOffset + cluster * 2), cluster < used ? 1 : 0);
  assert.ok(used * clusterBytes <= bytes.length);
});

describe("the package repository", () => {
  test("answers 403 for a minor that is not published and 404 for a file that is not there", async () => {
    await using s = await started();
    const base = `${s.up.kubernetesPackagesUrl}/core:/stable:`;
    assert.equal((await s.http(`${base}/v1.38/deb/InRelease`)).status, 403);
    assert.equal((await s.http(`${base}/v1.37.1/deb/InRelease`)).status, 403);
    assert.equal((await s.http(`${base}/v1.37/deb/amd64/kubeadm_9.9.9-1.1_amd64.deb`)).status, 404);
  });

  test("serves every package under the name and with the digest of its index", async () => {
    await using s = await started();
    const base = `${s.up.kubernetesPackagesUrl}/core:/stable:/v1.37/deb/`;
    const index = (await s.http(`${base}Packages`)).text();
    const stanzas = index.split("\n\n").filter((stanza) => stanza.includes("Architecture: amd64"));
    assert.ok(stanzas.length >= 8);
    for (const stanza of stanzas) {
      const [, name = ""] = /^Filename: (.*)$/m.exec(stanza) ?? [];
      const { body, status } = await s.http(base + name);
      assert.equal(status, 200, name);
      assert.match(stanza, new RegExp(`^SHA256: ${createHash("sha256").update(body).digest("hex")}$`, "m"));
    }
  });
});

test("dl.k8s.io has a version for each channel that exists", async () => {
  await using s = await started();
  const rows: [string, string | undefined][] = [
    ["stable", "v1.37.1"],
    ["stable-1.36", "v1.36.4"],
    ["latest", "v1.38.0-alpha.1"],
    ["latest-1.37", "v1.37.1"],
    ["stable-1.38", undefined],
    ["stable-1.20", undefined],
  ];
  for (const [channel, version] of rows) {
    const answer = await s.http(`${s.up.kubernetesReleasesUrl}/release/${channel}.txt`);
    assert.equal(answer.status, version === undefined ? 404 : 200, channel);
    if (version !== undefined) assert.equal(answer.text(), version);
  }
});

test("GitHub's API pages by Link and counts down its limit", async () => {
  await using s = await started();
  const url = `${s.up.githubApiUrl}/repos/siderolabs/talos/releases`;
  const first = await s.http(`${url}?per_page=3`);
  assert.equal((first.json() as unknown[]).length, 3);
  assert.match(
    first.headers["link"] ?? "",
    /<http:\/\/127\.0\.0\.1:\d+\/github\/repos\/siderolabs\/talos\/releases\?per_page=3&page=2>; rel="next"/,
  );
  const last = await s.http(`${url}?per_page=3&page=3`);
  assert.doesNotMatch(last.headers["link"] ?? "", /rel="next"/);
  assert.ok((last.json() as { tag_name: string }[]).some(({ tag_name }) => tag_name === "pkg/machinery/v1.99.0"));
  s.up.setRateLimited(true);
  const limited = await s.http(url);
  assert.equal(limited.status, 403);
  assert.equal(limited.headers["x-ratelimit-remaining"], "0");
});

describe("faults", () => {
  test("come as often as they are told to, where they are told to", async () => {
    await using s = await started();
    const url = `${s.up.talosFactoryUrl}/versions`;
    s.up.fault({ upstream: "factory", path: "/versions", times: 2, fault: { status: 503 } });
    assert.deepEqual(
      [(await s.http(url)).status, (await s.http(url)).status, (await s.http(url)).status],
      [503, 503, 200],
    );
    const end = s.up.fault({
      path: /^\/versions$/,
      fault: { redirect: `${s.up.ubuntuUrl}/releases/26.04/release/SHA256SUMS` },
    });
    assert.match((await s.http(url, { expect: [] })).text(), /ubuntu-26\.04/);
    end();
    assert.match((await s.http(url)).text(), /v1\.14\.4/);
  });

  test("cut a connection before or in the answer", async () => {
    await using s = await started();
    const url = `${s.up.talosFactoryUrl}/versions`;
    s.up.fault({ times: 1, fault: { reset: true } });
    await assert.rejects(s.http(url));
    s.up.fault({ times: 1, fault: { truncateTo: 5 } });
    await assert.rejects(s.http(url));
    assert.equal((await s.http(url)).status, 200);
  });
});

test("the transcript has every request with its bytes and who asked", async () => {
  await using s = await started();
  const { body } = await s.http(`${s.up.talosFactoryUrl}/versions`);
  await s.http(`${s.up.talosFactoryUrl}/schematics`, {
    method: "POST",
    body: "{}",
    headers: { authorization: "Bearer x" },
  });
  const [first, second] = s.up.transcript;
  assert.deepEqual(
    { ...first, ms: 0 },
    {
      upstream: "factory",
      method: "GET",
      path: "/versions",
      query: "",
      status: 200,
      userAgent: "kubehenge/0.0.0",
      authorized: false,
      bytesIn: 0,
      bytesOut: body.length,
      ms: 0,
    },
  );
  assert.equal(second?.bytesIn, 2);
  assert.equal(second?.authorized, true);
});

test("everything is served over TLS too", async () => {
  setDefaultCACertificates([...getCACertificates("default"), testTls.cert]);
  await using s = await started({ tls: testTls });
  assert.match(s.up.ubuntuUrl, /^https:/);
  assert.equal((await s.http(`${s.up.talosFactoryUrl}/versions`)).status, 200);
});

test("nothing of a path outside the upstreams is there", async () => {
  await using s = await started();
  const { origin } = new URL(s.up.ubuntuUrl);
  for (const path of [
    "/",
    "/ubuntu",
    "/ubuntu/releases/26.04/release/../../../../etc/passwd",
    "/other/x",
    "/ubuntu/releases/25.10/release/SHA256SUMS",
  ]) {
    assert.equal((await s.http(origin + path)).status, 404, path);
  }
});
