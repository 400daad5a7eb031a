import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { action, assertConclusion } from "../e2e/harness/action.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { buildOf } from "../e2e/harness/retirement.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld } from "../e2e/harness/world.ts";

interface Spdx {
  spdxVersion: string;
  packages: { name: string; versionInfo?: string; downloadLocation: string }[];
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Spdx;

describe("the SBOM", { concurrency: 3 }, () => {
  test("of a command's template lists the guest's packages, is named by target and build, and only written when asked for", async () => {
    await using world = await startWorld({ resourcesLagMs: 50 });
    const folder = path.join(world.directory, "sbom");
    const end = await kubehenge(
      world,
      `template create kubeadm --kubernetes-version v1.37.1 --node pve1 --sbom ${folder}`,
    );
    assertCode(end, 0);
    const vm = assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"));
    const name = `kubeadm-v1.37.1-ubuntu-26.04-${buildOf(vm)}.spdx.json`;
    assert.deepEqual(readdirSync(folder), [name]);
    const document = read(path.join(folder, name));
    assert.equal(document.spdxVersion, "SPDX-2.3");
    assert.match(document.packages.find((one) => one.name === "kubelet")?.versionInfo ?? "", /^1\.37\.1-/);
    assert.ok(document.packages.some((one) => one.name === "registry.k8s.io/kube-apiserver"));
    assert.match(document.packages[0]?.downloadLocation ?? "", /cloudimg-amd64\.img$/);
    assertCode(await kubehenge(world, `template create talos --node pve1`), 0);
    assert.deepEqual(readdirSync(folder), [name]);
  });

  test("of the build that is replaced tells the summary what changed; both files stay", async () => {
    await using world = await startWorld({ resourcesLagMs: 50 });
    const folder = path.join(world.directory, "sbom");
    const inputs = { distribution: "kubeadm", versions: "v1.37.1", "sbom-directory": folder };
    const first = await action(world, inputs);
    assertConclusion(first, "success");
    assert.equal(path.dirname(first.outputs["sbom"] ?? ""), folder);
    assert.doesNotMatch(first.summary, /What changed/);
    const again = await action(world, inputs);
    assert.equal(again.outputs["sbom"], first.outputs["sbom"], "the file of the one that is reused");
    world.upstreams.world.packages.revisions.set("1.37.1", ["1.1", "2.1"]);
    const end = await action(world, { ...inputs, refresh: "outdated" });
    assertConclusion(end, "success");
    assert.match(
      end.summary,
      /### What changed in kubeadm v1\.37\.1 on Ubuntu 26\.04\n\nAgainst the build that it replaces: \d+ changed, 0 added, 0 removed\./,
    );
    assert.match(end.summary, /\| kubelet \| 1\.37\.1-1\.1 \| 1\.37\.1-2\.1 \|/);
    assert.equal(readdirSync(folder).length, 2);
  });

  test("of the Action lies in RUNNER_TEMP by default; of several templates the output is the directory, of a reused one nothing", async () => {
    await using world = await startWorld({ resourcesLagMs: 50 });
    const directory = path.join(world.directory, "job");
    mkdirSync(directory);
    const end = await action(world, { distribution: "talos", versions: "v1.14.4\nv1.14.3" }, { directory });
    assertConclusion(end, "success");
    const folder = end.outputs["sbom"] ?? assert.fail("no output");
    assert.match(folder, /\/temp\/kubehenge-sbom$/);
    assert.equal(readdirSync(folder).length, 2);
    for (const name of readdirSync(folder))
      assert.equal(read(path.join(folder, name)).packages.length, 1, "Talos: the image alone");
    const reused = await action(world, { distribution: "talos", versions: "v1.14.4" });
    assert.equal(reused.outputs["sbom"], undefined);
  });

  test("that cannot be written fails the run, but not the template", async () => {
    await using world = await startWorld({ resourcesLagMs: 50 });
    const file = path.join(world.directory, "file");
    writeFileSync(file, "");
    const end = await kubehenge(world, `template create talos --node pve1 --sbom ${file}`);
    assertCode(end, 1);
    assert.match(end.stderr, /The SBOM could not be written: /);
    assert.match(end.stdout, /created/);
    const acted = await action(world, { distribution: "rke2", "sbom-directory": file });
    assertConclusion(acted, "failure");
    assert.match(acted.annotations[0]?.message ?? "", /The SBOM could not be written/);
    assert.ok(acted.outputs["vmid"]);
    assertTemplate(world, tagsOf.ubuntu("26.04"));
  });
});
