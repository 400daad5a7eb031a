import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leastPrivileges } from "../stand-in/proxmox/index.ts";
import type { PveVersion } from "../stand-in/proxmox/index.ts";
import { action, assertConclusion } from "../e2e/harness/action.ts";
import { shown, to, writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { assertTemplate, tagsOf } from "../e2e/harness/template.ts";
import { startWorld } from "../e2e/harness/world.ts";

const pool = "kubehenge-templates";
const versions: PveVersion[] = ["8.4.0", "9.2.11"];

/** `PATH PRIVILEGE` of everything in the least set. */
function leastSet(version: PveVersion): string[] {
  const { acl, roles } = leastPrivileges({ pool, version });
  const paths = new Map((acl ?? []).map(({ path, role }) => [path, role]));
  return [...paths].flatMap(([path, role]) => (roles?.[role] ?? []).map((privilege) => `${path} ${privilege}`));
}

/** What a build can do without: it makes things easier to see, or makes the pool. */
const dispensable =
  /^\/pool\/\S+ (Pool\.Allocate|Pool\.Audit|VM\.GuestAgent\.Audit|VM\.Monitor)$|^\/storage\/shared-storage Datastore\.Audit$/;

for (const version of versions) {
  describe(`a token with the least privileges on Proxmox VE ${version}`, { concurrency: 4 }, () => {
    test("B58: creates, reuses, lists and deletes, and makes its pool itself", async () => {
      await using world = await startWorld({ version, ...leastPrivileges({ pool, version }) });
      assertCode(
        await kubehenge(
          world,
          "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1",
        ),
        0,
      );
      assertCode(await kubehenge(world, "template create talos --node pve1"), 0);
      assertTemplate(world, tagsOf.kubeadm("v1.37.1", "26.04"));
      assertTemplate(world, tagsOf.talos("v1.14.4"));
      const again = await kubehenge(
        world,
        "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04",
      );
      assert.match(again.stdout, /reused/);
      assert.equal((await kubehenge(world, "template list")).stdout.split("\n").length, 4);
      assertCode(await kubehenge(world, "template delete talos"), 0);
      assertNothingLeft(world, 1);
    });

    for (const left of leastSet(version)) {
      const [path = "", privilege = ""] = left.split(" ");
      const needed = !dispensable.test(left);
      test(`without ${privilege} at ${path} ${needed ? "is told so before anything is made" : "builds all the same"}`, async () => {
        await using world = await startWorld({
          version,
          pools: [pool],
          ...leastPrivileges({ pool, version, without: [left] }),
        });
        const end = await kubehenge(world, "template create rke2 --node pve1 --storage shared-storage");
        if (!needed) {
          assertCode(end, 0);
          return assertNothingLeft(world, 1);
        }
        assertCode(end, 4);
        assert.match(end.stderr, new RegExp(`${privilege.replaceAll(".", "\\.")} at ${path}[^A-Za-z0-9/]`));
        assert.match(
          end.stderr,
          new RegExp(`pveum acl modify ${path} --roles \\S+ --users 'auto@pve' --tokens 'auto@pve!kubehenge'`),
        );
        assert.deepEqual(shown(writes(end.calls)), [], "nothing was written");
        assertNothingLeft(world, 0);
      });
    }
  });
}

describe("a missing privilege", { concurrency: 4 }, () => {
  test("is named with all others at once", async () => {
    const without = ["VM.Config.Memory", "VM.PowerMgmt", "SDN.Use"];
    await using world = await startWorld({ pools: [pool], ...leastPrivileges({ pool, without }) });
    const end = await kubehenge(world, "template create rke2 --node pve1");
    assertCode(end, 4);
    for (const privilege of without) assert.match(end.stderr, new RegExp(privilege.replaceAll(".", "\\.")));
  });

  test("to make the pool, which is not there, is said with both ways out", async () => {
    await using world = await startWorld(leastPrivileges({ pool, without: ["Pool.Allocate"] }));
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 3);
    assert.match(end.stderr, /There is no pool kubehenge-templates.*Pool\.Allocate at \/pool\/kubehenge-templates/);
    assert.match(end.stderr, /pvesh create \/pools --poolid kubehenge-templates/);
    assert.match(end.stderr, /pveum acl modify \/pool\/kubehenge-templates --roles/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B53: on the bridge's VLAN is found before anything is made", async () => {
    await using world = await startWorld({ pools: [pool], ...leastPrivileges({ pool, vlan: 11 }) });
    const end = await kubehenge(world, "template create rke2 --node pve1 --vlan 10");
    assertCode(end, 4);
    assert.match(end.stderr, /SDN\.Use at \/sdn\/zones\/localnetwork\/vmbr0\/10/);
    assert.match(end.stderr, /pveum acl modify \/sdn\/zones\/localnetwork\/vmbr0\/10 /);
    assert.deepEqual(shown(writes(end.calls)), []);
    assertCode(await kubehenge(world, "template create rke2 --node pve1 --vlan 11"), 0);
    assertNothingLeft(world, 1);
  });

  test("B57: of a privilege-separated token is not taken for an empty cluster", async () => {
    const least = leastPrivileges({ pool });
    const acl = (least.acl ?? []).filter(({ who }) => who === "auto@pve");
    await using world = await startWorld({ ...least, acl });
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 4);
    assert.match(end.stderr, /The token auto@pve!kubehenge has no privilege at all/);
    assert.match(end.stderr, /privilege separation/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B55: to use the guest agent costs the guest's report and no waiting", async () => {
    await using world = await startWorld({
      pools: [pool],
      ...leastPrivileges({ pool, without: ["VM.GuestAgent.Audit"] }),
    });
    const end = await kubehenge(world, "template create k3s --node pve1");
    assertCode(end, 0);
    assert.ok(to(end.calls, "GET", /\/agent\//).length <= 1);
    assertTemplate(world, tagsOf.ubuntu("26.04"));
  });

  test("B07: to have the node download is named by its path, with its pveum line", async () => {
    await using world = await startWorld({
      pools: [pool],
      ...leastPrivileges({ pool, without: ["Sys.AccessNetwork"] }),
    });
    const end = await action(world, { distribution: "talos" });
    assertConclusion(end, "failure");
    assert.match(end.log, /Sys\.AccessNetwork at \/nodes\/pve1/);
    assert.match(end.summary, /pveum acl modify \/nodes\/pve1 --roles/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B07: that Proxmox VE names only when it is asked is quoted with its pveum line", async () => {
    await using world = await startWorld();
    world.proxmox.inject(({ method, path, phase }) =>
      phase === "before" && method === "POST" && path.endsWith("/download-url")
        ? { kind: "answer", status: 403, reason: "Permission check failed (/nodes/pve1, Sys.AccessNetwork)" }
        : undefined,
    );
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 4);
    assert.match(end.stderr, /Permission check failed \(\/nodes\/pve1, Sys\.AccessNetwork\)/);
    assert.match(end.stderr, /--privs "Sys\.AccessNetwork"[^]*pveum acl modify \/nodes\/pve1 /);
    assertNothingLeft(world, 0);
  });

  test("B35: behind an empty or HTML body is told by status and reason", async () => {
    await using world = await startWorld();
    for (const body of ["", "<html><body>Forbidden</body></html>"]) {
      world.proxmox.inject(({ method, path, phase }) =>
        phase === "before" && method === "POST" && path.endsWith("/upload")
          ? {
              kind: "answer",
              status: 403,
              reason: "Permission check failed (/storage/local, Datastore.AllocateTemplate)",
              body,
            }
          : undefined,
      );
      const end = await kubehenge(world, "template create rke2 --node pve1");
      assertCode(end, 4);
      assert.match(
        end.stderr,
        /answered 403 Permission check failed \(\/storage\/local, Datastore\.AllocateTemplate\)/,
      );
      assert.doesNotMatch(end.stderr, /JSON|SyntaxError/);
      assertNothingLeft(world, 0);
    }
  });
});
