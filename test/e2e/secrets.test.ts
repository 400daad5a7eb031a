import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { seedText } from "../stand-in/guest/index.ts";
import { action, assertConclusion } from "./harness/action.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { startWorld } from "./harness/world.ts";
import type { World } from "./harness/world.ts";

/** Everything that can be seen of a run from outside while it works, gathered at each of its calls. */
function watch(world: World) {
  const found = {
    argv: new Set<string>(),
    state: new Set<string>(),
    notes: new Set<string>(),
    seeds: [] as string[],
    forms: [] as string[],
  };
  world.proxmox.inject(({ method, path: asked, phase, params }) => {
    if (phase !== "before") return undefined;
    found.forms.push(`${method} ${asked} ${JSON.stringify(params)}`);
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        if (argv.includes("/dist/")) found.argv.add(argv);
      } catch {
        // It has ended in between.
      }
    }
    const folder = path.join(world.directory, "state/kubehenge");
    if (existsSync(folder))
      for (const name of readdirSync(folder)) found.state.add(readFileSync(path.join(folder, name), "utf8"));
    for (const vm of world.proxmox.state.vms.values()) found.notes.add(JSON.stringify([...vm.config]));
    if (asked.endsWith("/status/start")) {
      for (const volume of world.proxmox.state.volumes)
        if (volume.content === "iso" && volume.file) found.seeds.push(seedText(readFileSync(volume.file)));
    }
    return undefined;
  });
  return found;
}

describe("the token's secret", () => {
  test("occurs in no output, argument, state file, note, form or seed of the command", async () => {
    await using world = await startWorld();
    const found = watch(world);
    // That stdout and stderr hold no secret is checked for every run of the command.
    const end = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1",
    );
    assertCode(end, 0);
    assert.ok(
      found.state.size > 0 && found.notes.size > 0 && found.seeds.length === 1 && found.forms.length > 20,
      "something was watched",
    );
    if (existsSync("/proc/self/cmdline")) assert.ok(found.argv.size > 0);
    assert.match(found.seeds[0] ?? "", /^#cloud-config$/m, "the seed was read");
    for (const [where, texts] of Object.entries(found))
      for (const text of texts) assert.ok(!text.includes(world.secret), where);
    assert.deepEqual(
      readdirSync(path.join(world.directory, "state/kubehenge")),
      [],
      "the journal of a run that left nothing is gone",
    );
  });

  test("occurs in nothing that the Action emits but its masks, whether it ends well or not", async () => {
    for (const fault of [undefined, "mirror-refused"] as const) {
      await using world = await startWorld(fault ? { guest: { fault } } : {});
      const found = watch(world);
      const end = await action(world, { distribution: "rke2" }, { secrets: [] });
      assertConclusion(end, fault ? "failure" : "success");
      const rest = end.emitted
        .split("\n")
        .filter((line) => !line.startsWith("::add-mask::"))
        .join("\n");
      assert.ok(!rest.includes(world.secret));
      assert.ok(Object.keys(end.state).length > 0, "the state was written");
      for (const text of [...found.notes, ...found.forms, ...found.seeds]) assert.ok(!text.includes(world.secret));
    }
  });
});
