import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import type { PackagesTampering, UbuntuTampering } from "../stand-in/upstreams/index.ts";
import { action, assertConclusion } from "./harness/action.ts";
import { shown, to, writes } from "./harness/calls.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { startWorld } from "./harness/world.ts";

describe("Ubuntu's signed list", { concurrency: 4 }, () => {
  const rows: [how: UbuntuTampering, code: number, words: RegExp][] = [
    ["byte-changed", 6, /signature/i],
    ["list-truncated", 6, /signature/i],
    ["lines-reordered", 6, /signature/i],
    ["line-appended", 6, /signature/i],
    ["signature-of-another-list", 6, /signature/i],
    ["signature-by-another-key", 6, /signature|signed/i],
    ["signature-truncated", 6, /signature/i],
    ["signature-empty", 6, /signature/i],
    ["signature-missing", 6, /SHA256SUMS\.gpg/],
    ["digest-duplicated", 6, /ubuntu-26\.04-server-cloudimg-amd64\.img/],
    ["line-malformed", 6, /SHA256SUMS/],
    ["image-missing", 3, /ubuntu-26\.04-server-cloudimg-amd64\.img/],
  ];
  for (const [how, code, words] of rows) {
    test(`with ${how} ends with ${code} before anything is made`, async () => {
      await using world = await startWorld();
      world.upstreams.tamperUbuntu("26.04", how);
      const end = await kubehenge(world, "template create rke2 --ubuntu-release 26.04 --node pve1");
      assertCode(end, code);
      assert.match(end.stderr, words);
      assert.deepEqual(shown(writes(end.calls)), []);
    });
  }

  test("by a key that is not the pinned one is refused: Ubuntu's own key is the default", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template create k3s --ubuntu-release 26.04 --node pve1", {
      env: { KUBEHENGE_UBUNTU_KEYRING: undefined },
    });
    assertCode(end, 6);
    assert.match(end.stderr, /D2EB44626FDDC30B513D5BB71A5D6C4C7DB87C81/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("needs a keyring that is one", async () => {
    await using world = await startWorld();
    const file = path.join(world.directory, "junk.asc");
    writeFileSync(file, "junk\n");
    const end = await kubehenge(
      world,
      `template create k3s --ubuntu-release 26.04 --node pve1 --ubuntu-keyring ${file}`,
    );
    assert.ok(end.code === 2 || end.code === 6, end.stderr);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("names a digest that Proxmox VE enforces: other bytes end with 6, and nothing of them stays", async () => {
    await using world = await startWorld();
    world.upstreams.fault({ upstream: "ubuntu", path: /\.img$/, fault: { status: 200, body: "other bytes" } });
    const end = await kubehenge(world, "template create rke2 --node pve1");
    assertCode(end, 6);
    assert.match(end.stderr, /checksum mismatch/);
    assert.match(end.stderr, /are not those of the signed list; nothing of them was kept/);
    const [download] = to(end.calls, "POST", /download-url$/);
    assert.match(String(download?.form?.["checksum"]), /^[0-9a-f]{64}$/);
    assert.equal(download?.form?.["checksum-algorithm"], "sha256");
    assertNothingLeft(world, 0);
  });

  test("B12: whose image is gone since is an error that names it, not an older one", async () => {
    await using world = await startWorld();
    world.upstreams.fault({ upstream: "ubuntu", path: /\.img$/, fault: { status: 404 } });
    const end = await kubehenge(world, "template create rke2 --node pve1");
    assertCode(end, 3);
    assert.match(end.stderr, /ubuntu-26\.04-server-cloudimg-amd64\.img/);
    assertNothingLeft(world, 0);
  });

  test("B02, B05: gives each image a name of its own that bears its digest and ends in .qcow2", async () => {
    await using world = await startWorld();
    const first = await kubehenge(world, "template create rke2 --node pve1");
    assertCode(first, 0);
    world.upstreams.replaceUbuntuImage("26.04");
    const second = await kubehenge(world, "template create rke2 --node pve1 --pool other");
    assertCode(second, 0);
    const names = [first, second].map(({ calls }) => String(to(calls, "POST", /download-url$/)[0]?.form?.["filename"]));
    for (const name of names) assert.match(name, /^kubehenge-ubuntu-26\.04-amd64-[0-9a-f]{16}\.qcow2$/);
    assert.notEqual(names[0], names[1]);
    assertNothingLeft(world, 2);
  });
});

describe("Kubernetes' packages", { concurrency: 4 }, () => {
  const rows: [how: PackagesTampering, words: RegExp][] = [
    ["byte-changed", /InRelease|signature/i],
    ["signature-by-another-key", /signature|signed/i],
    ["not-signed", /sign/i],
    ["text-appended", /InRelease/],
    ["text-before", /InRelease/],
    ["index-changed", /Packages/],
    ["index-truncated", /Packages/],
    ["inrelease-truncated", /InRelease|signature/i],
    ["key-of-another", /fingerprint|key/i],
  ];
  for (const [how, words] of rows) {
    test(`with ${how} end with 6 before anything is made`, async () => {
      await using world = await startWorld();
      world.upstreams.tamperKubernetes(how);
      const end = await kubehenge(
        world,
        "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1",
      );
      assertCode(end, 6);
      assert.match(end.stderr, words);
      assert.deepEqual(shown(writes(end.calls)), []);
    });
  }

  test("B68: whose key has expired end with 6, its end is told, and no other key is taken silently", async () => {
    await using world = await startWorld();
    await world.upstreams.setKubernetesKeyExpiry(new Date("2025-12-29T01:33:44Z"));
    const end = await action(world, { distribution: "kubeadm", versions: "1.37.1" });
    assertConclusion(end, "failure");
    assert.match(end.log, /expired[^]*2025-12-29|2025-12-29[^]*expired/);
    assert.deepEqual(shown(writes(end.calls)), []);
    const command = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1",
    );
    assertCode(command, 6);
  });

  test("B68: are signed with the wanted fingerprint or refused", async () => {
    await using world = await startWorld();
    const end = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.37.1 --ubuntu-release 26.04 --node pve1",
      {
        env: { KUBEHENGE_KUBERNETES_KEY_FINGERPRINT: undefined },
      },
    );
    assertCode(end, 6);
    assert.match(end.stderr, /DE15B14486CD377B9E876E1A234654DA9A296436/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B69: of a minor whose repository is not there are told so before anything is made", async () => {
    await using world = await startWorld();
    world.upstreams.addKubernetes("1.38.0", { packages: false });
    const end = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version 1.38.0 --ubuntu-release 26.04 --node pve1",
    );
    assertCode(end, 3);
    assert.match(end.stderr, /1\.38/);
    assert.deepEqual(shown(writes(end.calls)), []);
    const latest = await kubehenge(
      world,
      "template create kubeadm --kubernetes-version latest --ubuntu-release 26.04 --node pve1 --dry-run -o json",
    );
    assertCode(latest, 0);
    assert.match(latest.stdout, /"v1\.37\.1"/, "a version counts only when its packages are there");
  });
});

describe("the Image Factory", { concurrency: 4 }, () => {
  test("that answers another schematic id ends the run with 6", async () => {
    await using world = await startWorld();
    world.upstreams.answerSchematicId("0".repeat(64));
    const end = await kubehenge(world, "template create talos --node pve1");
    assertCode(end, 6);
    assert.match(end.stderr, /0{64}/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B17: that lists a version without its image yet says so, and nothing is made", async () => {
    await using world = await startWorld();
    world.upstreams.setTalosImage("1.14.4", false);
    const end = await kubehenge(world, "template create talos --talos-version 1.14.4 --node pve1");
    assertCode(end, 3);
    assert.match(end.stderr, /not yet available|not there yet/i);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B06: is asked for an uncompressed image, and Proxmox VE is told no compression", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template create talos --node pve1");
    const [download] = to(end.calls, "POST", /download-url$/);
    assert.match(String(download?.form?.["url"]), /\/nocloud-amd64\.qcow2$/);
    assert.equal(download?.form?.["compression"], undefined);
  });

  test("is told to be all that protects a Talos image", async () => {
    await using world = await startWorld();
    const end = await action(world, { distribution: "talos" });
    assert.match(end.summary, /Talos v1\.14\.4 disk image \| TLS only/);
  });
});

describe("versions", { concurrency: 3 }, () => {
  test("come from the token-free sources when GitHub limits the rate", async () => {
    await using world = await startWorld();
    world.upstreams.setRateLimited(true);
    for (const [distribution, version] of [
      ["talos", "v1.14.4"],
      ["kubeadm", "v1.37.1"],
    ] as const) {
      const end = await kubehenge(world, `template create ${distribution} --node pve1 --dry-run -o json`);
      assertCode(end, 0);
      assert.match(end.stdout, new RegExp(`"version": "${version}"`));
    }
  });

  test("that GitHub has and the source of the bits has not do not count", async () => {
    await using world = await startWorld();
    world.upstreams.addTalos("1.14.5", { factory: false });
    const end = await kubehenge(world, "template create talos --node pve1 --dry-run -o json");
    assertCode(end, 0);
    assert.match(end.stdout, /"v1\.14\.4"/);
  });
});
