import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import { runWorkflow, type RunWorkflowOptions, type WorkflowEnd } from "../mini-runner/workflow.ts";
import { writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertKept, retiredOn, told } from "../e2e/harness/retirement.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World } from "../e2e/harness/world.ts";

const folder = path.resolve(import.meta.dirname, "../../.github/workflows");

async function workflow(world: World, name: string, options: Omit<RunWorkflowOptions, "file">): Promise<WorkflowEnd> {
  const { node: _node, "proxmox-url": url, "proxmox-token": token, ...besides } = world.inputs;
  return await runWorkflow({
    file: path.join(folder, `${name}.yml`),
    // The runner's files in place of the repository's; where the upstreams are, no setting of the workflows says.
    besides,
    context: { apiUrl: world.upstreams.githubApiUrl },
    ...options,
    vars: { KUBEHENGE_PROXMOX_URL: url ?? "", KUBEHENGE_NODE: "pve1", ...options.vars },
    secrets: { KUBEHENGE_PROXMOX_TOKEN: token ?? "", ...options.secrets },
  });
}

const results = (end: WorkflowEnd) =>
  Object.fromEntries(Object.entries(end.jobs).map(([id, ends]) => [id, ends.map(({ result }) => result)]));

function assertResults(end: WorkflowEnd, expected: Record<string, string[]>): void {
  assert.deepEqual(
    results(end),
    expected,
    Object.values(end.jobs)
      .flat()
      .map(({ log }) => log)
      .join("\n"),
  );
  assert.deepEqual(
    Object.values(end.jobs)
      .flat()
      .flatMap(({ complaints }) => complaints),
    [],
    "the runner complains",
  );
}

const start = () => startWorld({ resourcesLagMs: 50 });

describe("the workflow", { concurrency: 3 }, () => {
  test("refresh templates builds each night what is missing, a job for each, and then has nothing to do", async () => {
    await using world = await start();
    const end = await workflow(world, "refresh-templates", { event: "schedule" });
    assertResults(end, { plan: ["success"], build: ["success", "success", "success"] });
    assert.deepEqual(
      end.jobs["build"]?.map(({ name }) => name),
      ["talos v1.14.4", "rke2 26.04", "kubeadm v1.37.1"],
    );
    assertTemplate(world, tagsOf.talos("v1.14.4"));
    assertTemplate(world, tagsOf.ubuntu("26.04"));
    assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"));
    assert.deepEqual(Object.keys(end.artifacts), [
      "sbom-talos-v1.14.4-pve1",
      "sbom-rke2-26.04-pve1",
      "sbom-kubeadm-v1.37.1-pve1",
    ]);
    const again = await workflow(world, "refresh-templates", { event: "schedule" });
    assertResults(again, { plan: ["success"], build: ["skipped"] });
    world.upstreams.replaceUbuntuImage("26.04");
    const called = await workflow(world, "refresh-templates", {
      event: "workflow_call",
      inputs: { distribution: "rke2" },
    });
    assertResults(called, { plan: ["success"], build: ["success"] });
    assert.equal(called.outputs["has-work"], "true");
    assert.match(called.outputs["matrix"] ?? "", /"why":"upstream has a newer image/);
    assertKept(world, 3, 1);
  });

  test("refresh templates only plans in a dry run, and is skipped where nothing is set up", async () => {
    await using world = await start();
    const dry = await workflow(world, "refresh-templates", {
      event: "workflow_dispatch",
      inputs: { distribution: "talos", versions: "~1.13", "dry-run": "true" },
    });
    assertResults(dry, { plan: ["success"], build: ["skipped"] });
    assert.match(dry.jobs["plan"]?.[0]?.summary ?? "", /## 1 to build[^]*v1\.13\.10/);
    const fork = await workflow(world, "refresh-templates", { event: "schedule", vars: { KUBEHENGE_PROXMOX_URL: "" } });
    assertResults(fork, { plan: ["skipped"], build: ["skipped"] });
    assert.deepEqual(writes(world.proxmox.transcript), []);
  });

  test("build template makes what was chosen, proven by a clone, and keeps its SBOM", async () => {
    await using world = await start();
    const end = await workflow(world, "build-template", {
      event: "workflow_dispatch",
      inputs: { distribution: "talos", versions: "v1.14.3" },
    });
    assertResults(end, { template: ["success"] });
    assertTemplate(world, tagsOf.talos("v1.14.3"));
    assert.match(Object.keys(end.artifacts["sbom-talos"] ?? {})[0] ?? "", /^talos-v1\.14\.3-[0-9a-f]{12}\.spdx\.json$/);
    await assert.rejects(
      workflow(world, "build-template", { event: "workflow_dispatch", inputs: { distribution: "nixos" } }),
      /no option/,
    );
  });

  test("administer templates lists, prunes, rolls back, sweeps and deletes, by dry runs first", async () => {
    await using world = await start();
    const create = "template create talos --node pve1";
    assertCode(await kubehenge(world, create), 0);
    for (let count = 0; count < 2; count += 1)
      assertCode(await kubehenge(world, `${create} --refresh always --keep 9`), 0);
    const [oldest, older] = retiredOn(world);
    const administer = async (inputs: Record<string, string>) => {
      const end = await workflow(world, "administer-templates", { event: "workflow_dispatch", inputs });
      assertResults(end, { administer: ["success"] });
      return end.jobs["administer"]?.[0]?.summary ?? "";
    };
    assert.match(await administer({}), /## 1 template/);
    assert.match(await administer({ command: "prune" }), /would be deleted/);
    assert.equal(retiredOn(world).length, 2);
    assert.match(
      await administer({ command: "prune", "dry-run": "false" }),
      new RegExp(`\\| ${oldest?.vmid} \\|[^]*deleted`),
    );
    assert.match(
      await administer({ command: "rollback", distribution: "talos", "dry-run": "false" }),
      /is the template again/,
    );
    assert.equal(assertTemplate(world, tagsOf.talos("v1.14.4")).vmid, older?.vmid);
    assert.match(await administer({ command: "sweep", "dry-run": "false" }), /## 0 removed/);
    assert.match(await administer({ command: "delete", distribution: "talos", "dry-run": "false" }), /deleted/);
    assertKept(world, 0, 1);
  });

  test("release writes a lock file, and with it checked in takes that build only, protects it, and hands on its tags", async () => {
    await using world = await start();
    const inputs = { distribution: "talos", versions: "v1.14.4" };
    const first = await workflow(world, "release", {
      event: "workflow_dispatch",
      inputs: { ...inputs, lock: "write", protect: "false" },
    });
    assertResults(first, { template: ["success"], release: ["success"] });
    const lock = first.artifacts["templates.lock.json"]?.["templates.lock.json"] ?? assert.fail("no lock file");
    const files = { "templates.lock.json": lock };
    const end = await workflow(world, "release", { event: "workflow_dispatch", inputs, files });
    assertResults(end, { template: ["success"], release: ["success"] });
    const vm = assertTemplate(world, tagsOf.talos("v1.14.4"));
    assert.equal(vm.config.get("protection"), "1");
    const { digest } = told(await kubehenge(world, "template create talos --node pve1 -o json"));
    assert.equal(
      end.artifacts["template-selector"]?.["template-selector.yaml"],
      `# ${digest}\ntemplateSelector:\n  matchTags:\n    - kubehenge\n    - talos\n    - talos-v1.14.4\n`,
    );
    const other = { "templates.lock.json": lock.replace(digest, `sha256:${"0".repeat(64)}`) };
    const refused = await workflow(world, "release", { event: "workflow_dispatch", inputs, files: other });
    assertResults(refused, { template: ["failure"], release: ["skipped"] });
    assert.match(refused.jobs["template"]?.[0]?.log ?? "", /is not the pinned one/);
    const unlocked = await workflow(world, "release", { event: "workflow_dispatch", inputs });
    assertResults(unlocked, { template: ["failure"], release: ["skipped"] });
  });
});
