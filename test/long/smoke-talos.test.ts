import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { leastPrivileges } from "../stand-in/proxmox/index.ts";
import { shown, to, writes } from "../e2e/harness/calls.ts";
import { assertCode, kubehenge } from "../e2e/harness/command.ts";
import { assertNothingLeft } from "../e2e/harness/left.ts";
import { startWorld } from "../e2e/harness/world.ts";
import { pool, reported } from "./smoke-stage.ts";

describe("a Talos clone", { concurrency: 3 }, () => {
  const talos = "template create talos --node pve1 --smoke-test true";

  test("proves by its serial console that it comes to maintenance mode, without a network card", async () => {
    await using world = await startWorld({ pools: [pool], ...leastPrivileges({ pool, smokeTest: true }) });
    const end = await kubehenge(world, `${talos} -o json`);
    assertCode(end, 0);
    assert.deepEqual(reported(end.stdout).smokeTest, [
      { what: "it boots into maintenance mode, as its serial console says", ok: true },
    ]);
    assert.equal(
      to(end.calls, "GET", /\/vncwebsocket$/)
        .map(({ status }) => status)
        .join(),
      "101",
    );
    assert.ok(!shown(writes(end.calls)).some((line) => /\/qemu\/101\/config.*net0/.test(line)));
    await world.proxmox.settle();
    assertNothingLeft(world, 1);
  });

  for (const [fault, words, code] of [
    ["talos-silent", /its serial console did not say so within 5 min 00 s/, 124],
    ["talos-panics", /its serial console did not say so within 5 min 00 s[^]*\| .*Kernel panic - not syncing/, 124],
    ["talos-powers-off", /it is switched off/, 6],
  ] as const) {
    test(`${fault}: is no proof, and the template is not published`, async () => {
      await using world = await startWorld({ pools: [pool], speed: 60, guest: { fault } });
      const end = await kubehenge(world, talos);
      assertCode(end, code);
      assert.match(end.stderr, /did not pass its smoke test: VM 101 did not come to Talos' maintenance mode: /);
      assert.match(end.stderr, words);
      await world.proxmox.settle();
      assertNothingLeft(world, 0);
    });
  }

  test("is not passed over where Proxmox VE lets no token read consoles: the remedy is named", async () => {
    const version = "8.4.0" as const;
    await using world = await startWorld({
      version,
      pools: [pool],
      ...leastPrivileges({ pool, version, smokeTest: true }),
    });
    const end = await kubehenge(world, talos);
    assertCode(end, 4);
    assert.match(
      end.stderr,
      /could not be put to its smoke test: The smoke test is not possible: the serial console of VM 101 cannot be read/,
    );
    assert.match(end.stderr, /API tokens can use consoles since late releases of Proxmox VE 9\.0/);
    assert.match(end.stderr, /--smoke-test false \(smoke-test: false\)/);
    await world.proxmox.settle();
    assertNothingLeft(world, 0);
  });
});
