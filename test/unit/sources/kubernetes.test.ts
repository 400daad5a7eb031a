import * as assert from "node:assert/strict";
import { describe, test } from "node:test";
import { kubernetesSource } from "../../../src/sources/kubernetes/index.ts";
import { KeyExpired } from "../../../src/trust/index.ts";
import type { PackagesTampering } from "../../stand-in/upstreams/index.ts";
import { fails } from "../fails.ts";
import { today, world } from "./world.ts";

const deb = (minor: string, name: string, status = 200): string =>
  `GET packages /core:/stable:/v${minor}/deb/${name} ${status}`;

describe("a Kubernetes version is resolved", () => {
  test("as it is when it is exact, without asking anybody", async () => {
    await using w = await world();
    assert.equal(await w.kubernetes.resolve("1.37.0"), "v1.37.0");
    assert.equal(await w.kubernetes.resolve("v1.99.0"), "v1.99.0");
    assert.deepEqual(w.asked(), []);
  });

  test("to the newest stable release whose packages are there", async () => {
    await using w = await world();
    const selectors = [undefined, "latest", "~1.36", "1.35.x", ">=1.35 <1.37", "<1.36.4 >=1.36"];
    assert.deepEqual(await Promise.all(selectors.map((selector) => w.kubernetes.resolve(selector))), [
      "v1.37.1",
      "v1.37.1",
      "v1.36.4",
      "v1.35.8",
      "v1.36.4",
      "v1.36.3",
    ]);
    assert.equal(w.asked().filter((line) => line.includes(" github ")).length, 1);
  });

  test("to no version that is released and not packaged yet", async () => {
    await using w = await world();
    w.upstreams.addKubernetes("1.37.2", { packages: false });
    assert.equal(await w.kubernetes.resolve("latest"), "v1.37.1");
  });

  test("to the minor before where the newest minor has no repository yet", async () => {
    await using w = await world();
    w.upstreams.addKubernetes("1.38.0", { packages: false });
    assert.equal(await w.kubernetes.resolve("latest"), "v1.37.1");
    assert.ok(w.asked().includes(deb("1.38", "InRelease", 403)));
    await fails(
      w.kubernetes.resolve("~1.38"),
      "not-found",
      /Kubernetes v1\.38\.0 fits "~1\.38", and .* has no packages of it/,
    );
  });

  test("to no prerelease, for the repository of stable versions has none", async () => {
    await using w = await world();
    await fails(w.kubernetes.resolve(">=1.38.0-alpha.0"), "not-found", /v1\.38\.0-alpha\.1 fits .* no packages/);
  });

  test("by dl.k8s.io when GitHub's limit is used up", async () => {
    await using w = await world();
    w.upstreams.setRateLimited(true);
    assert.equal(await w.kubernetes.resolve("latest"), "v1.37.1");
    assert.deepEqual(w.asked().slice(0, 2), [
      "GET github /repos/kubernetes/kubernetes/releases 403",
      "GET releases /release/stable.txt 200",
    ]);
    assert.equal(await w.kubernetes.resolve("~1.36"), "v1.36.4");
    assert.equal(await w.kubernetes.resolve(">=1.34 <1.36.4"), "v1.36.3");
    await fails(w.kubernetes.resolve("~1.20"), "not-found", /No Kubernetes version fits "~1\.20"/);
  });

  test("by dl.k8s.io to no patch that is packaged and not announced", async () => {
    await using w = await world();
    w.upstreams.setRateLimited(true);
    w.upstreams.addKubernetes("1.37.2", { releases: false });
    assert.equal(await w.kubernetes.resolve("latest"), "v1.37.1");
  });

  test("to nothing when nothing fits, which names what is near", async () => {
    await using w = await world();
    const failure = await fails(w.kubernetes.resolve("~1.36.9"), "not-found", /No Kubernetes version fits "~1\.36\.9"/);
    assert.match(failure.remedy.join(), /v1\.37\.1, .*v1\.36\.4/);
  });

  test("not from nonsense, and nobody is asked about it", async () => {
    await using w = await world();
    await fails(w.kubernetes.resolve("stable"), "usage", /"stable" is neither/);
    assert.deepEqual(w.asked(), []);
  });

  test("not from a channel that does not answer with a version", async () => {
    await using w = await world();
    w.upstreams.setRateLimited(true);
    w.upstreams.fault({ upstream: "releases", fault: { status: 200, body: "<html>" } });
    await fails(w.kubernetes.resolve("latest"), "failure", /stable\.txt did not answer with a version/);
  });
});

describe("the packages of a version", () => {
  test("B69: are exact, the highest revision of each, from an index that the key has signed", async () => {
    await using w = await world();
    w.upstreams.addKubernetes("1.37.2", { revisions: ["1.1", "2.1", "10.1"] });
    const { key, ...packages } = await w.kubernetes.packages("1.37.2", "arm64");
    assert.deepEqual(packages, {
      version: "v1.37.2",
      arch: "arm64",
      repositoryUrl: `${w.upstreams.kubernetesPackagesUrl}/core:/stable:/v1.37/deb/`,
      kubeadm: "1.37.2-10.1",
      kubelet: "1.37.2-10.1",
      kubectl: "1.37.2-10.1",
      criTools: "1.37.0-1.1",
      kubernetesCni: "1.8.0-1.1",
      verified: { signer: w.upstreams.kubernetesKeyFingerprint, signedAt: new Date("2026-11-29T12:00:00Z") },
    });
    assert.equal(key.fingerprint, w.upstreams.kubernetesKeyFingerprint);
    assert.match(key.armored, /^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
    assert.deepEqual(key.expires, new Date("2028-11-29T12:00:00Z"));
  });

  test("never belong to a version that only begins alike", async () => {
    await using w = await world({ kubernetes: ["1.37.10", "1.37.11"] });
    await fails(w.kubernetes.packages("1.37.1", "amd64"), "not-found", /no package kubeadm of v1\.37\.1 for amd64/);
    assert.equal((await w.kubernetes.packages("1.37.10", "amd64")).kubeadm, "1.37.10-1.1");
  });

  test("of several versions of a minor cost three small requests", async () => {
    await using w = await world();
    await Promise.all([
      w.kubernetes.packages("1.37.1", "amd64"),
      w.kubernetes.packages("1.37.0", "arm64"),
      w.kubernetes.resolve("1.37.x"),
    ]);
    assert.deepEqual(
      w
        .asked()
        .filter((line) => line.includes(" packages "))
        .toSorted(),
      [deb("1.37", "InRelease"), deb("1.37", "Packages.gz"), deb("1.37", "Release.key")],
    );
    assert.ok(w.http.traffic.down < 20_000, String(w.http.traffic.down));
  });

  test("B69: of a minor that is not published fail before anything else is asked", async () => {
    await using w = await world();
    const failure = await fails(
      w.kubernetes.packages("v1.38.0", "amd64"),
      "not-found",
      /Kubernetes 1\.38 has no packages yet: .*\/v1\.38\/deb\/ is answered 403/,
    );
    assert.match(failure.remedy.join(), /--kubernetes-packages-url/);
    assert.equal(w.asked().length, 3);
  });

  test("of a version that its minor does not have fail and name what is near", async () => {
    await using w = await world();
    const failure = await fails(
      w.kubernetes.packages("1.37.7", "amd64"),
      "not-found",
      /no package kubeadm of v1\.37\.7 for amd64/,
    );
    assert.match(failure.remedy.join(), /v1\.37\.1/);
  });

  test("come from the plain index where the compressed one is not there", async () => {
    await using w = await world();
    w.upstreams.fault({ upstream: "packages", path: "Packages.gz", fault: { status: 404 } });
    assert.equal((await w.kubernetes.packages("1.37.1", "amd64")).kubeadm, "1.37.1-1.1");
  });

  test("are read again, once, when the index is newer than its signature", async () => {
    await using w = await world();
    w.upstreams.fault({
      upstream: "packages",
      path: "Packages.gz",
      times: 1,
      fault: { status: 200, body: "of another day" },
    });
    assert.equal((await w.kubernetes.packages("1.37.1", "amd64")).kubeadm, "1.37.1-1.1");
    assert.equal(w.asked().filter((line) => line.includes("InRelease")).length, 2);
  });

  const refusals: [PackagesTampering, RegExp][] = [
    ["byte-changed", /InRelease is not accepted: the signature by [0-9A-F]{40} does not hold/],
    ["signature-by-another-key", /InRelease is not accepted: it is signed by [0-9A-F]{16}, and only/],
    ["not-signed", /InRelease is not accepted: it is not signed/],
    ["text-appended", /InRelease is not accepted: something stands before or after/],
    ["text-before", /InRelease is not accepted: something stands before or after/],
    ["inrelease-truncated", /InRelease is not accepted: .*cut off/],
    ["index-changed", /Packages\.gz of .* is not what .*InRelease says/],
    ["index-truncated", /Packages\.gz of .* is not what .*InRelease says/],
    ["key-of-another", /Release\.key is not accepted: it does not hold the key [0-9A-F]{40}; there: [0-9A-F]{40}/],
    ["key-missing", /Release\.key is answered 403: without its key nothing/],
  ];
  for (const [how, why] of refusals) {
    test(`are not taken from a repository with: ${how}`, async () => {
      await using w = await world();
      w.upstreams.tamperKubernetes(how);
      await fails(w.kubernetes.packages("1.37.1", "amd64"), "verification", why);
      w.upstreams.tamperKubernetes(undefined);
      assert.ok(await w.kubernetes.packages("1.37.1", "amd64"));
    });
  }

  test("are not taken where the project's own key should have signed and did not", async () => {
    await using w = await world();
    const source = kubernetesSource(w.http, w.github, {
      packagesUrl: w.upstreams.kubernetesPackagesUrl,
      now: () => today,
    });
    await fails(
      source.packages("1.37.1", "amd64"),
      "verification",
      /does not hold the key DE15B14486CD377B9E876E1A234654DA9A296436/,
    );
  });
});

describe("B68: a repository whose copy of the key is over", () => {
  const past = new Date("2026-11-01T00:00:00Z");

  test("is read with the newest minor's copy of the same key, which lives longer", async () => {
    await using w = await world();
    await w.upstreams.setKubernetesKeyExpiry(past, ["1.35"]);
    const { key, kubeadm } = await w.kubernetes.packages("1.35.8", "amd64");
    assert.equal(kubeadm, "1.35.8-1.1");
    assert.deepEqual(key.expires, new Date("2028-11-29T12:00:00Z"));
    assert.deepEqual(w.asked().slice(-2), ["GET releases /release/stable.txt 200", deb("1.37", "Release.key")]);
  });

  test("is refused with the date when every copy is over", async () => {
    await using w = await world();
    await w.upstreams.setKubernetesKeyExpiry(past);
    for (const version of ["1.37.1", "1.35.8"]) {
      await assert.rejects(
        w.kubernetes.packages(version, "amd64"),
        (error) =>
          error instanceof KeyExpired &&
          error.kind === "verification" &&
          /expired on 2026-11-01 00:00:00 UTC/.test(error.message),
      );
    }
  });

  test("is never read with another key, whichever the newest minor serves", async () => {
    await using w = await world();
    await w.upstreams.setKubernetesKeyExpiry(past, ["1.35"]);
    w.upstreams.fault({
      upstream: "packages",
      path: "v1.37/deb/Release.key",
      fault: { status: 200, body: w.upstreams.ubuntuKeyring },
    });
    await fails(
      w.kubernetes.packages("1.35.8", "amd64"),
      "verification",
      /v1\.37\/deb\/Release\.key is not accepted: it does not hold the key/,
    );
  });

  test("also ends the resolving of a version, rather than giving an older one", async () => {
    await using w = await world();
    await w.upstreams.setKubernetesKeyExpiry(past);
    await fails(w.kubernetes.resolve("latest"), "verification", /expired on 2026-11-01/);
  });
});
