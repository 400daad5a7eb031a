import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, suite, test } from "node:test";
import { settleLeftJournals } from "../../../src/cli/left-journals.ts";
import { talosTarget } from "../../../src/distributions/target.ts";
import { createVm } from "../../../src/proxmox/vm.ts";
import { journalInto } from "../../../src/shell/journal.ts";
import { newLease } from "../../../src/templates/lease.ts";
import { leaseNotes } from "../../../src/templates/notes.ts";
import { inSession } from "../../faults/in-process.ts";
import { fastProxmox } from "../../faults/stage.ts";
import { startUpstreams, type Upstreams } from "../../stand-in/upstreams/index.ts";

const build = "0123456789ab";
let upstreams: Upstreams;
before(async () => void (upstreams = await startUpstreams()));
after(() => upstreams.close());

/** A VM of this build is there, and a journal that tells of it; answers whether VM and journal are there afterwards. */
async function settled(change: Record<string, unknown>, text?: string): Promise<{ vm: boolean; journal: boolean }> {
  await using proxmox = await fastProxmox();
  const home = mkdtempSync(path.join(os.tmpdir(), "kubehenge-journals-"));
  const folder = path.join(home, "kubehenge");
  try {
    await inSession(
      { proxmox, upstreams },
      { signal: new AbortController().signal, said: [], journal: journalInto(() => {}) },
      async (context) => {
        const now = context.proxmox.clock.now();
        const volumes = { seed: undefined, image: "local:import/x.qcow2" };
        const lease = newLease(build, talosTarget("v1.14.4"), context.run, now, now + 3_600_000, volumes);
        const vm = { vmid: 100, name: "build", pool: "kubehenge-templates", description: leaseNotes(lease) };
        await createVm(context.proxmox, "pve1", vm);
        await proxmox.settle();
        const remnants = [{ kind: "vm", node: "pve1", vmid: 100, build }];
        const journal = {
          run: "earlier",
          origin: context.proxmox.origin,
          host: os.hostname(),
          pid: 2 ** 22 + 1,
          remnants,
        };
        mkdirSync(folder);
        // Cut off by a kill between writing and renaming; this process' own neighbour is still at it.
        writeFileSync(path.join(folder, `${os.hostname()}-${2 ** 22 + 1}-abc.json.new`), "{");
        writeFileSync(path.join(folder, `${os.hostname()}-${process.ppid}-abc.json.new`), "{");
        writeFileSync(path.join(folder, "earlier.json"), text ?? JSON.stringify({ ...journal, ...change }));
        await settleLeftJournals(context, { XDG_STATE_HOME: home });
      },
    );
    const left = readdirSync(folder);
    const halves = left.filter((name) => name.endsWith(".new"));
    assert.deepEqual(
      halves,
      [`${os.hostname()}-${process.ppid}-abc.json.new`],
      "a dead run's half-written journal goes",
    );
    return { vm: proxmox.state.vms.has(100), journal: left.length > halves.length };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

suite("the journal of an earlier run of the command", () => {
  test("of a dead process is carried out and gone", async () => {
    assert.deepEqual(await settled({}), { vm: false, journal: false });
  });

  test("under this process's own number is a dead one's, as in containers", async () => {
    assert.deepEqual(await settled({ pid: process.pid }), { vm: false, journal: false });
  });

  test("of a process that lives, of another machine or of another Proxmox VE is left alone", async () => {
    for (const change of [{ pid: process.ppid }, { host: "elsewhere" }, { origin: "https://other.example.org:8006" }])
      assert.deepEqual(await settled(change), { vm: true, journal: true });
  });

  test("that is no journal is passed over", async () => {
    for (const text of ["", "{", "[]", '{"run":1}'])
      assert.deepEqual(await settled({}, text), { vm: true, journal: true });
  });
});
