import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { reasonsOf } from "../../../src/guest/reasons.ts";
import { guestSteps } from "../../../src/guest/index.ts";
import { kubeadmPlan } from "./plans.ts";
import { run, without } from "./programs.ts";

const folder = join(import.meta.dirname, "../../../src/guest/scripts");
const names = readdirSync(folder).filter((name) => name.endsWith(".sh"));
const text = (name: string): string => readFileSync(join(folder, name), "utf8");
/** Without comments, so that a word in one proves nothing. */
const code = (name: string): string => text(name).replace(/^\s*#.*$/gm, "");
const all = names.map(code).join("\n");

describe("the guest's scripts", () => {
  it("are clean to shellcheck", { skip: without("shellcheck") }, () => {
    const { code: exit, out } = run("shellcheck", [
      "-x",
      `--source-path=${folder}`,
      ...names.map((name) => join(folder, name)),
    ]);
    assert.equal(exit, 0, out);
  });

  it("parse in bash", () => {
    for (const name of names) assert.equal(run("/bin/bash", ["-n", join(folder, name)]).code, 0, name);
  });

  it("give only reasons that the builder knows", () => {
    for (const step of guestSteps(kubeadmPlan).slice(1)) {
      const known = reasonsOf(step.name).map(({ number }) => number);
      const direct = [
        ...code(`${step.name}.sh`).matchAll(/\b(?:fail|fail_beyond_link|fail_if_missing|reach) ([0-9]+)/g),
      ];
      const lists = [...code(`${step.name}.sh`).matchAll(/\bupdate_lists ([0-9]+) ([0-9]+)/g)];
      const given = [...direct.map((match) => match[1]), ...lists.flatMap((match) => [match[1], match[2]])].map(Number);
      for (const number of given) assert.ok(known.includes(number), `${step.name} gives ${number}`);
      if (code(`${step.name}.sh`).search(/(?<!run_)apt_get /) >= 0)
        assert.ok(known.includes(4), `${step.name} may wait for a lock`);
    }
  });

  it("take a package for missing of which apt-cache shows nothing, though it ends with 0 for a name that others mention", () => {
    const isThere = /^is_there\(\) \{[^]*?^\}/m.exec(code("kubernetes-packages.sh"))?.[0] ?? assert.fail("no check");
    const says = (aptCache: string) =>
      run("/bin/bash", ["-c", `apt-cache() { ${aptCache}; }\n${isThere}\nis_there kubeadm=1.37.1-1.1 && echo there`])
        .out;
    assert.equal(says("printf 'Package: kubeadm\\nVersion: 1.37.1-1.1\\n'"), "there\n");
    assert.equal(says(":"), "");
    assert.equal(says("return 100"), "");
  });

  it("B62: never enable the guest agent, and go on when it does not start at once", () => {
    assert.doesNotMatch(all, /systemctl enable[^\n]*qemu-guest-agent/);
    assert.match(code("agent.sh"), /systemctl start qemu-guest-agent\.service \|\|/);
  });

  it("B61: wait for locks, and restore the masked units before sealing is proven", () => {
    assert.match(code("apt.sh"), /DPkg::Lock::Timeout/);
    assert.match(code("apt.sh"), /APT::Update::Error-Mode=any/);
    const seal = code("seal.sh");
    assert.ok(seal.indexOf("systemctl unmask --runtime") > 0);
    assert.ok(seal.indexOf("systemctl unmask --runtime") < seal.indexOf("fail_if_missing"));
    assert.doesNotMatch(all, /systemctl mask (?!--runtime)/);
  });

  it("B63: take cloud-init's exit code 2 for a warning and 1 for a failure", () => {
    const cases = /case \$status in\n\s+0\).*\n\s+2\) warn [\s\S]*?\*\)[\s\S]*?missing\+=/;
    assert.match(code("verify.sh"), cases);
  });

  it("B64: seal away machine-id, host keys, instance, leases and netplan file, and prove it", () => {
    const seal = code("seal.sh");
    for (const wanted of [
      ": >/etc/machine-id",
      "cloud-init clean",
      "/etc/ssh/ssh_host_*",
      "/var/lib/dhcp",
      "/etc/netplan/50-cloud-init.yaml",
      "random-seed",
    ]) {
      assert.ok(seal.includes(wanted), wanted);
    }
    assert.ok(
      seal.includes("check 'an empty machine-id'") &&
        seal.includes("check 'no host key'") &&
        seal.includes("check 'no instance of cloud-init'"),
    );
  });

  it("B65: leave no key, mirror or build file: the mirror lives in the build's own folder, which goes last", () => {
    assert.doesNotMatch(all, />\s*\/etc\/apt\/(apt\.conf|sources\.list(\s|$))/);
    assert.match(code("apt.sh"), /mirrored_sources="\$build\//);
    const seal = code("seal.sh");
    assert.ok(seal.lastIndexOf('"$build"') > seal.lastIndexOf("fail_if_missing"));
  });

  it("let the report appear only when all steps are done and synced", () => {
    const runner = code("run.sh");
    assert.ok(
      runner.indexOf("sync") < runner.indexOf("report.json") &&
        runner.indexOf("report.json") < runner.indexOf("signal 100"),
    );
    for (const name of names) if (name !== "run.sh") assert.doesNotMatch(code(name), /\/report\.json/, name);
  });

  it("B66: start no kubelet: it is masked while it is installed, and enabled only", () => {
    assert.match(
      code("kubernetes-packages.sh"),
      /mask --runtime --quiet kubelet[\s\S]*apt_get install[\s\S]*unmask --runtime --quiet kubelet/,
    );
    assert.doesNotMatch(all, /systemctl (re)?start kubelet|enable --now kubelet/);
  });

  it("B68: hold the key to its repository, and never switch signatures off", () => {
    assert.match(code("kubernetes-packages.sh"), /deb \[signed-by=%s\]/);
    assert.doesNotMatch(all, /trusted=yes|allow-unauthenticated|AllowInsecureRepositories|apt-key(?!ring)/i);
  });

  it("are not written by text replacement: no placeholder is in them", () => {
    for (const name of names) assert.doesNotMatch(text(name), /@[A-Z_]+@|\{\{|%[A-Z]{3,}%/, name);
  });
});

describe("containerd's configuration", () => {
  const image = "registry.example.org:5000/kubernetes/pause:3.10.2";
  const edited = (name: string): string => {
    const { code: exit, out, err } = run("/bin/bash", [join(folder, "containerd-config.sh"), image], fixture(name));
    assert.equal(exit, 0, err);
    return out;
  };
  const fixture = (name: string): string =>
    readFileSync(join(import.meta.dirname, "../../fixtures/guest", name), "utf8");
  /** The value of a key in a table, and how often the table has it. */
  const values = (toml: string, table: string, key: string): string[] => {
    let here = "";
    return toml.split("\n").flatMap((line) => {
      const header = /^\s*\[(.*)\]\s*$/.exec(line)?.[1];
      if (header !== undefined) here = header.replace(/["']/g, "");
      const match = new RegExp(`^\\s*${key} = (.*)$`).exec(line);
      return here === table && match !== null ? [match[1] ?? ""] : [];
    });
  };

  it("is edited in containerd 1.x's version 2", () => {
    const toml = edited("containerd-version-2.toml");
    const cri = "plugins.io.containerd.grpc.v1.cri";
    assert.deepEqual(values(toml, cri, "sandbox_image"), [`"${image}"`]);
    assert.deepEqual(values(toml, `${cri}.containerd.runtimes.runc.options`, "SystemdCgroup"), ["true"]);
    assert.deepEqual(values(toml, `${cri}.registry`, "config_path"), ['"/etc/containerd/certs.d"']);
  });

  it("is edited in containerd 2.x's version 3, where a key may be missing", () => {
    const toml = edited("containerd-version-3.toml");
    const plugins = "plugins.io.containerd";
    assert.deepEqual(values(toml, `${plugins}.cri.v1.images.pinned_images`, "sandbox"), [`"${image}"`]);
    assert.deepEqual(values(toml, `${plugins}.cri.v1.runtime.containerd.runtimes.runc.options`, "SystemdCgroup"), [
      "true",
    ]);
    assert.deepEqual(values(toml, `${plugins}.cri.v1.images.registry`, "config_path"), ['"/etc/containerd/certs.d"']);
    assert.deepEqual(values(toml, `${plugins}.transfer.v1.local`, "config_path"), ['"/etc/containerd/certs.d"']);
  });

  it("keeps every other line", () => {
    for (const name of ["containerd-version-2.toml", "containerd-version-3.toml"]) {
      const ours = /SystemdCgroup|sandbox|config_path/;
      const rest = (toml: string): string[] => toml.split("\n").filter((line) => !ours.test(line));
      assert.deepEqual(rest(edited(name)), rest(fixture(name)));
    }
  });

  it("is refused where a place is missing, naming it", () => {
    const { code: exit, err } = run(
      "/bin/bash",
      [join(folder, "containerd-config.sh"), image],
      "version = 9\n[plugins]\n",
    );
    assert.notEqual(exit, 0);
    assert.match(err, /SystemdCgroup sandbox config_path/);
  });
});
