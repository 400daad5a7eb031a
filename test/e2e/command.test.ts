import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { assertCode, commandEnvironment, commandFile, kubehenge, projectRoot } from "./harness/command.ts";
import { shown, writes } from "./harness/calls.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { assertTemplate, tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";
import { node24 } from "../mini-runner/node-runtime.ts";

describe("the command", { concurrency: 4 }, () => {
  test("does what its first lines in the README say, as written", async () => {
    await using world = await startWorld();
    const talos = await kubehenge(world, "template create talos --node pve1");
    assertCode(talos, 0);
    assert.match(
      talos.stdout,
      /^Talos v1\.14\.4 created in .*: VM 100 on node pve1, storage shared-storage, tags kubehenge;talos;talos-v1\.14\.4\n$/,
    );
    const rke2 = await kubehenge(world, "template create rke2 --node pve1 --storage shared-storage");
    assertCode(rke2, 0);
    assert.match(rke2.stdout, /^Ubuntu 26\.04 for RKE2 and k3s created in .*: VM 101 .*\n$/);
    const kubeadm = await kubehenge(world, "template create kubeadm --kubernetes-version v1.37.1 --node pve1");
    assertCode(kubeadm, 0);
    assert.match(kubeadm.stdout, /^kubeadm v1\.37\.1 on Ubuntu 26\.04 created in .*: VM 102 .*\n$/);
    const list = await kubehenge(world, "template list");
    assertCode(list, 0);
    assert.deepEqual(
      list.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {2,}/)),
      [
        ["TEMPLATE", "VMID", "NODE", "STATE"],
        ["kubeadm v1.37.1 on Ubuntu 26.04", "102", "pve1", "template"],
        ["Talos v1.14.4", "100", "pve1", "template"],
        ["Ubuntu 26.04 for RKE2 and k3s", "101", "pve1", "template"],
      ],
    );
    assertNothingLeft(world, 3);
    const deleted = await kubehenge(world, "template delete kubeadm --kubernetes-version v1.37.1");
    assertCode(deleted, 0);
    assert.equal(
      deleted.stdout,
      "kubeadm v1.37.1 on Ubuntu 26.04: template kubeadm-v1.37.1-ubuntu-26.04 (VM 102 on node pve1) deleted\n",
    );
    assertNothingLeft(world, 2);
    assert.equal(world.proxmox.state.poolOfVm(100), "kubehenge-templates");
  });

  test("B31: finds its template the second time and writes nothing", async () => {
    await using world = await startWorld();
    assertCode(await kubehenge(world, "template create k3s --node pve1 --ubuntu-release noble"), 0);
    const again = await kubehenge(world, "template create rke2 --node pve1 --ubuntu-release 24.04 -o json");
    assertCode(again, 0);
    assert.deepEqual(shown(writes(again.calls)), []);
    const [result] = JSON.parse(again.stdout) as { result: string; vmid: number; digest: string; manifest: object }[];
    assert.equal(result?.result, "reused", "rke2 and k3s share one template");
    assert.equal(result?.vmid, 100);
    assert.match(result?.digest ?? "", /^sha256:[0-9a-f]{64}$/);
    assertNothingLeft(world, 1);
  });

  test("takes exact versions, ranges, latest and codenames, with and without v", async () => {
    await using world = await startWorld();
    const rows: [line: string, version: string, ubuntu?: string][] = [
      ["talos --talos-version v1.13.9", "v1.13.9"],
      ["talos --talos-version ~1.13", "v1.13.10"],
      ["talos --talos-version latest", "v1.14.4"],
      ["talos --talos-version '>=1.12 <1.13'", "v1.12.12"],
      ["kubeadm --kubernetes-version ~v1.36", "v1.36.4", "26.04"],
      ["kubeadm --kubernetes-version 1.36.x --ubuntu-release jammy", "v1.36.4", "22.04"],
      ["rke2 --ubuntu-release resolute", "26.04", "26.04"],
    ];
    for (const [line, version, ubuntu] of rows) {
      const end = await kubehenge(world, `template create ${line} --node pve1 --dry-run -o json`);
      assertCode(end, 0);
      const [planned] = JSON.parse(end.stdout) as { result: string; version: string; ubuntuRelease?: string }[];
      assert.deepEqual([planned?.result, planned?.version, planned?.ubuntuRelease], ["planned", version, ubuntu], line);
    }
  });

  test("writes nothing in a dry run and says what it would do", async () => {
    await using world = await startWorld();
    for (const line of ["talos", "kubeadm --kubernetes-version 1.37.1"]) {
      const end = await kubehenge(world, `template create ${line} --node pve1 --dry-run`);
      assertCode(end, 0);
      assert.deepEqual(shown(writes(end.calls)), []);
      assert.match(end.stdout, / would be created: .*; tags .*kubehenge/);
    }
    world.proxmox.state.addTemplate({
      vmid: 200,
      pool: "kubehenge-templates",
      tags: tagsOf.talos("v1.14.4").join(";"),
    });
    const end = await kubehenge(world, "template delete talos --dry-run");
    assertCode(end, 0);
    assert.deepEqual(shown(writes(end.calls)), []);
    assert.match(end.stdout, /VM 200 on node pve1\) would be deleted/);
    assert.ok(world.proxmox.state.vms.has(200));
  });

  test("prints the result on stdout alone, as text or JSON, and progress as plain lines on stderr", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template create talos --node pve1 -o json");
    assertCode(end, 0);
    const [result] = JSON.parse(end.stdout) as Record<string, unknown>[];
    assert.equal(result?.["result"], "created");
    assert.equal(result?.["vmid"], 100);
    assert.deepEqual(result?.["tags"], tagsOf.talos("v1.14.4"));
    assert.match(end.stderr, /^Talos v1\.14\.4: fetching the image$/m);
    assert.match(end.stderr, /^Talos v1\.14\.4: converting to a template$/m);
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(end.stderr, /[\r\u001b]/, "no live line and no colour without a terminal");
  });

  test("keeps one live line on a terminal, with colour unless NO_COLOR is set", async (t) => {
    if (spawnSync("script", ["--version"]).status !== 0)
      return t.skip("no `script` (util-linux), which gives a terminal");
    await using world = await startWorld();
    const onTerminal = async (env: Record<string, string>) => {
      const { spawn } = await import("node:child_process");
      const { text } = await import("node:stream/consumers");
      const command = `${node24(projectRoot)} ${commandFile} template create talos --node pve1 --talos-version`;
      const child = spawn("script", ["-qec", `${command} ${env["NO_COLOR"] ? "1.14.3" : "1.14.2"}`, "/dev/null"], {
        env: { ...commandEnvironment(world, env), SHELL: "/bin/sh", TERM: "xterm" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      return await text(child.stdout);
    };
    const coloured = await onTerminal({});
    assert.match(coloured, /fetching the image\r\u001b\[2K/, "the live line is taken away before the next");
    assert.match(coloured, /\u001b\[33mwarning:\u001b\[39m/);
    assert.match(coloured, /Talos v1\.14\.2 created in [^\r\n]*\r?\n$/);
    const plain = await onTerminal({ NO_COLOR: "1" });
    assert.doesNotMatch(plain, /\u001b\[3\dm/);
    assert.match(plain, /Talos v1\.14\.3 created in/);
  });

  test("refuses what it does not know with exit code 2, before any call", async () => {
    await using world = await startWorld();
    const rows: [line: string, words: RegExp][] = [
      ["template create", /missing required argument 'distribution'/],
      ["template create openshift", /distribution is one of talos, rke2, k3s, kubeadm, not "openshift"/],
      ["template create talos --unheard-of", /unknown option '--unheard-of'/],
      ["template frobnicate", /unknown command 'frobnicate'/],
      ["template create talos -o yaml", /-o is text or json, not "yaml"/],
      ["template list -o yaml", /-o is one of table, wide, json, capmox, not "yaml"/],
      [
        "template create talos --kubernetes-version 1.37.1",
        /--kubernetes-version says nothing about a template of talos/,
      ],
      [
        "template create rke2 --kubernetes-version 1.37.1",
        /--kubernetes-version says nothing about a template of rke2/,
      ],
      ["template create kubeadm --talos-version 1.14.2", /--talos-version says nothing about a template of kubeadm/],
    ];
    for (const [line, words] of rows) {
      const end = await kubehenge(world, line);
      assertCode(end, 2);
      assert.match(end.stderr, words, line);
      assert.equal(end.stdout, "", line);
      assert.deepEqual(shown(end.calls), [], line);
    }
  });

  test("shows its help and version on stdout and ends with 0", async () => {
    await using world = await startWorld();
    for (const line of ["--help", "template delete --help"]) {
      const end = await kubehenge(world, line);
      assertCode(end, 0);
      assert.match(end.stdout, /^Usage: kubehenge/);
    }
    const version = await kubehenge(world, "--version");
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    const create = (await kubehenge(world, "template create --help")).stdout;
    for (const option of "node storage pool import-storage iso-storage bridge vlan build-address build-gateway build-dns talos-version kubernetes-version ubuntu-release disk-size timeout keep-on-failure dry-run output ca-file fingerprint insecure ubuntu-url ubuntu-keyring talos-factory-url kubernetes-packages-url kubernetes-releases-url kubernetes-key-fingerprint image-repository apt-mirror".split(
      " ",
    )) {
      assert.match(create, new RegExp(`--${option}\\b`), `create has no --${option}`);
    }
  });

  test("makes a missing pool where the token may, and uses one that is there", async () => {
    await using world = await startWorld({ pools: ["there"] });
    assertCode(await kubehenge(world, "template create talos --node pve1 --pool there"), 0);
    assertCode(await kubehenge(world, "template create talos --node pve1 --talos-version 1.14.3 --pool new"), 0);
    assert.equal(world.proxmox.state.poolOfVm(assertTemplate(world, tagsOf.talos("v1.14.4")).vmid), "there");
    assert.equal(world.proxmox.state.poolOfVm(assertTemplate(world, tagsOf.talos("v1.14.3")).vmid), "new");
    assertNothingLeft(world, 2);
  });

  test("needs no --node where one node is online, and lists them where several are", async () => {
    await using one = await startWorld({ nodes: [{ name: "alpha" }, { name: "beta", online: false }] });
    assertCode(await kubehenge(one, "template create talos"), 0);
    assert.equal(assertTemplate(one, tagsOf.talos("v1.14.4")).node, "alpha");
    await using two = await startWorld({
      nodes: [{ name: "alpha" }, { name: "beta" }, { name: "gamma", online: false }],
    });
    const end = await kubehenge(two, "template create talos");
    assertCode(end, 2);
    assert.match(end.stderr, /Several nodes are online.*alpha, beta, gamma \(offline\)/);
    assert.match(end.stderr, /--node/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("takes options for what the environment says, too, and the options win", async () => {
    await using world = await startWorld();
    const bare = {
      KUBEHENGE_PROXMOX_URL: "https://127.0.0.1:1",
      KUBEHENGE_PROXMOX_FINGERPRINT: "00".repeat(32),
      KUBEHENGE_TALOS_FACTORY_URL: "http://127.0.0.1:1",
    };
    const end = await kubehenge(
      world,
      `template create talos --talos-version 1.14.4 --node pve1 --proxmox-url ${world.proxmox.url} --fingerprint ${world.proxmox.fingerprint} --talos-factory-url ${world.upstreams.talosFactoryUrl}`,
      { env: bare },
    );
    assertCode(end, 0);
    assertNothingLeft(world, 1);
  });
});

describe("template list", { concurrency: 4 }, () => {
  const seeded = async () => {
    const world = await startWorld({ nodes: [{ name: "pve1" }, { name: "pve2" }] });
    const seed = world.proxmox.state;
    seed.addTemplate({
      vmid: 201,
      pool: "kubehenge-templates",
      name: "talos-v1.14.3",
      tags: tagsOf.talos("v1.14.3").join(";"),
    });
    seed.addTemplate({
      vmid: 202,
      pool: "kubehenge-templates",
      name: "broken",
      converted: false,
      tags: tagsOf.ubuntu("24.04").join(";"),
    });
    seed.addTemplate({
      vmid: 203,
      pool: "elsewhere",
      node: "pve2",
      name: "other",
      tags: tagsOf.kubeadm("v1.36.4", "24.04").join(";"),
    });
    // A clone inherits tags and is none of ours; another product's tags say nothing.
    seed.addVm({
      vmid: 204,
      pool: "kubehenge-templates",
      config: { name: "node-1", tags: tagsOf.talos("v1.14.3").join(";") },
    });
    seed.addTemplate({ vmid: 205, pool: "kubehenge-templates", name: "foreign", tags: "ubuntu-24.04" });
    return world;
  };

  test("shows the pool's templates, broken ones as such, and no clones", async () => {
    await using world = await seeded();
    const end = await kubehenge(world, "template list");
    assertCode(end, 0);
    assert.deepEqual(
      end.stdout
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.split(/ {2,}/)),
      [
        ["Talos v1.14.3", "201", "pve1", "template"],
        ["Ubuntu 24.04 for RKE2 and k3s", "202", "pve1", "broken"],
      ],
    );
    const wide = await kubehenge(world, "template list -o wide");
    assert.match(wide.stdout, /^TEMPLATE +VMID +NODE +STATE +POOL +STORAGE +MADE +DIGEST +TAGS$/m);
    assert.match(wide.stdout, /201 .* kubehenge-templates +shared-storage .*kubehenge;talos;talos-v1\.14\.3$/m);
  });

  test("takes in every pool with --pool ''", async () => {
    await using world = await seeded();
    const end = await kubehenge(world, "template list --pool '' -o json");
    assertCode(end, 0);
    const rows = JSON.parse(end.stdout) as { vmid: number; pool: string; distribution: string; state: string }[];
    assert.deepEqual(
      rows.map(({ vmid, pool, distribution, state }) => [vmid, pool, distribution, state]),
      [
        [203, "elsewhere", "kubeadm", "template"],
        [201, "kubehenge-templates", "talos", "template"],
        [202, "kubehenge-templates", "rke2", "broken"],
      ],
    );
  });

  test("prints selectors to paste into a ProxmoxMachineTemplate with -o capmox, for whole templates only", async () => {
    await using world = await seeded();
    const end = await kubehenge(world, "template list -o capmox");
    assertCode(end, 0);
    assert.equal(
      end.stdout,
      "# Talos v1.14.3: VM 201 on node pve1\ntemplateSelector:\n  matchTags:\n    - kubehenge\n    - talos\n    - talos-v1.14.3\n",
    );
  });

  test("prints nothing, or an empty array, where there is none, and says so on stderr", async () => {
    await using world = await startWorld();
    const table = await kubehenge(world, "template list");
    assertCode(table, 0);
    assert.equal(table.stdout, "");
    assert.match(table.stderr, /No template in pool kubehenge-templates that the token may see \(VM\.Audit\)/);
    assert.equal((await kubehenge(world, "template list -o json --pool ''")).stdout, "[]\n");
  });

  test("still shows the others when one node does not answer", async () => {
    await using world = await seeded();
    const pve2 = world.proxmox.state.nodes.get("pve2") ?? assert.fail();
    pve2.online = false;
    const end = await kubehenge(world, "template list --pool ''");
    assertCode(end, 0);
    assert.match(end.stdout, /203 +pve2 +unreachable$/m);
    assert.match(end.stdout, /201 +pve1 +template$/m);
  });
});
