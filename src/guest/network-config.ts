import type { GuestNetwork } from "./network.ts";
import { yamlText } from "./yaml-text.ts";

/**
 * network-config version 2 for the one card of the build VM. The card is found by its MAC address, never by a name, and is
 * not renamed: on Ubuntu 26.04 `set-name` can fail and hold the boot for 120 s (LP #2136392).
 */
export function networkConfig(mac: string, network: GuestNetwork): string {
  return yamlText({ version: 2, ethernets: { build: ethernet(mac, network) } });
}

/** One card of a network-config version 2, found by its MAC address. */
export function ethernet(mac: string, network: GuestNetwork): Record<string, unknown> {
  const match = { macaddress: mac };
  return network.kind === "dhcp" ? { match, dhcp4: true } : { match, ...staticNetwork(network) };
}

function staticNetwork(network: Extract<GuestNetwork, { kind: "static" }>): Record<string, unknown> {
  return {
    dhcp4: false,
    dhcp6: false,
    addresses: [network.address],
    // Not `to: default`: two of cloud-init's renderers cannot read it.
    routes: [{ to: network.gateway.includes(":") ? "::/0" : "0.0.0.0/0", via: network.gateway }],
    ...(network.dns.length > 0 && { nameservers: { addresses: [...network.dns] } }),
  };
}
