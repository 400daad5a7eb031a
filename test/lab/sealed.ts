import assert from "node:assert/strict";
import type { DiskFiles } from "./template-disk.ts";

/** The folders that are looked through. */
export const looked = ["/etc", "/root", "/home", "/tmp", "/var", "/boot", "/usr/share/keyrings"];

/** What no template may hold, of whichever kind it is. */
export function assertSealed(files: DiskFiles): void {
  assert.equal(files.read("/etc/machine-id"), "", "an empty machine-id");
  assert.deepEqual(
    files.list("/etc/ssh").filter((name) => name.startsWith("ssh_host_")),
    [],
    "no host key",
  );
  assert.deepEqual(files.list("/var/lib/cloud"), [], "no instance of cloud-init");
  assert.deepEqual(files.list("/etc/netplan"), [], "no netplan file");
  assert.deepEqual(files.below("/var/lib/dhcp"), [], "no lease");
  assert.deepEqual(files.below("/var/lib/apt/lists"), [], "no package list");
  assert.deepEqual(
    files.below("/var/cache/apt").filter((file) => file.endsWith(".deb")),
    [],
    "no package in the cache",
  );
  assert.deepEqual(files.below("/var/log/journal"), [], "no journal");
  assert.equal(files.exists("/var/lib/systemd/random-seed"), false, "no random seed");
  for (const log of files.below("/var/log")) assert.equal(files.read(log) === "", true, `${log} is empty`);
  assert.deepEqual(files.below("/root/.ssh"), [], "no key of root's");
  assert.deepEqual(files.below("/tmp"), [], "nothing in /tmp");
  const ours = ["/etc", "/var", "/root", "/home"]
    .flatMap((folder) => files.below(folder))
    .filter((file) => file.includes("kubehenge"));
  assert.deepEqual(ours, [], "nothing of the build's own");
  const masked = files.list("/etc/systemd/system").filter((name) => /^(apt-daily|unattended|snapd)/.test(name));
  assert.deepEqual(masked, [], "no unit stays masked");
  const started = files.list("/etc/systemd/system/multi-user.target.wants");
  for (const unit of ["snapd", "snapd.seeded", "unattended-upgrades"]) {
    assert.ok(started.includes(`${unit}.service`), `${unit} is enabled as it was`);
  }
  assert.deepEqual(files.list("/var/lib/planted"), [], "units that were to stay quiet did");
  const words = ["/etc"].flatMap((folder) => files.below(folder)).filter((file) => !file.includes("/ssl/"));
  for (const file of words) {
    assert.ok(!/kubehenge|_proxy=|10\.0\.2\./i.test(files.read(file) ?? ""), `${file} tells of the build`);
  }
  assert.match(files.read("/etc/apt/sources.list.d/ubuntu.sources") ?? "", /archive\.ubuntu\.com/);
  assert.match(
    files.read("/var/lib/dpkg/status") ?? "",
    /Package: lab-tool\nStatus: install ok installed\n(.*\n)*?Version: 2\.0\n/,
  );
  assert.match(files.read("/var/lib/dpkg/status") ?? "", /Package: qemu-guest-agent\nStatus: install ok installed/);
}
