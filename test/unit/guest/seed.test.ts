import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { assert as assertProperty, property, string } from "fast-check";
import { parseDocument } from "yaml";
import { Failure } from "../../../src/failure/failure.ts";
import { guestSteps, seedFiles, type GuestPlan } from "../../../src/guest/index.ts";
import { settingsFile, shellQuoted } from "../../../src/guest/settings.ts";
import { readSettings } from "../../stand-in/guest/build-seed.ts";
import { kubeadmPlan, ubuntuPlan } from "./plans.ts";
import { run, without } from "./programs.ts";

interface UserData {
  users: unknown;
  bootcmd: string[][];
  runcmd: string[][];
  write_files: { path: string; permissions: string; content: string }[];
}

function parsed(text: string): UserData {
  const document = parseDocument(text, { version: "1.1", uniqueKeys: true, strict: true });
  assert.deepEqual([document.errors, document.warnings], [[], []]);
  return document.toJS();
}

const plans = { ubuntu: ubuntuPlan, kubeadm: kubeadmPlan };

for (const [name, plan] of Object.entries(plans)) {
  describe(`the ${name} seed`, () => {
    const files = seedFiles(plan);
    const userData = parsed(files["user-data"]);

    it("is cloud-config with known top-level keys only, none of which makes cloud-init run apt", () => {
      assert.ok(files["user-data"].startsWith("#cloud-config\n"));
      const allowed = ["bootcmd", "no_ssh_fingerprints", "runcmd", "ssh", "ssh_genkeytypes", "users", "write_files"];
      assert.deepEqual(Object.keys(userData).toSorted(), allowed);
    });

    it("is accepted by cloud-init's own schema without a warning", { skip: without("cloud-init") }, () => {
      const folder = mkdtempSync(join(tmpdir(), "kubehenge-seed-"));
      const path = join(folder, "user-data");
      writeFileSync(path, files["user-data"]);
      const { code, out, err } = run("cloud-init", ["schema", "-c", path]);
      rmSync(folder, { recursive: true });
      assert.equal(code, 0, out + err);
      assert.doesNotMatch(out + err, /deprecat|error/i);
    });

    it("names the instance and the host in meta-data", () => {
      assert.deepEqual(parsed(files["meta-data"]), { "instance-id": plan.instanceId, "local-hostname": plan.hostname });
    });

    it("makes no user, whom every clone would have", () => {
      assert.deepEqual(userData.users, [""]);
    });

    it("gives every command as words, so that no shell reads them", () => {
      for (const command of [...userData.bootcmd, ...userData.runcmd]) {
        assert.ok(Array.isArray(command) && command.every((word) => typeof word === "string"), JSON.stringify(command));
      }
    });

    it("says code 1 on the marker disk from bootcmd, and never makes a file in the disk's place", () => {
      const dd = userData.bootcmd.at(-1) ?? [];
      assert.equal(dd[0], "dd");
      assert.ok(dd.includes("of=/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi1"));
      assert.ok(dd.includes("seek=1") && dd.includes("bs=512") && dd.includes("conv=notrunc,nocreat"));
    });

    it("B61: masks apt's timers for this boot only, in /run", () => {
      const mask = userData.bootcmd.find((command) => command.includes("mask")) ?? [];
      assert.ok(mask.includes("--runtime"));
      for (const unit of [
        "apt-daily.timer",
        "apt-daily-upgrade.timer",
        "apt-daily.service",
        "unattended-upgrades.service",
      ]) {
        assert.ok(mask.includes(unit), unit);
      }
      assert.ok(
        userData.write_files.some(
          ({ path, content }) => path.endsWith("/apt.sh") && content.includes("DPkg::Lock::Timeout="),
        ),
      );
    });

    it("starts one unit, whose files are all there, without waiting for it", () => {
      assert.deepEqual(userData.runcmd.at(-1), ["systemctl", "start", "--no-block", "kubehenge-build.service"]);
      const paths = userData.write_files.map(({ path }) => path);
      assert.equal(new Set(paths).size, paths.length);
      const folder = "/var/lib/kubehenge-build";
      const steps = guestSteps(plan)
        .slice(1)
        .map((step) => `${folder}/${step.name}.sh`);
      const wanted = [
        "/etc/systemd/system/kubehenge-build.service",
        "/etc/systemd/system/kubehenge-build-failed.service",
        `${folder}/run.sh`,
        `${folder}/settings`,
        ...steps,
      ];
      for (const path of wanted) assert.ok(paths.includes(path), path);
    });

    it("tells the guest a bound for each step that ends before the builder's", () => {
      const text = userData.write_files.find(({ path }) => path.endsWith("/steps"))?.content ?? "";
      const told = text
        .trimEnd()
        .split("\n")
        .map((line) => line.split(" "));
      const steps = guestSteps(plan).slice(1);
      assert.deepEqual(
        told.map(([code, , step]) => [Number(code), step]),
        steps.map((step) => [step.code, step.name]),
      );
      told.forEach(([, seconds], index) => assert.ok(Number(seconds) < (steps[index]?.boundSeconds ?? 0)));
    });

    it("carries nothing of Kubernetes unless it is asked for", () => {
      const kubernetes = userData.write_files.some(({ path }) => path.includes("kubernetes"));
      assert.equal(kubernetes, plan.kubernetes !== undefined);
    });
  });
}

describe("values in the seed", () => {
  const change = (changes: Partial<GuestPlan>): GuestPlan => ({ ...kubeadmPlan, ...changes });
  const kubernetes = (changes: Partial<NonNullable<GuestPlan["kubernetes"]>>): GuestPlan =>
    change({ kubernetes: { ...kubeadmPlan.kubernetes!, ...changes } });
  const hostile: [string, GuestPlan][] = [
    ["a newline in the instance-id", change({ instanceId: "a\nb" })],
    ["an empty instance-id", change({ instanceId: "" })],
    ["a host name with a space", change({ hostname: "a b" })],
    ["a MAC address with more after it", change({ mac: "bc:24:11:00:00:01\n" })],
    ["a mirror with a quote", change({ aptMirror: "http://mirror.example.org/'; reboot #" })],
    ["a mirror with an ampersand, which sed would expand", change({ aptMirror: "http://mirror.example.org/a&b" })],
    ["B65: a mirror with a password", change({ aptMirror: "http://user:secret@mirror.example.org/ubuntu" })],
    ["a mirror that is no http", change({ aptMirror: "file:///etc" })],
    [
      "a repository with a newline",
      kubernetes({ repositoryUrl: "https://pkgs.k8s.io/ /\ndeb http://evil.example.org" }),
    ],
    ["a repository with an apt option", kubernetes({ repositoryUrl: "https://pkgs.k8s.io/ [trusted=yes]" })],
    ["a version that is a range", kubernetes({ version: "v1.37" })],
    ["a version with a command", kubernetes({ version: "v1.37.1$(reboot)" })],
    ["a key that is no key", kubernetes({ keyArmored: "hello" })],
    ["a key with more after it", kubernetes({ keyArmored: `${kubeadmPlan.kubernetes?.keyArmored}\ncontent: x` })],
    [
      "a package version with a star",
      kubernetes({ packages: { ...kubeadmPlan.kubernetes!.packages, kubeadm: "1.37.1-*" } }),
    ],
    ["a registry with a scheme", kubernetes({ imageRepository: "https://registry.example.org" })],
    ["a time-out of zero", change({ timeoutSeconds: 0 })],
    [
      "a gateway outside the network",
      change({ network: { kind: "static", address: "192.0.2.10/24", gateway: "198.51.100.1", dns: [] } }),
    ],
  ];
  for (const [what, plan] of hostile) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => seedFiles(plan),
        (error: unknown) => error instanceof Failure && error.kind === "usage" && !error.message.includes("secret"),
      );
    });
  }

  it("never leave their quotes in the settings, whatever they are", () => {
    assertProperty(
      property(
        string({ unit: "binary" }).filter((text) => !text.includes("\0")),
        string(),
        (mirror, hostname) => {
          const settings = readSettings(settingsFile({ ...kubeadmPlan, aptMirror: mirror, hostname }));
          assert.equal(settings.get("APT_MIRROR"), mirror);
          assert.equal(settings.get("BUILD_HOSTNAME"), hostname);
        },
      ),
    );
  });

  it("reach a real shell as they are", () => {
    const values = ["", "'", "''", "a'b", "$(reboot)", "`id`", "a\nb", '"', "\\", "!", "*", "a'\\''b", "-n"];
    const script = values.map((value) => `printf '%s\\0' ${shellQuoted(value)}`).join("\n");
    assert.deepEqual(run("/bin/bash", [], script).out.split("\0").slice(0, -1), values);
  });

  it("survive YAML 1.1 as strings where cloud-init would take them for numbers or booleans", () => {
    for (const instanceId of ["1e3", "0x1f", "no", "on", "2026-11-30", "12", "true", "null"]) {
      const meta = parseDocument(seedFiles({ ...ubuntuPlan, instanceId })["meta-data"], { version: "1.1" }).toJS();
      assert.equal(meta["instance-id"], instanceId);
    }
  });
});
