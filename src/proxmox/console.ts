import * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { apiPath, type Proxmox } from "./client.ts";

const proxySchema = z.object({
  port: z.coerce.number().check(z.int()),
  ticket: z.string(),
  user: z.string(),
});

/** What a VM prints on its serial port from now on; nothing of what came before. One client at a time. Foreign text. */
export interface SerialConsole {
  /**
   * Waits until the text so far fits the pattern. Answers why it stopped waiting.
   * @param timeoutMs by the clock of the client, milliseconds
   */
  waitFor(pattern: RegExp, timeoutMs: number): Promise<"found" | "late" | "closed" | "flooded">;
  /** The last 64 KiB of text, without what only a terminal understands. */
  text(): string;
  close(): void;
}

/** Characters that are kept for the pattern, and of all text together before it is given up. */
const keptLimit = 64 * 1024;
const totalLimit = 8 * 1024 * 1024;
const pollMs = 200;
const greetingMs = 20_000;
/** termproxy ends a connection that is silent for minutes; its own page sends this every 30 s. */
const keepAliveMs = 30_000;

/**
 * Connects to serial0 of a running VM (VM.Console): `POST termproxy`, then `GET vncwebsocket`, where the first line is
 * the user and its ticket and the answer `OK`. API tokens can since a late PVE 9.0; before, termproxy closes.
 * @throws ProxmoxError, or Failure `access` when termproxy does not let the caller in
 */
export async function openConsole(proxmox: Proxmox, node: string, vmid: number): Promise<SerialConsole> {
  const { clock, signal } = proxmox;
  const proxy = await proxmox.call({
    method: "POST",
    path: apiPath`/nodes/${node}/qemu/${vmid}/termproxy`,
    parameters: { serial: "serial0" },
    schema: proxySchema,
  });
  const decoder = new TextDecoder();
  let received = "";
  let total = 0;
  let closed = false;
  const socket = await proxmox.openWebSocket({
    path: apiPath`/nodes/${node}/qemu/${vmid}/vncwebsocket`,
    parameters: { port: proxy.port, vncticket: proxy.ticket },
    protocol: "binary",
    onData(payload) {
      total += payload.length;
      received = (received + decoder.decode(payload, { stream: true })).slice(-keptLimit);
    },
    onClose: () => (closed = true),
  });
  socket.send(`${proxy.user}:${proxy.ticket}\n`);
  let keptAlive = clock.now();

  const waitUntil = async (isThere: () => boolean, timeoutMs: number) => {
    const until = clock.now() + timeoutMs;
    for (;;) {
      if (isThere()) return "found";
      if (closed) return "closed";
      if (total > totalLimit) return "flooded";
      if (clock.now() >= until) return "late";
      if (clock.now() - keptAlive >= keepAliveMs) {
        keptAlive = clock.now();
        socket.send("2");
      }
      await clock.sleep(pollMs, signal);
    }
  };

  try {
    const greeting = await waitUntil(() => received.startsWith("OK"), greetingMs);
    if (greeting !== "found") throw notLetIn(proxmox, node, vmid, greeting);
    received = received.slice(2);
  } catch (error) {
    socket.close();
    throw error;
  }
  return {
    waitFor: (pattern, timeoutMs) => waitUntil(() => pattern.test(withoutControls(received)), timeoutMs),
    text: () => withoutControls(received),
    close: () => socket.close(),
  };
}

function notLetIn(proxmox: Proxmox, node: string, vmid: number, how: string): Failure {
  return new Failure(
    "access",
    `The serial console of VM ${vmid} on node ${node} did not let ${proxmox.tokenName} in: ${how === "closed" ? "it closed the connection" : "it said nothing"}`,
    {
      remedy: ["API tokens can use consoles since late releases of Proxmox VE 9.0: upgrade, or use a session (--user)"],
    },
  );
}

/** Escape sequences of terminals (ECMA-48) and control characters but the line's end. */
function withoutControls(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex
      .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, "")
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "")
  );
}
