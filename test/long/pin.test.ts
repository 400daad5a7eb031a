import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { action, assertConclusion } from "../e2e/harness/action.ts";
import { writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { told } from "../e2e/harness/retirement.ts";
import { tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World } from "../e2e/harness/world.ts";

const tags = tagsOf.talos("v1.14.4");
const version = "--talos-version v1.14.4";
const create = `template create talos ${version} --node pve1 -o json`;
const wrong = `sha256:${"0".repeat(64)}`;

async function withTemplate(): Promise<{ world: World; digest: string; vmid: number }> {
  const world = await startWorld({ resourcesLagMs: 50 });
  const end = await kubehenge(world, create);
  assertCode(end, 0);
  return { world, ...told(end) };
}

describe("a pin", { concurrency: 3 }, () => {
  test("is the digest that create, list and the Action's outputs give alike", async () => {
    const { world, digest, vmid } = await withTemplate();
    await using _ = world;
    assert.match(digest, /^sha256:[0-9a-f]{64}$/);
    const listed = JSON.parse((await kubehenge(world, "template list -o json")).stdout) as {
      digest: string;
      vmid: number;
      node: string;
    }[];
    assert.deepEqual(
      listed.map((row) => [row.digest, row.vmid, row.node]),
      [[digest, vmid, "pve1"]],
    );
    const end = await action(world, { distribution: "talos", versions: "v1.14.4" });
    assertConclusion(end, "success");
    assert.deepEqual([end.outputs["digest"], end.outputs["vmid"], end.outputs["node"]], [digest, String(vmid), "pve1"]);
  });

  test("that holds reuses the template; verify says so and writes nothing", async () => {
    const { world, digest, vmid } = await withTemplate();
    await using _ = world;
    const pinned = await kubehenge(world, `${create} --pin ${digest}`);
    assertCode(pinned, 0);
    assert.equal(told(pinned).vmid, vmid);
    const end = await kubehenge(
      world,
      `template verify talos ${version} --digest ${digest.toUpperCase().replace("SHA256", "sha256")}`,
    );
    assertCode(end, 0);
    assert.match(
      end.stdout,
      new RegExp(`^Talos v1\\.14\\.4: VM ${vmid} on node pve1 is the pinned one \\(${digest}\\)\\n$`),
    );
    assert.deepEqual([...writes(pinned.calls), ...writes(end.calls)], []);
    assertConclusion(
      await action(world, { command: "verify", distribution: "talos", versions: "v1.14.4", pin: digest }),
      "success",
    );
  });

  test("that does not hold ends with exit code 6, and the Action fails; nothing is built", async () => {
    const { world, vmid } = await withTemplate();
    await using _ = world;
    for (const line of [
      `${create} --pin ${wrong}`,
      `template verify talos ${version} --digest ${wrong}`,
      `${create} --pin ${wrong} --refresh always`,
    ]) {
      const end = await kubehenge(world, line);
      assertCode(end, 6);
      assert.match(
        end.stderr,
        new RegExp(
          `The template of Talos v1\\.14\\.4 is not the pinned one: VM ${vmid} on node pve1 has sha256:[0-9a-f]+, pinned is ${wrong}`,
        ),
      );
      assert.deepEqual(writes(end.calls), []);
    }
    for (const command of ["create", "verify"]) {
      const end = await action(world, { command, distribution: "talos", versions: "v1.14.4", pin: wrong });
      assertConclusion(end, "failure");
      assert.match(end.annotations[0]?.message ?? "", /is not the pinned one/);
      assert.deepEqual(writes(end.calls), []);
    }
  });

  test("notices notes that were changed after the fact", async () => {
    const { world, digest, vmid } = await withTemplate();
    await using _ = world;
    const vm = world.proxmox.state.vms.get(vmid);
    vm?.config.set(
      "description",
      (vm.config.get("description") ?? "").replace(/"file":"[^"]*"/, '"file":"other.qcow2"'),
    );
    assertCode(await kubehenge(world, `template verify talos ${version} --digest ${digest}`), 6);
  });

  test("of a template that is not there ends with 6 for a run and with 3 for verify", async () => {
    await using world = await startWorld();
    const run = await kubehenge(world, `${create} --pin ${wrong}`);
    assertCode(run, 6);
    assert.match(run.stderr, /The pinned template of Talos v1\.14\.4 \(sha256:0+\) is not there/);
    assertCode(await kubehenge(world, `template verify talos ${version} --digest ${wrong}`), 3);
    assert.equal(world.proxmox.state.vms.size, 0);
  });

  test("that is no digest is refused before anybody is asked", async () => {
    await using world = await startWorld();
    for (const line of [
      `${create} --pin latest`,
      `template verify talos ${version} --digest abc`,
      `template verify talos ${version}`,
    ]) {
      const end = await kubehenge(world, line);
      assertCode(end, 2);
      assert.deepEqual(end.calls, []);
    }
  });

  test("with protection keeps the template from being deleted, refreshed and pruned, until it is lifted", async () => {
    const { world, digest, vmid } = await withTemplate();
    await using _ = world;
    const verify = `template verify talos ${version} --digest ${digest}`;
    assertCode(await kubehenge(world, `${verify} --protect true`), 0);
    assert.equal(world.proxmox.state.vms.get(vmid)?.config.get("protection"), "1");
    const again = await kubehenge(world, `${verify} --protect true`);
    assert.match(again.stdout, /, protected\n$/);
    assert.deepEqual(writes(again.calls), [], "nothing to change");
    assertCode(await kubehenge(world, `template delete talos ${version}`), 5);
    assert.equal(told(await kubehenge(world, `${create} --refresh always`)).vmid, vmid);
    assertCode(await kubehenge(world, `${verify} --protect false`), 0);
    assertCode(await kubehenge(world, `template delete talos ${version}`), 0);
    assert.equal(world.proxmox.state.vms.size, 0);
  });

  test("is not protected when it does not hold", async () => {
    const { world, vmid } = await withTemplate();
    await using _ = world;
    assertCode(await kubehenge(world, `template verify talos ${version} --digest ${wrong} --protect true`), 6);
    assert.equal(world.proxmox.state.vms.get(vmid)?.config.get("protection"), undefined);
  });
});

describe("the lock file", { concurrency: 3 }, () => {
  const lockOf = (world: World) => path.join(world.directory, "templates.lock.json");
  interface Lock {
    schema: number;
    templates: { tags: string[]; digest: string; vmid: number; node: string; version: string; distribution: string }[];
  }
  const read = (world: World) => JSON.parse(readFileSync(lockOf(world), "utf8")) as Lock;

  test("is written with what a run came to, keeps the entries of other runs, and is checked against", async () => {
    const { world, digest, vmid } = await withTemplate();
    await using _ = world;
    assertCode(await kubehenge(world, `${create} --lock write`), 0);
    assert.deepEqual(read(world), {
      schema: 1,
      templates: [{ distribution: "talos", version: "v1.14.4", tags, digest, vmid, node: "pve1" }],
    });
    assertCode(await kubehenge(world, "template create rke2 --node pve1 --lock write"), 0);
    assert.deepEqual(
      read(world).templates.map(({ distribution }) => distribution),
      ["talos", "rke2"],
    );
    const end = await kubehenge(world, `${create} --lock check`);
    assertCode(end, 0);
    assert.equal(told(end).vmid, vmid);
    assert.deepEqual(writes(end.calls), []);
  });

  test("is the only allowed outcome: another build, a version that it does not name, and a missing one end with 6", async () => {
    const { world } = await withTemplate();
    await using _ = world;
    assertCode(await kubehenge(world, `${create} --lock write`), 0);
    const unnamed = await kubehenge(world, "template create talos --talos-version v1.14.3 --node pve1 --lock check");
    assertCode(unnamed, 6);
    assert.match(unnamed.stderr, /The lock file allows no template of Talos v1\.14\.3/);
    assertCode(await kubehenge(world, `${create} --refresh always`), 0);
    const replaced = await kubehenge(world, `${create} --lock check`);
    assertCode(replaced, 6);
    assert.match(replaced.stderr, /is not the pinned one/);
    assertCode(await kubehenge(world, `template rollback talos ${version}`), 0);
    assertCode(await kubehenge(world, `${create} --lock check`), 0);
    assertCode(await kubehenge(world, `template delete talos ${version}`), 0);
    const gone = await kubehenge(world, `${create} --lock check`);
    assertCode(gone, 6);
    assert.deepEqual(writes(gone.calls), []);
  });

  test("that is missing, no JSON or no lock file ends with exit code 2 and asks nobody", async () => {
    await using world = await startWorld();
    for (const content of [undefined, "{", '{"schema":2}', '{"schema":1,"templates":[{"tags":[],"digest":"x"}]}']) {
      if (content !== undefined) writeFileSync(lockOf(world), content);
      const end = await kubehenge(world, `${create} --lock check`);
      assertCode(end, 2);
      assert.match(end.stderr, /lock/);
      assert.deepEqual(end.calls, []);
    }
  });

  test("is written and checked by the Action in its workspace", async () => {
    const { world, digest } = await withTemplate();
    await using _ = world;
    const file = path.join(world.directory, "checked-in.lock.json");
    const inputs = { distribution: "talos", versions: "v1.14.4", "lock-file": file };
    assertConclusion(await action(world, { ...inputs, lock: "write" }), "success");
    assert.equal((JSON.parse(readFileSync(file, "utf8")) as Lock).templates[0]?.digest, digest);
    assertConclusion(await action(world, inputs), "success");
    writeFileSync(file, readFileSync(file, "utf8").replace(digest, wrong));
    const end = await action(world, inputs);
    assertConclusion(end, "failure");
    assert.deepEqual(writes(end.calls), []);
  });

  test("is not written by a run that failed or only planned", async () => {
    await using world = await startWorld();
    assertCode(await kubehenge(world, `${create} --dry-run --lock write`), 0);
    assert.throws(() => read(world), /ENOENT/);
  });
});
