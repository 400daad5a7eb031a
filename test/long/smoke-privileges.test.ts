import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leastPrivileges } from "../stand-in/proxmox/index.ts";
import { shown, writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { startWorld } from "../e2e/harness/world.ts";
import { kubeadm, pool } from "./smoke-stage.ts";

describe("what a smoke test needs", { concurrency: 3 }, () => {
  for (const [line, privilege] of [
    ["template create rke2 --node pve1 --storage shared-storage --smoke-test true", "VM.Clone"],
    ["template create talos --node pve1 --storage shared-storage --smoke-test true", "VM.Clone"],
    ["template create talos --node pve1 --storage shared-storage --smoke-test true", "VM.Console"],
  ] as const) {
    test(`${privilege} is named with its pveum line before anything is made: ${line.split(" ")[2]}`, async () => {
      await using world = await startWorld({
        pools: [pool],
        ...leastPrivileges({ pool, smokeTest: true, without: [privilege] }),
      });
      const end = await kubehenge(world, line);
      assertCode(end, 4);
      assert.match(end.stderr, new RegExp(`${privilege.replace(".", "\\.")} at /pool/${pool} \\(.*smoke-test`));
      assert.match(end.stderr, new RegExp(`pveum role add \\S+ --privs "${privilege.replace(".", "\\.")}"`));
      assert.deepEqual(shown(writes(end.calls)), []);
      assertNothingLeft(world, 0);
    });
  }

  test("is enough, and a build without one needs none of it", async () => {
    await using world = await startWorld({ pools: [pool], ...leastPrivileges({ pool, smokeTest: true }) });
    assertCode(await kubehenge(world, `${kubeadm} --smoke-test true`), 0);
    assertNothingLeft(world, 1);
  });
});
