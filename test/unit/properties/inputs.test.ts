import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { requestInputs } from "../../../src/action/inputs.ts";
import { parseUpstreams } from "../../../src/distributions/upstreams.ts";
import { Failure } from "../../../src/failure/failure.ts";
import { apiPath } from "../../../src/proxmox/client.ts";
import { parseConnection } from "../../../src/proxmox/connection.ts";
import { exactVersion, isExact } from "../../../src/sources/exact-version.ts";
import { matchingVersions, selectVersion } from "../../../src/sources/versions.ts";
import { parseCreateRequest, parsePlanRequests } from "../../../src/templates/request.ts";
import {
  parseDeleteRequest,
  parseListRequest,
  parsePruneRequest,
  parseRollbackRequest,
  parseSweepRequest,
  parseVerifyRequest,
} from "../../../src/templates/upkeep-requests.ts";
import { orFailure, strangeText } from "./strange-text.ts";

const likely = fc.constantFrom(
  "talos",
  "rke2",
  "kubeadm",
  "1",
  "60",
  "true",
  "pve1",
  "local",
  "192.0.2.10/24",
  "192.0.2.1",
  "http://mirror.example.org/ubuntu",
);
const raw = fc.dictionary(fc.constantFrom(...requestInputs), fc.oneof(strangeText, likely));
const named = (input: string) => `input ${input}`;

suite("whatever is given as input", () => {
  test("a request is read or refused as wrong usage, never anything else", () => {
    fc.assert(
      fc.property(raw, (given) => {
        for (const parse of [
          parseCreateRequest,
          parsePlanRequests,
          parseDeleteRequest,
          parseListRequest,
          parsePruneRequest,
          parseRollbackRequest,
          parseSweepRequest,
          parseVerifyRequest,
        ]) {
          const end = orFailure(() => parse({ distribution: "talos", ...given }, named));
          if (end instanceof Failure) assert.equal(end.kind, "usage");
        }
      }),
      { numRuns: 400 },
    );
  });

  test("what goes into URL paths and VM parameters has no character that means something there", () => {
    fc.assert(
      fc.property(raw, (given) => {
        const request = orFailure(() => parseCreateRequest({ distribution: "talos", ...given }, named));
        if (request instanceof Failure) return;
        for (const text of [
          request.node,
          request.storage,
          request.importStorage,
          request.isoStorage,
          request.bridge,
          request.imageRepository,
        ]) {
          assert.doesNotMatch(text ?? "", /[\s,;=%?#&'"`$\\]|\.\.\//);
        }
        for (const name of [request.node, request.storage, request.importStorage, request.isoStorage, request.pool])
          assert.doesNotMatch(name ?? "", /^\.{1,2}$/);
      }),
      { numRuns: 400 },
    );
  });

  test("a path part never leaves its place in the path", () => {
    fc.assert(
      fc.property(strangeText, (part) => {
        const path = orFailure(() => apiPath`/nodes/${part}/qemu`);
        if (path instanceof Failure) return;
        const url = new URL(`https://pve.example.org:8006${path}`);
        assert.equal(url.search + url.hash, "");
        assert.deepEqual([url.pathname.split("/").length, url.pathname.endsWith("/qemu")], [4, true]);
      }),
    );
  });

  test("a connection is read or refused, and no refusal shows the token's secret", () => {
    const secret = "6a0f3e52-secret-0b11";
    const token = fc.oneof(
      strangeText.map((text) => `root@pam!${text}=${secret}`),
      fc.constantFrom(
        `root@pam!x=${secret}`,
        `root@pam!x:${secret}`,
        `PVEAPIToken=root@pam!x=${secret}`,
        `root@pam=${secret}`,
        secret,
      ),
    );
    fc.assert(
      fc.property(
        fc.oneof(strangeText, fc.constant("pve.example.org")),
        token,
        strangeText,
        strangeText,
        (url, given, ca, fingerprint) => {
          const end = orFailure(() =>
            parseConnection({ url, token: given, ca, fingerprint, insecure: false }, (option) => option),
          );
          if (!(end instanceof Failure)) return assert.match(end.origin, /^https:\/\/[^/\s@]+:\d+$/);
          assert.equal(end.kind, "usage");
          assert.ok(![end.message, ...end.remedy].join("\n").includes(secret));
        },
      ),
      { numRuns: 400 },
    );
  });

  test("addresses of upstreams are http or https, or refused", () => {
    fc.assert(
      fc.property(strangeText, strangeText, (url, fingerprint) => {
        const end = orFailure(() =>
          parseUpstreams({ "ubuntu-url": url, "kubernetes-key-fingerprint": fingerprint }, named),
        );
        if (end instanceof Failure) return assert.equal(end.kind, "usage");
        if (end.ubuntuUrl !== undefined) assert.match(new URL(end.ubuntuUrl).protocol, /^https?:$/);
        assert.match(end.kubernetesKeyFingerprint ?? "0".repeat(40), /^[0-9A-F]{40}$/);
      }),
    );
  });
});

suite("whatever is given as a version", () => {
  const versions = fc.array(
    fc.oneof(
      strangeText,
      fc.tuple(fc.nat(3), fc.nat(40), fc.nat(12)).map((parts) => `v${parts.join(".")}`),
    ),
    { maxLength: 12 },
  );
  const selectors = fc.oneof(
    strangeText,
    fc.constantFrom("latest", "~1.36", "1.37.x", ">=1 <2", "v1.37.1", "1.38.0-rc.0", "*", "x", ">", "1.2.3 - 4"),
  );

  test("what is chosen is a candidate, newest first, or the selector is refused", () => {
    fc.assert(
      fc.property(selectors, versions, (selector, candidates) => {
        const fitting = orFailure(() => matchingVersions(selector, candidates));
        const chosen = orFailure(() => selectVersion(selector, candidates));
        if (fitting instanceof Failure) {
          assert.equal(fitting.kind, "usage");
          assert.ok(chosen instanceof Failure);
          return;
        }
        const plainCandidates = candidates.map((candidate) => candidate.replace(/^v/, ""));
        for (const one of fitting) {
          assert.match(one, /^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
          assert.ok(plainCandidates.includes(one.slice(1)));
        }
        if (chosen instanceof Failure) assert.deepEqual([chosen.kind, fitting], ["not-found", []]);
        else assert.equal(chosen, fitting[0]);
      }),
      { numRuns: 400 },
    );
  });

  test("an exact version comes out as vX.Y.Z with nothing around it", () => {
    fc.assert(
      fc.property(selectors, (selector) => {
        if (!isExact(selector)) return assert.ok(orFailure(() => exactVersion(selector)) instanceof Failure);
        assert.match(exactVersion(selector), /^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
      }),
    );
  });
});
