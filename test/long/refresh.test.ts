import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Vm } from "../stand-in/proxmox/index.ts";
import { writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { age, assertKept, buildOf, tagsOn, told } from "../e2e/harness/retirement.ts";
import { assertTemplate, manifestOf, tagsOf } from "../e2e/harness/template.ts";
import { startWorld, type World, type WorldOptions } from "../e2e/harness/world.ts";

const ubuntu = tagsOf.ubuntu("26.04");
// A short lag of the statistics: the tags move only when the cluster shows the new template as one.
const start = (options: WorldOptions = {}) => startWorld({ resourcesLagMs: 50, ...options });
const rke2 = "template create rke2 --node pve1 -o json";

async function withTemplate(world: World): Promise<Vm> {
  assertCode(await kubehenge(world, rke2), 0);
  return assertTemplate(world, ubuntu);
}

describe("a refresh", { concurrency: 3 }, () => {
  test("is not done without being asked for: a newer image upstream leaves the template as it is", async () => {
    await using world = await start();
    const vm = await withTemplate(world);
    world.upstreams.replaceUbuntuImage("26.04");
    const end = await kubehenge(world, rke2);
    assertCode(end, 0);
    assert.equal(told(end).vmid, vm.vmid);
    assert.deepEqual(writes(end.calls), []);
  });

  test("of what is outdated says that an up-to-date template is kept, and writes nothing", async () => {
    await using world = await start();
    const vm = await withTemplate(world);
    const end = await kubehenge(world, `${rke2} --refresh outdated --max-age 7d`);
    assertCode(end, 0);
    assert.equal(told(end).result, "reused");
    assert.match(
      told(end).why,
      new RegExp(`^VM ${vm.vmid} is up to date: made .* ago from what upstream still publishes$`),
    );
    assert.deepEqual(writes(end.calls), []);
  });

  test("of what is outdated builds anew when upstream has a newer image, and retires the old one with its notes", async () => {
    await using world = await start();
    const old = await withTemplate(world);
    const notes = old.config.get("description");
    const build = buildOf(old);
    world.upstreams.replaceUbuntuImage("26.04");
    const end = await kubehenge(world, `${rke2} --refresh outdated`);
    assertCode(end, 0);
    assert.equal(told(end).result, "created");
    assert.match(
      told(end).why,
      new RegExp(`^upstream has a newer image \\(sha256 [0-9a-f]{12}…\\); it takes the place of VM ${old.vmid}$`),
    );
    const fresh = assertTemplate(world, ubuntu);
    assert.notEqual(fresh.vmid, old.vmid);
    assert.notEqual(manifestOf(fresh).image.sha256, manifestOf(old).image.sha256);
    assert.deepEqual(tagsOn(old), [`kubehenge-build-${build}`, "kubehenge-retired"]);
    assert.equal(old.config.get("description"), notes);
    const again = await kubehenge(world, `${rke2} --refresh outdated`);
    assert.equal(told(again).result, "reused", "the new one is up to date");
    assertKept(world, 1, 1);
  });

  test("of what is outdated builds anew what is older than max-age, and keeps what is younger", async () => {
    await using world = await start();
    const vm = await withTemplate(world);
    age(vm, 6);
    assert.equal(told(await kubehenge(world, `${rke2} --refresh outdated --max-age 7d`)).result, "reused");
    age(vm, 8);
    const end = await kubehenge(world, `${rke2} --refresh outdated --max-age 7d`);
    assertCode(end, 0);
    assert.equal(told(end).why, `VM ${vm.vmid} is 8 days old, more than 7 days`);
    assert.equal(told(end).result, "created");
  });

  test("of what is outdated notices packages of Kubernetes that were built anew", async () => {
    await using world = await start();
    const kubeadm = "template create kubeadm --kubernetes-version v1.37.1 --node pve1 -o json --refresh outdated";
    assertCode(await kubehenge(world, kubeadm), 0);
    world.upstreams.world.packages.revisions.set("1.37.1", ["1.1", "2.1"]);
    const end = await kubehenge(world, kubeadm);
    assertCode(end, 0);
    assert.match(
      told(end).why,
      /^the packages were built anew \(kubelet 1\.37\.1-2\.1\); it takes the place of VM \d+$/,
    );
    assert.match(
      manifestOf(assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"))).packages?.["kubelet"] ?? "",
      /^1\.37\.1-2\.1$/,
    );
  });

  test("builds anew what does not say what it is made of", async () => {
    await using world = await start();
    world.proxmox.state.addTemplate({ vmid: 201, pool: "kubehenge-templates", tags: ubuntu.join(";") });
    const end = await kubehenge(world, `${rke2} --refresh outdated`);
    assertCode(end, 0);
    assert.equal(told(end).why, "VM 201 does not say what it is made of (no manifest in its notes)");
    assert.deepEqual(tagsOn(world.proxmox.state.vms.get(201)), ["kubehenge-build-vm-201", "kubehenge-retired"]);
  });

  test("in any case builds anew what is up to date", async () => {
    await using world = await start();
    assertCode(await kubehenge(world, "template create talos --node pve1"), 0);
    const old = assertTemplate(world, tagsOf.talos("v1.14.4"));
    const end = await kubehenge(world, "template create talos --node pve1 -o json --refresh always");
    assertCode(end, 0);
    assert.equal(told(end).why, `a refresh was asked for in any case; it takes the place of VM ${old.vmid}`);
    assert.notEqual(assertTemplate(world, tagsOf.talos("v1.14.4")).vmid, old.vmid);
  });

  test("leaves a pinned template alone, whatever was asked for", async () => {
    await using world = await start();
    const vm = await withTemplate(world);
    vm.config.set("protection", "1");
    world.upstreams.replaceUbuntuImage("26.04");
    for (const when of ["outdated", "always"]) {
      const end = await kubehenge(world, `${rke2} --refresh ${when}`);
      assertCode(end, 0);
      assert.equal(told(end).why, `VM ${vm.vmid} is pinned (its protection is on), so it is not refreshed`);
      assert.deepEqual(writes(end.calls), []);
    }
  });

  test("that does not prove itself leaves the old template as it was, and nothing else", async () => {
    let faulty = false;
    await using world = await start({ guest: { fault: "no-route", faulty: () => faulty } });
    const vm = await withTemplate(world);
    const before = [...vm.config];
    world.upstreams.replaceUbuntuImage("26.04");
    faulty = true;
    const end = await kubehenge(world, `${rke2} --refresh outdated`);
    assert.notEqual(end.code, 0);
    assert.deepEqual([...vm.config], before);
    assertNothingLeft(world, 1);
  });

  test("only planned writes nothing and says what it would do", async () => {
    await using world = await start();
    const vm = await withTemplate(world);
    world.upstreams.replaceUbuntuImage("26.04");
    const end = await kubehenge(world, `${rke2} --refresh outdated --dry-run`);
    assertCode(end, 0);
    assert.equal(told(end).result, "planned");
    assert.match(told(end).why, new RegExp(`it takes the place of VM ${vm.vmid}$`));
    assert.deepEqual(writes(end.calls), []);
  });

  test("refuses an age or a word that it does not know, before it asks anybody", async () => {
    await using world = await start();
    for (const wrong of ["--refresh sometimes", "--max-age soon", "--max-age 0d"]) {
      const end = await kubehenge(world, `${rke2} ${wrong}`);
      assertCode(end, 2);
      assert.match(end.stderr, new RegExp(`${wrong.split(" ")[0]}`));
      assert.deepEqual(end.calls, []);
    }
  });
});
