import { randomInt } from "node:crypto";
import type { Call, Handler, Routes } from "../call.ts";
import type { Machine } from "../backend/backend.ts";
import { AgentError } from "../backend/backend.ts";
import { badParameters, died } from "../refusal.ts";
import { parseNetwork } from "./permissions.ts";
import { hasAgent } from "./power.ts";
import type { Vm } from "./vm.ts";

/** The most of a file that file-read gives (PVE::API2::Qemu::Agent). */
const READ_LIMIT = 16 * 1024 * 1024;

/** The machine whose agent answers; throws the API's words, after the wait that it takes PVE to find out. */
async function machineWithAgent({ world, node, params }: Call): Promise<{ vm: Vm; machine: Machine }> {
  const vm = world.vm(params.int("vmid") ?? 0, node);
  if (!hasAgent(vm.config)) throw died("No QEMU guest agent configured");
  if (!vm.machine) throw died(`VM ${vm.vmid} is not running`);
  if (!(await vm.machine.agent.up())) {
    await world.clock.sleep(world.agentTimeoutMs);
    throw died("QEMU guest agent is not running");
  }
  return { vm, machine: vm.machine };
}

async function asked<T>(ask: () => T | Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AgentError) throw died(`Agent error: ${error.message}`);
    throw error;
  }
}

/** What a backend without an answer of its own says. */
function defaultAnswer(vm: Vm, command: string): unknown {
  if (command === "get-osinfo") {
    return {
      id: "ubuntu",
      name: "Ubuntu",
      version: "26.04 LTS",
      "version-id": "26.04",
      machine: "x86_64",
      "pretty-name": "Ubuntu 26.04 LTS",
      "kernel-release": "7.0.0-10-generic",
      "kernel-version": "#10-Ubuntu SMP",
    };
  }
  if (command === "info") {
    const commands = ["guest-ping", "guest-exec", "guest-exec-status", "guest-file-read", "guest-get-osinfo"];
    return {
      version: "10.1.0",
      supported_commands: commands.map((name) => ({ name, enabled: true, "success-response": true })),
    };
  }
  const zero = {
    "rx-bytes": 0,
    "rx-packets": 0,
    "rx-errs": 0,
    "rx-dropped": 0,
    "tx-bytes": 0,
    "tx-packets": 0,
    "tx-errs": 0,
    "tx-dropped": 0,
  };
  const addresses = (address: string, type: string, prefix: number) => [
    { "ip-address": address, "ip-address-type": type, prefix },
  ];
  const cards = [...vm.config]
    .filter(([option]) => /^net\d+$/.test(option))
    .map(([, text], index) => ({
      name: `ens${18 + index}`,
      "hardware-address": (parseNetwork(text).macaddr ?? "").toLowerCase(),
      "ip-addresses": addresses("fe80::1", "ipv6", 64),
      statistics: zero,
    }));
  const loopback = {
    name: "lo",
    "hardware-address": "00:00:00:00:00:00",
    "ip-addresses": [...addresses("127.0.0.1", "ipv4", 8), ...addresses("::1", "ipv6", 128)],
    statistics: zero,
  };
  return [loopback, ...cards];
}

const query =
  (command: string): Handler =>
  async (call) => {
    const { vm, machine } = await machineWithAgent(call);
    return { result: (await asked(() => machine.agent.query?.(command))) ?? defaultAnswer(vm, command) };
  };

async function ping(call: Call): Promise<unknown> {
  await machineWithAgent(call);
  return { result: {} };
}

async function hostName(call: Call): Promise<unknown> {
  const { machine } = await machineWithAgent(call);
  return { result: { "host-name": await machine.agent.hostname() } };
}

async function exec(call: Call): Promise<unknown> {
  const { vm, machine } = await machineWithAgent(call);
  const argv = call.params.list("command");
  const pid = randomInt(400, 32_000);
  call.world.execs.set(`${vm.vmid}/${pid}`, await asked(() => machine.agent.exec(argv, call.params.get("input-data"))));
  return { pid };
}

async function execStatus(call: Call): Promise<unknown> {
  const { vm } = await machineWithAgent(call);
  const done = call.world.execs.get(`${vm.vmid}/${call.params.int("pid")}`);
  if (!done) throw died(`Agent error: Invalid parameter 'pid'`);
  return {
    exited: 1,
    exitcode: done.exitcode,
    ...(done.out === "" ? {} : { "out-data": done.out, "out-truncated": 0 }),
    ...(done.err === "" ? {} : { "err-data": done.err, "err-truncated": 0 }),
  };
}

async function fileRead(call: Call): Promise<unknown> {
  const { machine } = await machineWithAgent(call);
  const file = call.params.need("file");
  const content = await asked(() => machine.agent.readFile(file));
  if (content === undefined)
    throw died(`Agent error: failed to open file '${file}' (mode: 'r'): No such file or directory`);
  const bytes = Buffer.from(content);
  const cut = bytes.length > READ_LIMIT;
  return {
    content: cut ? bytes.subarray(0, READ_LIMIT).toString() : content,
    "bytes-read": Math.min(bytes.length, READ_LIMIT),
    ...(cut ? { truncated: 1 } : {}),
  };
}

/** `POST agent`: the older way to name a command. */
async function byName(call: Call): Promise<unknown> {
  const name = call.params.need("command");
  if (name === "ping") return await ping(call);
  if (name === "get-host-name") return await hostName(call);
  if (["get-osinfo", "network-get-interfaces", "info"].includes(name)) return await query(name)(call);
  throw badParameters({ command: `value '${name}' is not played by this stand-in` });
}

const AT = "/nodes/{node}/qemu/{vmid}/agent";

export const agentRoutes: Routes = {
  [`POST ${AT}`]: byName,
  [`POST ${AT}/ping`]: ping,
  [`GET ${AT}/get-host-name`]: hostName,
  [`GET ${AT}/get-osinfo`]: query("get-osinfo"),
  [`GET ${AT}/info`]: query("info"),
  [`GET ${AT}/network-get-interfaces`]: query("network-get-interfaces"),
  [`POST ${AT}/exec`]: exec,
  [`GET ${AT}/exec-status`]: execStatus,
  [`GET ${AT}/file-read`]: fileRead,
};
