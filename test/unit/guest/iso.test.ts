import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { assert as assertProperty, property, record, stringMatching, uint8Array, uniqueArray } from "fast-check";
import { Failure } from "../../../src/failure/failure.ts";
import { seedFiles, seedIso } from "../../../src/guest/index.ts";
import { writeIso } from "../../../src/guest/iso9660/write-iso.ts";
import { readIso } from "../../stand-in/guest/iso-reader.ts";
import { kubeadmPlan, ubuntuPlan } from "./plans.ts";
import { run, without } from "./programs.ts";

const created = new Date("2026-11-30T10:20:30.450Z");
const seedNames = ["meta-data", "network-config", "user-data"];
const folder = mkdtempSync(join(tmpdir(), "kubehenge-iso-"));
after(() => rmSync(folder, { recursive: true }));

function isoFile(bytes: Uint8Array): string {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.iso`);
  writeFileSync(path, bytes);
  return path;
}

describe("the ISO writer", () => {
  it("B67: labels the seed cidata and names its files exactly, in Rock Ridge and in Joliet", () => {
    for (const plan of [ubuntuPlan, kubeadmPlan]) {
      const iso = seedIso(plan, created);
      for (const naming of ["rock-ridge", "joliet"] as const) {
        const volume = readIso(iso, naming);
        assert.equal(volume?.label, "cidata");
        assert.deepEqual([...(volume?.files.keys() ?? [])].toSorted(), seedNames);
      }
      assert.equal(readIso(iso)?.naming, "rock-ridge");
    }
  });

  it("stays under 1 MiB and in whole sectors of 2048 bytes", () => {
    const iso = seedIso(kubeadmPlan, created);
    assert.ok(iso.length < 1024 * 1024);
    assert.equal(iso.length % 2048, 0);
  });

  it("gives the same bytes for the same input", () => {
    assert.deepEqual(seedIso(kubeadmPlan, created), seedIso(kubeadmPlan, created));
  });

  it("holds the user-data compressed, as cloud-init unpacks it, and the rest as text", () => {
    const written = readIso(seedIso(kubeadmPlan, created))?.files ?? assert.fail("no ISO");
    const files = seedFiles(kubeadmPlan);
    const userData = written.get("user-data") ?? assert.fail("no user-data");
    assert.equal(gunzipSync(userData).toString(), files["user-data"]);
    assert.ok(userData.length < 0.4 * files["user-data"].length, `${userData.length} bytes`);
    assert.equal(new TextDecoder().decode(written.get("meta-data")), files["meta-data"]);
  });

  it("B67: blkid takes it for an ISO 9660 volume labelled cidata", { skip: without("blkid") }, () => {
    const { out } = run("blkid", ["-p", "-o", "export", isoFile(seedIso(ubuntuPlan, created))]);
    assert.match(out, /^LABEL=cidata$/m);
    assert.match(out, /^TYPE=iso9660$/m);
  });

  it("isoinfo lists and extracts the files by Rock Ridge and by Joliet names", { skip: without("isoinfo") }, () => {
    const iso = seedIso(kubeadmPlan, created);
    const path = isoFile(iso);
    const network = seedFiles(kubeadmPlan)["network-config"];
    for (const naming of ["-R", "-J"]) {
      const listed = run("isoinfo", [naming, "-f", "-i", path]).out.trim().split("\n");
      assert.deepEqual(
        listed.toSorted(),
        seedNames.map((name) => `/${name}`),
      );
      assert.equal(run("isoinfo", [naming, "-x", "/network-config", "-i", path]).out, network);
    }
    assert.match(
      run("isoinfo", ["-d", "-i", path]).out,
      /Joliet with UCS level 3 found[\s\S]*Rock Ridge signatures version 1 found/,
    );
  });

  it("xorriso extracts every file as it was, and has nothing to complain of", { skip: without("xorriso") }, () => {
    const files = [
      { name: "empty", bytes: new Uint8Array(0) },
      { name: "sector", bytes: new Uint8Array(2048).fill(65) },
      { name: "longer-than-a-sector.txt", bytes: new Uint8Array(5000).fill(66) },
    ];
    const path = isoFile(writeIso(files, { label: "cidata", created }));
    const target = join(folder, "extracted");
    const { code, err } = run("xorriso", [
      "-abort_on",
      "NEVER",
      "-return_with",
      "WARNING",
      "32",
      "-osirrox",
      "on",
      "-indev",
      path,
      "-extract",
      "/",
      target,
    ]);
    assert.equal(code, 0, err);
    for (const { name, bytes } of files) assert.deepEqual(new Uint8Array(readFileSync(join(target, name))), bytes);
  });

  it("holds any files of any lawful names, read back by a reader of its own", () => {
    const name = stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/);
    const file = record({ name, bytes: uint8Array({ maxLength: 5000 }) });
    assertProperty(
      property(uniqueArray(file, { selector: (entry) => entry.name, maxLength: 40 }), (files) => {
        const iso = writeIso(files, { label: "cidata", created });
        const wanted = new Map(files.map((entry) => [entry.name, entry.bytes]));
        for (const naming of ["rock-ridge", "joliet"] as const)
          assert.deepEqual(new Map(readIso(iso, naming)?.files), wanted);
        assert.equal(readIso(iso, "plain")?.files.size, files.length);
      }),
      { numRuns: 60 },
    );
  });

  it("refuses names, labels, times and sizes that do not fit", () => {
    const one = (name: string, size = 1) => [{ name, bytes: new Uint8Array(size) }];
    const volume = { label: "cidata", created };
    for (const name of ["", ".", ".hidden", "a/b", "a b", "ä", "a\n", "a".repeat(65)]) {
      assert.throws(() => writeIso(one(name), volume), Failure, name);
    }
    assert.throws(() => writeIso([...one("a"), ...one("a")], volume), /given twice/);
    assert.throws(() => writeIso(one("a"), { ...volume, label: "a label" }), Failure);
    assert.throws(() => writeIso(one("a"), { ...volume, created: new Date(Number.NaN) }), Failure);
    assert.throws(() => writeIso(one("a", 1024 * 1024), volume), /1 MiB/);
  });
});

describe("the reader that the simulated guest uses", () => {
  const samples = resolve(import.meta.dirname, "../../../../shared/upstream/iso");
  const skip = existsSync(samples) ? false : "no sample images beside the project";

  it("finds the names in genisoimage's seed, and not in one without Rock Ridge and Joliet", { skip }, () => {
    const good = readIso(readFileSync(join(samples, "genisoimage-RJ-cidata.iso")));
    assert.equal(good?.label, "cidata");
    assert.ok(good.files.has("user-data") && good.files.has("meta-data"));
    const broken = readIso(readFileSync(join(samples, "genisoimage-plain-cidata-BROKEN.iso")));
    assert.equal(broken?.naming, "plain");
    assert.ok(!broken.files.has("user-data"));
  });

  it("takes other bytes for no ISO image", () => {
    assert.equal(readIso(new Uint8Array(100_000)), undefined);
    assert.equal(readIso(new Uint8Array(10)), undefined);
  });
});
