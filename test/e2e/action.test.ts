import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { action, assertConclusion } from "./harness/action.ts";
import { shown, writes } from "./harness/calls.ts";
import { projectRoot } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { assertTemplate, tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";

describe("the Action", { concurrency: 3 }, () => {
  test("creates a template, tells it in its outputs and summary, and reuses it the next time", async () => {
    await using world = await startWorld();
    const created = await action(world, { distribution: "kubeadm", versions: "v1.37.1" });
    assertConclusion(created, "success");
    const vm = assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"));
    const { templates, digest, sbom, ...outputs } = created.outputs;
    assert.match(sbom ?? "", /\/kubehenge-sbom\/kubeadm-v1\.37\.1-ubuntu-26\.04-[0-9a-f]{12}\.spdx\.json$/);
    assert.deepEqual(outputs, {
      changed: "true",
      count: "1",
      vmid: String(vm.vmid),
      node: "pve1",
      name: "kubeadm-v1.37.1-ubuntu-26.04",
      tags: tagsOf.kubeadm("v1.37.1", "26.04").join(";"),
      version: "v1.37.1",
    });
    assert.match(digest ?? "", /^sha256:[0-9a-f]{64}$/);
    const matrix = JSON.parse(templates ?? "") as Record<string, unknown>[];
    for (const name of "distribution version ubuntuRelease vmid node storage name tags created digest image".split(" "))
      assert.ok(matrix[0]?.[name], `the matrix has no ${name}`);
    assert.equal(matrix[0]?.["ubuntuRelease"], "26.04");
    assert.ok(!Number.isNaN(Date.parse(String(matrix[0]?.["created"]))));
    assert.deepEqual(created.droppedOutputs, []);

    const { summary } = created;
    assert.match(summary, /^## 1 template: 1 created$/m);
    assert.match(summary, /^\| Template \| Version \| VMID \| Node \| Storage \| Result \| Took \|$/m);
    assert.match(
      summary,
      new RegExp(
        `^\\| kubeadm v1\\.37\\.1 on Ubuntu 26\\.04 \\| v1\\.37\\.1 \\| ${vm.vmid} \\| pve1 \\| shared-storage \\| created: .* \\|`,
        "m",
      ),
    );
    assert.match(summary, /### Verified[^]*Ubuntu 26\.04 cloud image.*signature of [0-9A-F]{40}/);
    assert.match(summary, /Kubernetes v1\.37\.1 packages \| signature of [0-9A-F]{40}/);
    assert.match(
      summary,
      /```\ntemplateSelector:\n {2}matchTags:\n {4}- kubeadm\n {4}- kubehenge\n {4}- kubernetes-v1\.37\.1\n {4}- ubuntu-26\.04\n```/,
    );
    assert.match(
      summary,
      /<details><summary>Where the time went<\/summary>\n\n```mermaid\ngantt\n[^]*section kubeadm v1\.37\.1 on Ubuntu 26\.04\n[^]*preparing the guest[^]*```\n\n<\/details>/,
    );
    assert.deepEqual(created.groups, ["kubeadm v1.37.1 on Ubuntu 26.04"]);
    assert.equal(created.postExitCode, 0);

    const again = await action(world, { distribution: "kubeadm", versions: "v1.37.1" });
    assertConclusion(again, "success");
    assert.equal(again.outputs["changed"], "false");
    assert.equal(again.outputs["digest"], digest);
    assert.equal(again.outputs["vmid"], String(vm.vmid));
    assert.match(again.summary, /^## 1 template: 1 reused$/m);
    assert.match(again.summary, /reused: VM 100 in pool kubehenge-templates carries its tags and is whole/);
    assert.deepEqual(shown(writes(again.calls)), []);
    assertNothingLeft(world, 1);
  });

  test("makes one template per line of versions, and sets outputs of a single one only where there is one", async () => {
    await using world = await startWorld();
    const end = await action(world, { distribution: "talos", versions: "~1.13\nv1.14.2\n~1.13\n", parallel: "2" });
    assertConclusion(end, "success");
    assert.equal(end.outputs["count"], "2");
    const rows = JSON.parse(end.outputs["templates"] ?? "") as { version: string; vmid: number }[];
    assert.deepEqual(
      rows.map(({ version }) => version),
      ["v1.13.10", "v1.14.2"],
    );
    for (const name of ["vmid", "node", "name", "tags", "version", "digest"])
      assert.equal(end.outputs[name], undefined, name);
    assert.deepEqual([...end.groups].sort(), ["Talos v1.13.10", "Talos v1.14.2"]);
    assert.match(end.summary, /^## 2 templates: 2 created$/m);
    assertNothingLeft(world, 2);
  });

  test("takes '' for unset, as an expression on a schedule gives it", async () => {
    await using world = await startWorld();
    const empty = Object.fromEntries(
      "command versions ubuntu-release storage pool import-storage iso-storage bridge vlan build-address build-gateway build-dns disk-size timeout parallel keep-on-failure dry-run proxmox-ca-certificate proxmox-insecure github-token image-repository apt-mirror"
        .split(" ")
        .map((name) => [name, ""]),
    );
    const end = await action(world, { ...empty, distribution: "talos" });
    assertConclusion(end, "success");
    assert.equal(end.outputs["version"], "v1.14.4");
    assert.equal(world.proxmox.state.poolOfVm(100), "kubehenge-templates");
  });

  test("masks the token before it says or asks anything, and its secret is in nothing that it emits", async () => {
    await using world = await startWorld();
    const end = await action(world, { distribution: "talos", "github-token": "ghs_a-token-for-lookups" });
    assertConclusion(end, "success");
    const lines = end.emitted.split("\n").filter(Boolean);
    assert.match(lines[0] ?? "", /^::add-mask::/);
    const masks = lines.filter((line) => line.startsWith("::add-mask::"));
    assert.deepEqual(lines.slice(0, masks.length), masks, "masks come first of all");
    assert.ok(
      end.masks.includes(world.secret) &&
        end.masks.includes(world.proxmox.token) &&
        end.masks.includes("ghs_a-token-for-lookups"),
    );
    const rest = end.emitted
      .split("\n")
      .filter((line) => !line.startsWith("::add-mask::"))
      .join("\n");
    assert.ok(!rest.includes(world.secret) && !rest.includes("ghs_a-token-for-lookups"));
    assert.ok(
      world.upstreams.transcript.filter(({ upstream }) => upstream === "github").every(({ authorized }) => authorized),
      "the lookups took the token",
    );
  });

  test("fails with a titled annotation, what to do, and the guest's last words in the summary", async () => {
    await using world = await startWorld({ guest: { fault: "package-missing" } });
    const end = await action(world, { distribution: "kubeadm", versions: "1.37.1" });
    assertConclusion(end, "failure");
    const [annotation] = end.annotations.filter(({ level }) => level === "error");
    assert.equal(annotation?.title, "kubeadm v1.37.1 on Ubuntu 26.04 failed");
    assert.match(annotation?.message ?? "", /a package of the wanted version is not in the repository/);
    assert.match(end.summary, /^## 1 template: 1 failed$/m);
    assert.match(
      end.summary,
      /Last lines of the task or guest:\n\n```\n[^]*FAILED: The package kubeadm is not in the repository at the wanted version\./,
    );
    assert.equal(end.outputs["count"], "0");
    assert.equal(end.outputs["changed"], "false");
    assertNothingLeft(world, 0);
  });

  test("says what made, and what failed, when one of several fails", async () => {
    await using world = await startWorld();
    world.upstreams.setTalosImage("1.13.9", true);
    world.proxmox.inject(({ method, path: asked, params, phase }) =>
      phase === "before" &&
      method === "POST" &&
      asked.endsWith("/download-url") &&
      String(params["filename"]).includes("v1.13.9")
        ? { kind: "task-fails", text: "download failed: 503 Service Unavailable" }
        : undefined,
    );
    const end = await action(world, { distribution: "talos", versions: "1.13.9\n1.14.4" });
    assertConclusion(end, "failure");
    assert.match(end.summary, /^## 2 templates: 1 created, 1 failed$/m);
    assert.equal(end.outputs["changed"], "true");
    assert.equal(end.outputs["count"], "1");
    assert.equal(end.outputs["version"], "v1.14.4");
    assertNothingLeft(world, 1);
  });

  test("refuses wrong inputs by their names, with a failure in the summary", async () => {
    await using world = await startWorld();
    const rows: [Record<string, string>, RegExp][] = [
      [{ distribution: "" }, /input distribution is missing/],
      [{ distribution: "talos", command: "destroy" }, /input command is one of create, list, delete.*, not "destroy"/],
      [{ distribution: "talos", vlan: "4095" }, /input vlan wants a number from 1 to 4094, not "4095"/],
      [
        { distribution: "talos", parallel: "0", "dry-run": "yes" },
        /input parallel wants a number from 1 to 16, not "0"; input dry-run wants true or false, not "yes"/,
      ],
      [{ distribution: "talos", "proxmox-token": "" }, /No Proxmox VE API token: input proxmox-token is empty/],
    ];
    for (const [inputs, words] of rows) {
      const end = await action(world, inputs);
      assertConclusion(end, "failure");
      assert.match(end.annotations.map(({ message }) => message).join("\n"), words);
      assert.match(end.summary, /^## Failed\n/);
      assert.deepEqual(shown(end.calls), []);
    }
  });

  test("lists and deletes", async () => {
    await using world = await startWorld();
    const seed = world.proxmox.state;
    const { vms } = seed;
    seed.addTemplate({
      vmid: 201,
      pool: "kubehenge-templates",
      name: "talos-v1.14.2",
      tags: tagsOf.talos("v1.14.2").join(";"),
    });
    seed.addTemplate({
      vmid: 202,
      pool: "kubehenge-templates",
      name: "ubuntu-24.04",
      tags: tagsOf.ubuntu("24.04").join(";"),
    });
    const list = await action(world, { command: "list" });
    assertConclusion(list, "success");
    assert.equal(list.outputs["count"], "2");
    assert.equal(list.outputs["changed"], "false");
    assert.match(list.summary, /^## 2 templates$/m);
    assert.match(list.summary, /\| Talos v1\.14\.2 \| 201 \| pve1 \| shared-storage \| template \|/);
    const deleted = await action(world, { command: "delete", distribution: "talos", versions: "1.14.2" });
    assertConclusion(deleted, "success");
    assert.deepEqual([deleted.outputs["changed"], deleted.outputs["vmid"]], ["true", "201"]);
    assert.match(deleted.summary, /\| Talos v1\.14\.2 \| template \| 201 \| pve1 \| deleted \|/);
    assert.deepEqual([...vms.keys()], [202]);
    const missing = await action(world, { command: "delete", distribution: "talos", versions: "1.14.2" });
    assertConclusion(missing, "failure");
    assert.match(missing.annotations[0]?.message ?? "", /There is no template of talos 1\.14\.2/);
  });

  test("plans in a dry run and writes nothing", async () => {
    await using world = await startWorld();
    const end = await action(world, { distribution: "rke2", "dry-run": "true" });
    assertConclusion(end, "success");
    assert.match(end.summary, /^## 1 template: 1 to be created$/m);
    assert.equal(end.outputs["changed"], "false");
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("keeps foreign text from becoming workflow commands or Markdown", async () => {
    await using world = await startWorld();
    const evil = "::set-output name=vmid::1 ##[error]x | <script>\n::error::gotcha";
    world.proxmox.inject(({ method, path: asked, phase }) =>
      phase === "before" && method === "POST" && asked.endsWith("/qemu")
        ? { kind: "answer", status: 500, reason: "broken", body: { message: evil, data: null } }
        : undefined,
    );
    const end = await action(world, { distribution: "talos" });
    assertConclusion(end, "failure");
    assert.ok(!end.annotations.some(({ message }) => message === "gotcha"));
    assert.equal(end.outputs["vmid"], undefined);
    assert.doesNotMatch(end.summary, /<script>/);
    assertNothingLeft(world, 0);
  });

  test("names in action.yml the outputs that it sets", () => {
    const metadata = readFileSync(path.join(projectRoot, "action.yml"), "utf8");
    const outputs = /^outputs:\n([^]*?)\nruns:/m.exec(metadata)?.[1] ?? "";
    const named = new Set([...outputs.matchAll(/^ {2}([a-z]+):/gm)].map((match) => match[1]));
    for (const name of ["templates", "changed", "count", "vmid", "node", "name", "tags", "version", "digest"])
      assert.ok(named.has(name), name);
  });
});
