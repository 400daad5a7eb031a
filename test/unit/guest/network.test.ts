import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parse, stringify } from "yaml";
import { Failure } from "../../../src/failure/failure.ts";
import { parseGuestNetwork, seedFiles, type GuestNetwork } from "../../../src/guest/index.ts";
import { ubuntuPlan } from "./plans.ts";
import { run, without } from "./programs.ts";

const dhcp: GuestNetwork = { kind: "dhcp" };
const v4 = parseGuestNetwork({ address: "192.0.2.10/24", gateway: "192.0.2.1", dns: ["192.0.2.53", "2001:db8::53"] });
const v6 = parseGuestNetwork({ address: "2001:db8::10/64", gateway: "fe80::1", dns: ["2001:db8::53"] });

function configOf(network: GuestNetwork): string {
  return seedFiles({ ...ubuntuPlan, network })["network-config"];
}

describe("the build guest's network", () => {
  it("is DHCP when nothing is given", () => {
    assert.deepEqual(parseGuestNetwork({}), dhcp);
    assert.deepEqual(parseGuestNetwork({ dns: [] }), dhcp);
  });

  it("B70: matches the card by MAC address, never by name, and renames nothing", () => {
    for (const network of [dhcp, v4, v6]) {
      const config = parse(configOf(network));
      assert.deepEqual(Object.keys(config), ["version", "ethernets"]);
      assert.equal(config.version, 2);
      assert.deepEqual(Object.keys(config.ethernets), ["build"]);
      assert.deepEqual(config.ethernets.build.match, { macaddress: "bc:24:11:00:00:01" });
      assert.doesNotMatch(configOf(network), /set-name|gateway4|gateway6|to: default/);
    }
  });

  it("writes static addresses of both IP versions with a default route that every renderer reads", () => {
    const first = parse(configOf(v4)).ethernets.build;
    assert.deepEqual(first.addresses, ["192.0.2.10/24"]);
    assert.deepEqual(first.routes, [{ to: "0.0.0.0/0", via: "192.0.2.1" }]);
    assert.deepEqual(first.nameservers, { addresses: ["192.0.2.53", "2001:db8::53"] });
    assert.deepEqual(parse(configOf(v6)).ethernets.build.routes, [{ to: "::/0", via: "fe80::1" }]);
  });

  it("netplan makes a networkd file of each", { skip: without("netplan") }, () => {
    for (const network of [dhcp, v4, v6]) {
      const root = mkdtempSync(join(tmpdir(), "kubehenge-netplan-"));
      mkdirSync(join(root, "etc/netplan"), { recursive: true });
      writeFileSync(join(root, "etc/netplan/50-cloud-init.yaml"), stringify({ network: parse(configOf(network)) }), {
        mode: 0o600,
      });
      const { code, err } = run("netplan", ["generate", "--root-dir", root]);
      assert.equal(code, 0, err);
      assert.match(
        readFileSync(join(root, "run/systemd/network/10-netplan-build.network"), "utf8"),
        /^(Permanent)?MACAddress=bc:24:11:00:00:01$/m,
      );
      rmSync(root, { recursive: true });
    }
  });

  const refused: [string, Parameters<typeof parseGuestNetwork>[0], RegExp][] = [
    ["an address without a gateway", { address: "192.0.2.10/24" }, /without a build gateway/],
    ["a gateway without an address", { gateway: "192.0.2.1" }, /without a build address/],
    ["a DNS server without an address", { dns: ["192.0.2.53"] }, /without a build address/],
    [
      "an address without prefix length",
      { address: "192.0.2.10", gateway: "192.0.2.1" },
      /write it as 192\.0\.2\.10\/24/,
    ],
    ["a prefix length that is too long", { address: "192.0.2.10/33", gateway: "192.0.2.1" }, /1 to 32/],
    ["a prefix length of zero", { address: "192.0.2.10/0", gateway: "192.0.2.1" }, /1 to 32/],
    ["a prefix length with leading zero", { address: "192.0.2.10/024", gateway: "192.0.2.1" }, /not an address/],
    ["a host name as address", { address: "build.example.org/24", gateway: "192.0.2.1" }, /not an address/],
    ["an octet over 255", { address: "192.0.2.256/24", gateway: "192.0.2.1" }, /not an address/],
    ["a newline in the address", { address: "192.0.2.10/24\nx: y", gateway: "192.0.2.1" }, /not an address/],
    ["a newline in the gateway", { address: "192.0.2.10/24", gateway: "192.0.2.1\n" }, /not an IP address/],
    [
      "a newline in a DNS server",
      { address: "192.0.2.10/24", gateway: "192.0.2.1", dns: ["192.0.2.53\n- x"] },
      /not an IP address/,
    ],
    [
      "a DNS server that is a name",
      { address: "192.0.2.10/24", gateway: "192.0.2.1", dns: ["dns.example.org"] },
      /not an IP address/,
    ],
    ["an empty DNS server", { address: "192.0.2.10/24", gateway: "192.0.2.1", dns: [""] }, /not an IP address/],
    ["B70: a gateway outside the network", { address: "192.0.2.10/24", gateway: "192.0.3.1" }, /outside the network/],
    [
      "B70: a gateway outside a small network",
      { address: "192.0.2.10/29", gateway: "192.0.2.1" },
      /outside the network/,
    ],
    [
      "an IPv6 gateway outside the network",
      { address: "2001:db8::10/64", gateway: "2001:db8:1::1" },
      /outside the network/,
    ],
    [
      "a gateway of the other IP version",
      { address: "192.0.2.10/24", gateway: "2001:db8::1" },
      /different IP versions/,
    ],
    ["the address as its own gateway", { address: "192.0.2.10/24", gateway: "192.0.2.10" }, /itself/],
    [
      "the same IPv6 address written another way",
      { address: "2001:db8::10/64", gateway: "2001:db8:0:0::10" },
      /itself/,
    ],
    ["the network's own address", { address: "192.0.2.0/24", gateway: "192.0.2.1" }, /network itself/],
    ["the broadcast address", { address: "192.0.2.255/24", gateway: "192.0.2.1" }, /broadcast/],
    ["the broadcast address as gateway", { address: "192.0.2.10/24", gateway: "192.0.2.255" }, /broadcast/],
    ["a zone in an IPv6 gateway", { address: "2001:db8::10/64", gateway: "fe80::1%eth0" }, /not an IP address/],
  ];
  for (const [what, given, words] of refused) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => parseGuestNetwork(given),
        (error: unknown) =>
          error instanceof Failure &&
          error.kind === "usage" &&
          words.test(error.message) &&
          !error.message.includes("\n"),
      );
    });
  }

  it("takes a point-to-point network of two addresses (RFC 3021)", () => {
    assert.equal(parseGuestNetwork({ address: "192.0.2.10/31", gateway: "192.0.2.11" }).kind, "static");
  });
});
