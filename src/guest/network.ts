import { BlockList, isIP, isIPv4 } from "node:net";
import { Failure } from "../failure/failure.ts";

export type GuestNetwork =
  | { kind: "dhcp" }
  | {
      kind: "static";
      /** Address with prefix length: `192.0.2.10/24`. */
      address: string;
      gateway: string;
      dns: readonly string[];
    };

/**
 * The build guest's network from what a person gave.
 * @param given.address address with prefix length; when it is missing, DHCP is used
 * @param given.gateway must lie in the address's network (or be an IPv6 link-local address)
 * @param given.dns name servers' addresses
 * @throws Failure("usage") when one of them is missing or does not fit the others
 */
export function parseGuestNetwork(given: {
  address?: string | undefined;
  gateway?: string | undefined;
  dns?: readonly string[] | undefined;
}): GuestNetwork {
  const dns = given.dns ?? [];
  if (given.address === undefined) {
    if (given.gateway !== undefined)
      throw usage(`A build gateway (${shown(given.gateway)}) was given without a build address.`);
    if (dns.length > 0) throw usage(`A build DNS server (${shown(dns[0] ?? "")}) was given without a build address.`);
    return { kind: "dhcp" };
  }
  if (given.gateway === undefined) {
    throw usage(`The build address ${shown(given.address)} was given without a build gateway.`);
  }
  const network: GuestNetwork = { kind: "static", address: given.address, gateway: given.gateway, dns: [...dns] };
  checkGuestNetwork(network);
  return network;
}

/** @throws Failure("usage") when the parts of a static network do not fit together */
export function checkGuestNetwork(network: GuestNetwork): void {
  if (network.kind === "dhcp") return;
  const { address, prefix, family } = parseAddress(network.address);
  const block = new BlockList();
  block.addSubnet(address, prefix, family);
  checkHost(network.address, address, prefix, family);

  const gateway = network.gateway;
  if (isIP(gateway) === 0 || gateway.includes("%"))
    throw usage(`The build gateway ${shown(gateway)} is not an IP address.`);
  if (familyOf(gateway) !== family) {
    throw usage(`The build gateway ${gateway} and the build address ${network.address} are of different IP versions.`);
  }
  const linkLocal = new BlockList();
  linkLocal.addSubnet("fe80::", 10, "ipv6");
  const onLink = block.check(gateway, family) || (family === "ipv6" && linkLocal.check(gateway, "ipv6"));
  if (!onLink) {
    throw usage(`The build gateway ${gateway} lies outside the network of the build address ${network.address}.`);
  }
  if (sameAddress(gateway, address)) throw usage(`The build gateway ${gateway} is the build address itself.`);
  if (family === "ipv4") checkHost(`gateway ${gateway}`, gateway, prefix, family);

  for (const server of network.dns) {
    if (isIP(server) === 0 || server.includes("%"))
      throw usage(`The build DNS server ${shown(server)} is not an IP address.`);
  }
}

function parseAddress(text: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } {
  const match = /^([0-9A-Fa-f.:]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
  const address = match?.[1] ?? "";
  if (isIP(text) !== 0) {
    throw usage(`The build address ${text} has no prefix length; write it as ${text}/${isIPv4(text) ? 24 : 64}.`);
  }
  if (isIP(address) === 0) {
    throw usage(`The build address ${shown(text)} is not an address with prefix length, such as 192.0.2.10/24.`);
  }
  const family = familyOf(address);
  const prefix = Number(match?.[2]);
  const longest = family === "ipv4" ? 32 : 128;
  if (prefix < 1 || prefix > longest)
    throw usage(`The build address ${text} needs a prefix length of 1 to ${longest}.`);
  return { address, prefix, family };
}

/** An IPv4 host may be neither the network's own address nor its broadcast address (RFC 3021: /31 has neither). */
function checkHost(text: string, address: string, prefix: number, family: "ipv4" | "ipv6"): void {
  if (family === "ipv6" || prefix >= 31) return;
  const hostBits = 2 ** (32 - prefix);
  const host = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) % hostBits;
  if (host === 0) throw usage(`The build address ${text} names the network itself, not a host in it.`);
  if (host === hostBits - 1) throw usage(`The build address ${text} is the broadcast address of its network.`);
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}

function sameAddress(a: string, b: string): boolean {
  const only = new BlockList();
  only.addAddress(a, familyOf(a));
  return only.check(b, familyOf(b));
}

/** The value in quotes with control characters escaped: it may hold anything. */
function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function usage(message: string): Failure {
  return new Failure("usage", message);
}
