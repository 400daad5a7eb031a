import assert from "node:assert/strict";
import type { Clone } from "./clone.ts";

/** What a clone must be after its first boot, whatever it was cloned from. */
export async function assertOwnMachine(
  clone: Clone,
  name: string,
  bootSeconds: number,
): Promise<{ machineId: string }> {
  const status = await clone.ready(bootSeconds);
  assert.equal(status.exitcode, 0, `cloud-init: ${status.out}${status.err}`);
  assert.match(status.out, /^status: done$/m);
  const out = async (...argv: string[]) => (await clone.exec(...argv)).out.trim();
  const machineId = await out("cat", "/etc/machine-id");
  assert.match(machineId, /^[0-9a-f]{32}$/);
  assert.equal(await out("hostname"), name);
  assert.match(await out("ls", "/etc/ssh"), /ssh_host_ed25519_key/);
  assert.equal(
    await out("sh", "-c", "grep -c '\\[WARNING\\]' /var/log/cloud-init.log || true"),
    "0",
    "no warning of cloud-init",
  );
  assert.equal(await out("sh", "-c", "systemctl list-unit-files --no-legend 'kubehenge*' | wc -l"), "0");
  assert.equal(await out("sh", "-c", "ls /var/lib/kubehenge-build /run/kubehenge 2>/dev/null | wc -l"), "0");
  assert.equal(
    await out("sh", "-c", "ls /var/lib/planted | sort | tr '\\n' ' '"),
    "snapd snapd.seeded unattended-upgrades",
  );
  const rootMiB = Number(await out("sh", "-c", "df --output=size --block-size=1M / | tail -n 1"));
  assert.ok(rootMiB > 13_000, `the root file system has grown: ${rootMiB} MiB of 14 GiB`);
  return { machineId };
}
