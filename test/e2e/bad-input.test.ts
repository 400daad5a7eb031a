import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { shown, writes } from "./harness/calls.ts";
import { assertCode, kubehenge } from "./harness/command.ts";
import { assertNothingLeft } from "./harness/left.ts";
import { tagsOf } from "./harness/template.ts";
import { startWorld } from "./harness/world.ts";

const pool = "kubehenge-templates";
type Row = [line: string, code: number, ...words: RegExp[]];

describe("bad input ends in a clear error and leaves nothing", { concurrency: 4 }, () => {
  test("an address or token that is none is refused before any connection, and no secret is shown", async () => {
    await using world = await startWorld();
    const rows: [Record<string, string | undefined>, RegExp][] = [
      [{ KUBEHENGE_PROXMOX_URL: undefined }, /No Proxmox VE address: --proxmox-url or KUBEHENGE_PROXMOX_URL is empty/],
      [{ KUBEHENGE_PROXMOX_URL: "http://127.0.0.1:8006" }, /served over https only/],
      [{ KUBEHENGE_PROXMOX_URL: `${world.proxmox.url}/api2/json/nodes` }, /has a path \(\/api2\/json\/nodes\)/],
      [{ KUBEHENGE_PROXMOX_URL: "https://user:pw@127.0.0.1:8006" }, /carries a user name or password/],
      [{ KUBEHENGE_PROXMOX_TOKEN: undefined }, /No Proxmox VE API token: KUBEHENGE_PROXMOX_TOKEN is empty/],
      [
        { KUBEHENGE_PROXMOX_TOKEN: world.secret },
        /does not look like a Proxmox VE API token: USER@REALM!TOKENID=SECRET/,
      ],
    ];
    for (const [env, words] of rows) {
      const end = await kubehenge(world, "template list", { env });
      assertCode(end, 2);
      assert.match(end.stderr, words);
      assert.deepEqual(shown(end.calls), []);
    }
  });

  test("B37: a wrong token fails after one call", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template list", {
      env: { KUBEHENGE_PROXMOX_TOKEN: "root@pam!kubehenge=00000000-0000-0000-0000-000000000000" },
    });
    assertCode(end, 4);
    assert.match(end.stderr, /answered 401/);
    assert.match(end.stderr, /check the token root@pam!kubehenge and its secret/);
    assert.equal(end.calls.length, 1);
  });

  test("an address where nobody answers is told with what to check", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template list --proxmox-url https://127.0.0.1:9");
    assertCode(end, 1);
    assert.match(end.stderr, /https:\/\/127\.0\.0\.1:9 gave no answer/);
    assert.match(end.stderr, /HTTPS_PROXY and NO_PROXY/);
  });

  test("an address where something else answers is told as such", async () => {
    await using world = await startWorld();
    world.proxmox.inject(({ phase }) =>
      phase === "before" ? { kind: "answer", status: 200, reason: "OK", body: "<html>router</html>" } : undefined,
    );
    const end = await kubehenge(world, "template list");
    assertCode(end, 1);
    assert.match(end.stderr, /the answer is not JSON: is this the Proxmox VE API\?/);
  });

  test("B34: a node, storage, bridge or content type that is not there is named with what there is", async () => {
    await using world = await startWorld({
      nodes: [{ name: "pve1" }, { name: "pve2", online: false }],
      storages: [
        { name: "local", type: "dir", content: ["iso", "vztmpl"], path: "/var/lib/vz" },
        { name: "images", type: "dir", content: ["import"], path: "/srv/images" },
        { name: "fast", type: "lvmthin", content: ["images"] },
        { name: "shared-storage", type: "nfs", content: ["images"], shared: true },
      ],
    });
    const rows: Row[] = [
      ["talos --node pve9", 3, /There is no node pve9 in this cluster/, /nodes: pve1, pve2 \(offline\)/],
      ["talos --node pve2", 1, /Node pve2 is offline/],
      ["talos --node pve1/..", 2, /--node is not a node's name, not "pve1\/\.\."/],
      [
        "talos --node pve1",
        3,
        /Storage local \(--import-storage\) does not hold the content type import; it holds iso, vztmpl/,
        /pvesm set local --content import,iso,vztmpl/,
        /--import-storage images/,
      ],
      [
        "talos --node pve1 --import-storage fast",
        3,
        /Storage fast \(--import-storage\) does not hold the content type import/,
        /a storage of type lvmthin cannot hold import/,
      ],
      [
        "talos --node pve1 --import-storage images",
        2,
        /Several storages of node pve1 can hold the disk, so say which: fast \(lvmthin: images\); shared-storage/,
        /--storage NAME/,
      ],
      [
        "talos --node pve1 --import-storage images --storage nowhere",
        3,
        /Node pve1 has no storage nowhere \(--storage\)/,
        /storages of the node: .*fast/,
      ],
      [
        "talos --node pve1 --import-storage images --storage local",
        3,
        /Storage local \(--storage\) does not hold the content type images/,
      ],
      [
        "rke2 --node pve1 --import-storage images --storage fast --iso-storage images",
        3,
        /Storage images \(--iso-storage\) does not hold the content type iso/,
        /pvesm set images --content import,iso/,
      ],
      [
        "rke2 --node pve1 --import-storage images --storage fast --bridge vmbr9",
        3,
        /Node pve1 has no bridge vmbr9/,
        /bridges.*: vmbr0/,
      ],
    ];
    for (const [line, code, ...words] of rows) {
      const end = await kubehenge(world, `template create ${line}`);
      assertCode(end, code);
      for (const one of words) assert.match(end.stderr, one, line);
      assert.deepEqual(shown(writes(end.calls)), [], line);
    }
  });

  test("B08: an import storage without that content is found before a VMID is taken", async () => {
    await using world = await startWorld({
      storages: [
        { name: "local", type: "dir", content: ["iso"], path: "/var/lib/vz" },
        { name: "shared-storage", type: "nfs", content: ["images"], shared: true },
      ],
    });
    const end = await kubehenge(world, "template create rke2 --node pve1");
    assertCode(end, 3);
    assert.match(end.stderr, /pvesm set local --content import,iso/);
    assert.ok(!shown(end.calls).some((call) => call.includes("nextid")));
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("versions and releases that are not there, or that say nothing, are told with the nearest", async () => {
    await using world = await startWorld();
    const rows: Row[] = [
      ["talos --talos-version newest", 2, /"newest" is neither a version nor a range of versions/],
      ["talos --talos-version ~1.99", 3, /No Talos version fits "~1\.99"/, /v1\.14\.4/],
      ["talos --talos-version 1.14.99", 3, /v1\.14\.99/],
      ["kubeadm --kubernetes-version 1.37.99", 3, /v?1\.37\.99/],
      ["kubeadm --kubernetes-version 1.99.0", 3, /1\.99/],
      ["rke2 --ubuntu-release warty", 3, /warty/],
      ["rke2 --ubuntu-release 24.04.3", 2, /"24\.04\.3" is not an Ubuntu release/],
      ["talos --ubuntu-release 24.04", 2, /An Ubuntu release \(24\.04\) was given for Talos/],
    ];
    for (const [line, code, ...words] of rows) {
      const end = await kubehenge(world, `template create ${line} --node pve1`);
      assertCode(end, code);
      for (const one of words) assert.match(end.stderr, one, line);
      assert.deepEqual(shown(writes(end.calls)), [], line);
    }
  });

  test("B70: an address, gateway or DNS server that does not fit is refused before any call", async () => {
    await using world = await startWorld();
    const create = ["template", "create", "rke2", "--node", "pve1"];
    const rows: [string[], RegExp][] = [
      [
        ["--build-address", "192.0.2.10", "--build-gateway", "192.0.2.1"],
        /has no prefix length; write it as 192\.0\.2\.10\/24/,
      ],
      [
        ["--build-address", "192.0.2.10/24", "--build-gateway", "198.51.100.1"],
        /gateway 198\.51\.100\.1 lies outside the network/,
      ],
      [
        ["--build-address", "192.0.2.10/24", "--build-gateway", "192.0.2.1\nnameserver: evil"],
        /"192\.0\.2\.1\\nnameserver: evil" is not an IP address/,
      ],
      [
        ["--build-address", "192.0.2.10/24", "--build-gateway", "192.0.2.1", "--build-dns", "resolver.example"],
        /DNS server "resolver\.example" is not an IP address/,
      ],
      [["--build-dns", "192.0.2.53"], /was given without a build address/],
      [["--bridge", "vmbr0,firewall=0"], /--bridge is not a bridge's name/],
      [["--vlan", "5000"], /--vlan wants a number from 1 to 4094/],
      [["--disk-size", "10G"], /--disk-size wants a whole number of GiB/],
      [["--ubuntu-url", "ftp://mirror.example"], /--ubuntu-url is not an http or https address/],
      [["--kubernetes-key-fingerprint", "1234"], /--kubernetes-key-fingerprint is not an OpenPGP fingerprint/],
      [["--ubuntu-keyring", "missing.asc"], /--ubuntu-keyring: ENOENT/],
      [["--image-repository", "registry.example;rm"], /--image-repository is not an image repository/],
    ];
    for (const [options, words] of rows) {
      const end = await kubehenge(world, [...create, ...options]);
      assertCode(end, 2);
      assert.match(end.stderr, words);
      assert.deepEqual(shown(end.calls), []);
    }
  });

  test("a disk smaller than its image is refused, and what was made is taken back", async () => {
    await using world = await startWorld();
    const end = await kubehenge(world, "template create talos --node pve1 --disk-size 1");
    assertCode(end, 2);
    assert.match(end.stderr, /The image of Talos v1\.14\.4 is 1\.2 GiB, more than the wanted disk of 1 GiB/);
    assert.match(end.stderr, /--disk-size 2 or more/);
    assertNothingLeft(world, 0);
  });

  test("a plain http mirror is taken, with a warning where a Talos image comes from it", async () => {
    await using world = await startWorld();
    assert.match(world.upstreams.ubuntuUrl, /^http:/);
    const talos = await kubehenge(world, "template create talos --node pve1 --dry-run");
    assert.match(talos.stderr, /^warning: A Talos image over plain http/m);
    const rke2 = await kubehenge(world, "template create rke2 --node pve1 --dry-run");
    assertCode(rke2, 0);
    assert.doesNotMatch(rke2.stderr, /warning/);
  });
});

describe("what is there already", { concurrency: 4 }, () => {
  const talos = tagsOf.talos("v1.14.4").join(";");
  const create = "template create talos --talos-version 1.14.4";

  test("in another pool with the same tags is not reused, and said", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({ vmid: 201, pool: "elsewhere", tags: talos });
    const end = await kubehenge(world, `${create} --node pve1`);
    assertCode(end, 0);
    assert.match(end.stdout, /created/);
    assert.match(
      end.stderr,
      /warning: The same tags elsewhere: VM 201 in pool elsewhere carries the same tags and is not reused/,
    );
    assertNothingLeft(world, 1);
  });

  test("in the pool twice is a conflict", async () => {
    await using world = await startWorld();
    for (const vmid of [201, 202]) world.proxmox.state.addTemplate({ vmid, pool, tags: talos });
    const end = await kubehenge(world, create);
    assertCode(end, 5);
    assert.match(end.stderr, /Several templates carry the tags of Talos v1\.14\.4: VM 201 on pve1, VM 202 on pve1/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("and broken is said to be broken", async () => {
    await using world = await startWorld();
    world.proxmox.state.addTemplate({ vmid: 201, pool, tags: talos, converted: false });
    const end = await kubehenge(world, `${create} --node pve1`);
    assertCode(end, 5);
    assert.match(
      end.stderr,
      /VM 201 on node pve1 carries the tags of Talos v1\.14\.4 and calls itself a template, but is broken/,
    );
    assert.match(end.stderr, /is no base volume/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("on a node that does not answer stops the run", async () => {
    await using world = await startWorld({ nodes: [{ name: "pve1" }, { name: "pve2" }] });
    world.proxmox.state.addTemplate({ vmid: 201, node: "pve2", pool, tags: talos });
    (world.proxmox.state.nodes.get("pve2") ?? assert.fail()).online = false;
    const end = await kubehenge(world, `${create} --node pve1`);
    assertCode(end, 5);
    assert.match(end.stderr, /VM 201 carries the wanted tags, but its node pve2 does not answer/);
    assert.deepEqual(shown(writes(end.calls)), []);
  });

  test("B48: on another node's local storage is refused with CAPMOX's reason, and reused from shared storage", async () => {
    await using world = await startWorld({
      nodes: [{ name: "pve1" }, { name: "pve2" }],
      storages: [
        { name: "local", type: "dir", content: ["iso", "import"], path: "/var/lib/vz" },
        { name: "local-lvm", type: "lvmthin", content: ["images"] },
        { name: "shared-storage", type: "nfs", content: ["images"], shared: true },
      ],
    });
    world.proxmox.state.addTemplate({ vmid: 201, node: "pve2", pool, tags: talos, storage: "local-lvm" });
    const refused = await kubehenge(world, `${create} --node pve1`);
    assertCode(refused, 5);
    assert.match(refused.stderr, /on node pve2, on storage local-lvm, which is not shared/);
    assert.match(refused.stderr, /wants exactly one match in the whole cluster/);
    world.proxmox.state.addTemplate({
      vmid: 202,
      node: "pve2",
      pool,
      tags: tagsOf.talos("v1.14.3").join(";"),
      storage: "shared-storage",
    });
    const reused = await kubehenge(world, "template create talos --talos-version 1.14.3 --node pve1");
    assertCode(reused, 0);
    assert.match(reused.stdout, /reused: VM 202 on node pve2/);
    assert.deepEqual(shown(writes([...refused.calls, ...reused.calls])), []);
  });

  test("B32: and younger than the statistics, without name and flag in the listing, is found by its configuration", async () => {
    await using world = await startWorld({ resourcesLagMs: 60_000 });
    assertCode(await kubehenge(world, "template create talos --node pve1"), 0);
    const again = await kubehenge(world, "template create talos --node pve1");
    assertCode(again, 0);
    assert.match(again.stdout, /reused: VM 100/);
    assert.deepEqual(shown(writes(again.calls)), []);
  });

  test("B39: four runs at once for four targets, with the same next id, all end with ids of their own", async () => {
    await using world = await startWorld();
    const ends = await Promise.all(
      ["1.14.4", "1.14.3", "1.14.2", "1.13.10"].map((version) =>
        kubehenge(world, `template create talos --talos-version ${version} --node pve1`),
      ),
    );
    for (const end of ends) assertCode(end, 0);
    assertNothingLeft(world, 4);
  });

  test("B39: two runs at once for one target make one template, and both end well", async () => {
    await using world = await startWorld();
    const ends = await Promise.all([1, 2].map(() => kubehenge(world, "template create talos --node pve1")));
    for (const end of ends) assertCode(end, 0);
    const results = ends.map(({ stdout }) => /created|reused/.exec(stdout)?.[0] ?? stdout);
    assert.deepEqual(results.toSorted(), ["created", "reused"]);
    assertNothingLeft(world, 1);
  });
});
