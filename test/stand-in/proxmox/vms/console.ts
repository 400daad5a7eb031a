import { randomBytes } from "node:crypto";
import type { Call } from "../call.ts";
import { badParameters, died, forbidden } from "../refusal.ts";
import type { World } from "../world.ts";
import type { Vm } from "./vm.ts";

/** A terminal proxy that waits for its client, and then hands on what the machine prints. */
export interface TerminalProxy {
  vm: Vm;
  port: number;
  /** Who may connect, as the client has to say it first. */
  user: string;
  ticket: string;
  /** Tells the worker that the client is gone. */
  end(): void;
}

/** Stand-in milliseconds that a proxy waits for its client (PVE's termproxy: 10 s). */
const WAIT_MS = 10_000;
const PORTS = { first: 5900, last: 5999 };

/** `POST termproxy`: a worker that listens on a port for one client of a serial port. */
function termproxy({ world, who, node, params }: Call): unknown {
  const vm = world.vm(params.int("vmid") ?? 0, node);
  const serial = params.get("serial") ?? "serial0";
  if (!vm.config.has(serial)) throw died(`unable to find a serial interface`);
  const port = freePort(world);
  const ticket = `PVEVNC:${world.clock.seconds().toString(16).toUpperCase()}::${randomBytes(48).toString("base64")}`;
  const gone = Promise.withResolvers<void>();
  const proxy: TerminalProxy = { vm, port, user: who, ticket, end: gone.resolve };
  world.terminals.set(port, proxy);
  const upid = world.tasks.start(node, "vncproxy", String(vm.vmid), who, async (worker) => {
    worker.log(`starting vnc proxy ${worker.task.upid}`);
    worker.signal.addEventListener("abort", () => gone.resolve(), { once: true });
    const waited = new AbortController();
    // Once a client is there, only its end, or the machine's, ends the worker.
    const late = world.clock.sleep(WAIT_MS, waited.signal).then(
      () => (world.terminals.has(port) ? undefined : gone.promise),
      () => undefined,
    );
    await Promise.race([gone.promise, late]);
    waited.abort();
    world.terminals.delete(port);
  });
  return { user: who, ticket, port, upid };
}

function freePort(world: World): number {
  for (let port = PORTS.first; port <= PORTS.last; port++) if (!world.terminals.has(port)) return port;
  throw died("unable to find free port (5900-6000)");
}

/** `GET vncwebsocket` as a plain request: checked like the upgrade, which alone leads anywhere. */
function vncwebsocket(call: Call): unknown {
  return { port: String(claimTerminal(call).port) };
}

/** Finds the proxy that a WebSocket asks for; throws as the API does for a wrong ticket. */
export function claimTerminal({ world, who, node, params }: Call): TerminalProxy {
  const port = params.int("port") ?? 0;
  const proxy = world.terminals.get(port);
  if (params.get("vncticket") === undefined) throw badParameters({ vncticket: "property is missing" });
  if (!proxy || proxy.user !== who || proxy.ticket !== params.get("vncticket"))
    throw forbidden("invalid PVEVNC ticket");
  if (proxy.vm !== world.vm(params.int("vmid") ?? 0, node)) throw forbidden("invalid PVEVNC ticket");
  return proxy;
}

/** Whether termproxy lets this caller in: it has known tokens since a late 9.0. */
export function letsIn(world: World, proxy: TerminalProxy, line: string): boolean {
  return line === `${proxy.user}:${proxy.ticket}` && (world.atLeast(9, 1) || !proxy.user.includes("!"));
}

export const consoles = { termproxy, vncwebsocket };
