import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { isPlainSafe, type Schematic, schematicId, schematicYaml } from "../../../src/sources/talos/schematic.ts";
import { Failure } from "../../../src/failure/failure.ts";
import { fails } from "../fails.ts";
import { world } from "./world.ts";

interface Vector {
  name: string;
  schematic: Schematic;
  canonical: string;
  id: string;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../fixtures/sources/schematic-vectors.json", import.meta.url), "utf8"),
) as Vector[];
const guestAgent = "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515";

/** Fields that this product does not set, and vectors whose strings some YAML library quotes. */
const outOfReach = new Set([
  "kernel arg odd strings",
  "secureboot enrollKeys off (quoted)",
  "meta json value",
  "embedded config multi-line",
  "embedded config multi-line no final newline",
  "long meta value with spaces (no folding)",
  "embedded config with 120-char line",
]);

describe("a schematic's ID", () => {
  for (const vector of vectors.filter(({ name }) => !outOfReach.has(name))) {
    test(`is the factory's: ${vector.name}`, () => {
      const yaml = schematicYaml(vector.schematic);
      assert.equal(yaml, vector.canonical);
      assert.equal(schematicId(yaml), vector.id);
    });
  }

  for (const vector of vectors.filter(({ name }) => outOfReach.has(name))) {
    test(`is not guessed at where a string may be quoted: ${vector.name}`, () => {
      assert.throws(
        () => schematicYaml(vector.schematic),
        (error) =>
          error instanceof Failure &&
          error.kind === "usage" &&
          /cannot be part of a Talos schematic/.test(error.message),
      );
    });
  }

  test("does not depend on the order in which fields are given", () => {
    const one = schematicYaml({
      customization: { systemExtensions: { officialExtensions: ["siderolabs/a"] }, extraKernelArgs: ["b"] },
      overlay: { name: "rpi", image: "img" },
    });
    const other = schematicYaml({
      overlay: { image: "img", name: "rpi" },
      customization: { extraKernelArgs: ["b"], systemExtensions: { officialExtensions: ["siderolabs/a"] } },
    });
    assert.equal(one, other);
  });

  test("is of plain strings only", () => {
    for (const text of [
      "siderolabs/qemu-guest-agent",
      "-console",
      "console=ttyS0,115200",
      "net.ifnames=0",
      "force",
      "v1.2.3-x",
    ])
      assert.ok(isPlainSafe(text), text);
    for (const text of [
      "",
      "on",
      "NO",
      "y",
      "null",
      "true",
      "12",
      "1e3",
      "0x1f",
      "0o7",
      "1_000",
      "1:30",
      "2026-01-01",
      ".inf",
      "a: b",
      "a #b",
      "a:",
      " a",
      "a\n",
      "- a",
      "*a",
      "é",
      "~",
      "-.inf",
      "-1",
    ]) {
      assert.ok(!isPlainSafe(text), text);
    }
  });
});

describe("a Talos version is resolved", () => {
  test("as it is when it is exact, without asking anybody", async () => {
    await using w = await world();
    assert.equal(await w.talos.resolve("1.14.2"), "v1.14.2");
    assert.equal(await w.talos.resolve("v1.99.0"), "v1.99.0");
    assert.deepEqual(w.asked(), []);
  });

  test("to the newest stable that GitHub and the factory have, by one request to each for any number of selectors", async () => {
    await using w = await world();
    const resolved = await Promise.all(
      [undefined, "latest", "~1.13", "1.12.x", ">=1.13 <1.15", "1.15.0-alpha.0 - 1.15.0-beta.0"].map((selector) =>
        w.talos.resolve(selector),
      ),
    );
    assert.deepEqual(resolved, ["v1.14.4", "v1.14.4", "v1.13.10", "v1.12.12", "v1.14.4", "v1.15.0-alpha.0"]);
    assert.deepEqual(w.asked().toSorted(), [
      "GET factory /versions 200",
      "GET github /repos/siderolabs/talos/releases 200",
    ]);
  });

  test("to no version that GitHub has released and the factory does not have yet", async () => {
    await using w = await world();
    w.upstreams.addTalos("1.14.5", { factory: false });
    assert.equal(await w.talos.resolve("latest"), "v1.14.4");
  });

  test("to no version that only the factory lists", async () => {
    await using w = await world();
    w.upstreams.addTalos("1.14.6", { github: false });
    assert.equal(await w.talos.resolve("latest"), "v1.14.4");
  });

  test("by the factory's list when GitHub's limit is used up", async () => {
    await using w = await world();
    w.upstreams.setRateLimited(true);
    assert.equal(await w.talos.resolve("latest"), "v1.14.4");
    assert.equal(await w.talos.resolve("~1.13"), "v1.13.10");
  });

  test("to nothing when nothing fits, which names what is near", async () => {
    await using w = await world();
    const failure = await fails(w.talos.resolve("~1.16"), "not-found", /No Talos version fits "~1\.16"/);
    assert.match(failure.remedy.join(), /v1\.14\.4/);
  });

  test("not from nonsense, and nobody is asked about it", async () => {
    await using w = await world();
    await fails(w.talos.resolve("newest"), "usage", /"newest" is neither/);
    assert.deepEqual(w.asked(), []);
  });

  test("not from a factory that does not answer with a list", async () => {
    await using w = await world();
    w.upstreams.fault({ upstream: "factory", fault: { status: 200, body: '{"versions":[]}' } });
    await fails(w.talos.resolve("latest"), "failure", /\/versions did not answer with a list/);
  });
});

describe("a Talos image", () => {
  test("B06: is the uncompressed qcow2 of the nocloud platform, with the guest agent", async () => {
    await using w = await world();
    const image = await w.talos.image("1.14.4", "amd64");
    assert.deepEqual(image, {
      version: "v1.14.4",
      arch: "amd64",
      schematicId: guestAgent,
      url: `${w.upstreams.talosFactoryUrl}/image/${guestAgent}/v1.14.4/nocloud-amd64.qcow2`,
      fileName: "nocloud-amd64.qcow2",
      sizeBytes: 65_536,
    });
    assert.equal((await w.talos.image("v1.14.4", "arm64")).fileName, "nocloud-arm64.qcow2");
  });

  test("is warmed without one byte of it, and its schematic is posted once in a run", async () => {
    await using w = await world();
    await Promise.all([w.talos.image("v1.14.4", "amd64"), w.talos.image("v1.13.10", "amd64")]);
    assert.deepEqual(w.asked().toSorted(), [
      `HEAD factory /image/${guestAgent}/v1.13.10/nocloud-amd64.qcow2 200`,
      `HEAD factory /image/${guestAgent}/v1.14.4/nocloud-amd64.qcow2 200`,
      "POST factory /schematics 201",
    ]);
    assert.ok(w.http.traffic.down < 2000, String(w.http.traffic.down));
  });

  test("of a version that the factory does not have fails and names what is near", async () => {
    await using w = await world();
    const failure = await fails(w.talos.image("v1.14.9", "amd64"), "not-found", /does not have Talos v1\.14\.9/);
    assert.match(failure.remedy.join(), /v1\.14\.4/);
  });

  test("B17: that is listed and not there is not yet available", async () => {
    await using w = await world();
    w.upstreams.setTalosImage("1.14.4", false);
    await fails(
      w.talos.image("v1.14.4", "amd64"),
      "not-found",
      /Talos v1\.14\.4 for amd64 is not yet available: .* is answered 404/,
    );
  });

  test("B17: that fails twice with 500 is asked for again, and no more than three times", async () => {
    await using w = await world();
    w.upstreams.fault({ upstream: "factory", method: "HEAD", times: 2, fault: { status: 500 } });
    assert.ok(await w.talos.image("v1.14.4", "amd64"));
    w.asked();
    w.upstreams.fault({ upstream: "factory", method: "HEAD", fault: { status: 500 } });
    await fails(w.talos.image("v1.14.4", "amd64"), "failure", /500 Internal Server Error, 3 times/);
    assert.equal(w.asked().length, 3);
  });

  test("B18: whose schematic the factory has forgotten is there again after the schematic is posted once more", async () => {
    await using w = await world();
    await w.talos.image("v1.14.4", "amd64");
    w.upstreams.forgetSchematics();
    w.asked();
    assert.ok(await w.talos.image("v1.14.4", "amd64"));
    assert.deepEqual(
      w.asked().map((line) => line.replace(/\/image\/.*\//, "")),
      [
        "HEAD factory nocloud-amd64.qcow2 404",
        "GET factory /versions 200",
        "POST factory /schematics 201",
        "HEAD factory nocloud-amd64.qcow2 200",
      ],
    );
  });

  test("B18: is refused when the factory then answers another ID", async () => {
    await using w = await world();
    await w.talos.image("v1.14.4", "amd64");
    w.upstreams.forgetSchematics();
    w.upstreams.answerSchematicId("0".repeat(64));
    await fails(
      w.talos.image("v1.14.4", "amd64"),
      "verification",
      /answers 0{64} for a schematic whose ID is ce4c9805/,
    );
  });

  test("is refused from a factory that answers another schematic's ID, or none", async () => {
    for (const id of ["0".repeat(64), "not an id", ""]) {
      await using w = await world();
      w.upstreams.answerSchematicId(id);
      await fails(w.talos.image("v1.14.4", "amd64"), "verification", /whose ID is ce4c980550dd/);
      assert.equal(w.asked().filter((line) => line.startsWith("HEAD")).length, 0);
    }
  });

  test("that needs a licence says so", async () => {
    await using w = await world();
    w.upstreams.fault({ upstream: "factory", method: "HEAD", fault: { status: 402 } });
    await fails(
      w.talos.image("v1.14.4", "amd64"),
      "access",
      /402 Payment Required: this factory serves it with a licence only/,
    );
  });

  test("that is never built is waited for no longer than the bound", async () => {
    await using w = await world({ warmSeconds: 0.05 });
    w.upstreams.fault({ upstream: "factory", method: "HEAD", fault: { delayMs: 400 } });
    await fails(w.talos.image("v1.14.4", "amd64"), "failure", /no whole answer within 0\.05 s, 3 times/);
  });
});

test("extensions are sorted, so that their order makes no other image", async () => {
  await using w = await world();
  const one = await w.talos.schematic([
    "siderolabs/util-linux-tools",
    "siderolabs/iscsi-tools",
    "siderolabs/qemu-guest-agent",
  ]);
  const other = await w.talos.schematic([
    "siderolabs/qemu-guest-agent",
    "siderolabs/iscsi-tools",
    "siderolabs/util-linux-tools",
    "siderolabs/iscsi-tools",
  ]);
  assert.equal(one.id, "88d1f7a5c4f1d3aba7df787c448c1d3d008ed29cfb34af53fa0df4336a56040b");
  assert.equal(other.id, one.id);
  assert.equal((await w.talos.schematic([])).id, "376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba");
  await fails(w.talos.schematic(["siderolabs/x: y"]), "usage", /cannot be part/);
});
