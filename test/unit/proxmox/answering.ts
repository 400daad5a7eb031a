import { createProxmox, type Proxmox } from "../../../src/proxmox/client.ts";
import type { Clock } from "../../../src/time/clock.ts";

/** A client of a Proxmox VE that answers each path with data. */
export function answering(
  dataOf: (path: string) => unknown,
  clock: Clock = { now: () => 0, sleep: async () => {} },
): Proxmox {
  return createProxmox({
    connection: {
      origin: "https://pve.example:8006",
      authentication: { kind: "token", token: "a@pve!b=c" },
      fingerprint: undefined,
      insecure: false,
    },
    transport: {
      send: async ({ path }) => ({ status: 200, reason: "OK", text: JSON.stringify({ data: dataOf(path) }) }),
      open: () => Promise.reject(new Error("nothing here is a WebSocket")),
      traffic: { up: 0, down: 0 },
      close: () => {},
    },
    clock,
  });
}
