/** The lab's network as its guests see it: QEMU's user network, whose host address leads to the servers of the lab. */
export const network = {
  subnet: "10.0.2.0/24",
  /** Also where every name of the lab leads to; in the lab's network namespace the machine has it, too. */
  gateway: "10.0.2.2",
  dns: "10.0.2.3",
  /** A free address, for a guest that does not ask by DHCP. */
  guestAddress: "10.0.2.77/24",
  /** Nobody has it. */
  nobody: "10.0.2.99",
} as const;
