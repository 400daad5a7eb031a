import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import {
  kubeadmTarget,
  onNode,
  sameTags,
  talosTarget,
  targetOfTags,
  ubuntuTarget,
  type Target,
} from "../../../src/distributions/target.ts";
import { splitTags } from "../../../src/proxmox/cluster.ts";
import { leaseSchema, newLease, type Lease } from "../../../src/templates/lease.ts";
import { manifestDigest, manifestSchema, type Manifest } from "../../../src/templates/manifest.ts";
import { escapeMarkdown, leaseNotes, readNotes, templateNotes } from "../../../src/templates/notes.ts";
import { strangeText } from "./strange-text.ts";

const build = fc.stringMatching(/^[0-9a-f]{12}$/);
const version = fc.tuple(fc.nat(9), fc.nat(50), fc.nat(30)).map((parts) => `v${parts.join(".")}`);
const release = fc.constantFrom("22.04", "24.04", "26.04", "28.04");
const node = fc.option(fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), { nil: undefined });
const general = fc.oneof(
  version.map(talosTarget),
  release.map((one) => ubuntuTarget("rke2", one)),
  fc.tuple(version, release).map(([one, on]) => kubeadmTarget(one, on)),
);
const placed = (one: Target, on: string | undefined): Target => (on === undefined ? one : onNode(one, on));
const target: fc.Arbitrary<Target> = fc.tuple(general, node).map(([one, on]) => placed(one, on));

const manifest: fc.Arbitrary<Manifest> = fc.record(
  {
    schema: fc.constant(1 as const),
    build,
    distribution: fc.constantFrom("talos", "rke2", "kubeadm"),
    version,
    ubuntuRelease: release,
    architecture: fc.constantFrom("amd64", "arm64"),
    image: fc.record({ url: strangeText, file: strangeText, sha256: fc.stringMatching(/^[0-9a-f]{64}$/) }),
    verified: fc.array(
      fc.record({ what: strangeText, by: fc.constantFrom("signature" as const, "tls" as const), signer: strangeText }),
      { maxLength: 3 },
    ),
    packages: fc.dictionary(fc.constantFrom("kubeadm", "kubelet"), strangeText),
    kernel: strangeText,
    created: fc.constant("2026-11-30T03:00:00.000Z"),
    run: strangeText,
    runUrl: strangeText,
    program: strangeText,
  },
  {
    requiredKeys: [
      "schema",
      "build",
      "distribution",
      "version",
      "architecture",
      "image",
      "verified",
      "created",
      "run",
      "program",
    ],
  },
) as fc.Arbitrary<Manifest>;

const lease: fc.Arbitrary<Lease> = fc
  .record({ build, target, run: strangeText, url: strangeText, reason: strangeText, kept: fc.boolean() })
  .map((given) => ({
    ...newLease(given.build, given.target, { id: given.run, url: given.url, program: "kubehenge/0" }, 0, 3_600_000, {
      seed: `local:iso/kubehenge-seed-${given.build}.iso`,
      image: "local:import/kubehenge-x.qcow2",
    }),
    ...(given.kept ? { state: "kept" as const, reason: given.reason } : {}),
  }));

/** What Proxmox VE keeps of notes: no newline at their end. */
const asStored = (notes: string) => notes.replace(/\n+$/, "");

suite("notes of VMs", () => {
  test("whatever stands in them, reading throws nothing and takes no more than a moment", () => {
    const block = fc.oneof(
      strangeText,
      fc.json().map((text) => `\`\`\`json\n${text}\n\`\`\``),
      fc.constantFrom("\n```json\n", "\n```", "```json\n", " ".repeat(50)),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 60 }), (parts) => {
        const note = readNotes(parts.join("").slice(0, 8192));
        if (note?.lease) assert.ok(leaseSchema().safeParse(note.lease).success);
        if (note?.manifest) assert.ok(manifestSchema().safeParse(note.manifest).success);
      }),
      { numRuns: 300 },
    );
    assert.equal(readNotes(undefined), undefined);
  });

  test("a manifest is read back as it was written, with the same digest, within Proxmox VE's limit", () => {
    fc.assert(
      fc.property(target, manifest, (of, made) => {
        const notes = templateNotes(of, made);
        const read = readNotes(asStored(notes))?.manifest;
        assert.deepEqual(read, JSON.parse(JSON.stringify(made)));
        assert.equal(manifestDigest(read as Manifest), manifestDigest(made));
        assert.ok(notes.length <= 8192);
      }),
    );
  });

  test("a lease is read back as it was written, whatever the run is called and for whatever reason it was kept", () => {
    fc.assert(fc.property(lease, (made) => assert.deepEqual(readNotes(asStored(leaseNotes(made)))?.lease, made)));
  });

  test("text of others cannot end the person's part, open a block, or bring HTML", () => {
    fc.assert(
      fc.property(strangeText, (text) => {
        const shown = escapeMarkdown(text);
        assert.doesNotMatch(shown, /[\r\n<>]|(^|[^\\])`/);
      }),
    );
  });

  test("a lease that names another volume than its own seed is none: what it names would be removed", () => {
    const volume = fc.oneof(
      strangeText,
      fc.constantFrom(
        "local:iso/debian.iso",
        "shared-storage:100/vm-100-disk-0.qcow2",
        "local:iso/kubehenge-seed-000000000000.iso",
        "local:iso/../kubehenge-seed-0123456789ab.iso",
      ),
    );
    fc.assert(
      fc.property(lease, volume, (made, seed) => {
        fc.pre(seed !== made.seed);
        assert.equal(readNotes(leaseNotes({ ...made, seed })), undefined);
      }),
    );
  });
});

suite("sets of tags", () => {
  test("each target is read back from its tags in whatever order and case they come", () => {
    fc.assert(
      fc.property(target, fc.boolean(), fc.infiniteStream(fc.nat()), (one, upper, order) => {
        const shuffled = [...one.tags]
          .map((tag) => ({ tag, at: order.next().value as number }))
          .sort((a, b) => a.at - b.at)
          .map(({ tag }) => tag);
        const text = shuffled.join(";");
        const read = splitTags(upper ? text.toUpperCase() : text);
        assert.ok(sameTags(read, one.tags));
        assert.equal(targetOfTags(read)?.name, one.name);
      }),
    );
  });

  test("no set is a subset of another target's, so that no cluster finds two", () => {
    fc.assert(
      fc.property(general, general, node, (first, second, on) => {
        fc.pre(first.name !== second.name);
        const [one, other] = [placed(first, on), placed(second, on)];
        assert.ok(
          !one.tags.every((tag) => other.tags.includes(tag)),
          `${one.tags.join(";")} in ${other.tags.join(";")}`,
        );
      }),
    );
  });

  test("whatever tags a VM bears, reading them throws nothing, and finds a target only in an exact set", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            strangeText,
            fc.constantFrom(
              "kubehenge",
              "talos",
              "ubuntu",
              "kubeadm",
              "talos-v1.14.4",
              "ubuntu-26.04",
              "kubernetes-v1.37.1",
              "node-pve1",
            ),
          ),
        ),
        (tags) => {
          const found = targetOfTags(splitTags(tags.join(";")));
          if (found) assert.ok(sameTags(found.tags, splitTags(tags.join(";"))));
        },
      ),
    );
  });
});
