import type { Call } from "../call.ts";
import { parseProperties } from "../schema/property-string.ts";
import { formatOf } from "../schema/schema.ts";
import { badParameters, died } from "../refusal.ts";
import { TaskFailure, type Worker } from "../tasks.ts";
import type { World } from "../world.ts";
import { drivesOf, isCdrom, memoryMiB } from "./disks.ts";
import { parseNetwork } from "./permissions.ts";
import type { Vm } from "./vm.ts";

/** Whether a configuration has the guest agent on. */
export const hasAgent = (config: ReadonlyMap<string, string>): boolean => {
  const value = parseProperties(config.get("agent") ?? "0", formatOf("agent")).values.get("enabled");
  return value !== undefined && /^(1|on|yes|true)$/i.test(value);
};

/** Starts a VM's machine; throws the API's words for what keeps it from it. The caller holds the VM's file lock. */
export async function startMachine(world: World, vm: Vm): Promise<void> {
  vm.checkLock();
  if (vm.isTemplate) throw died("you can't start a vm if it's a template");
  if (vm.machine) throw died(`VM ${vm.vmid} already running`);
  vm.applyPending();
  const drives = drivesOf(vm.config).map(({ option, drive, volume }) => {
    const found = world.findVolume(volume, vm.node);
    if (!found) throw died(`volume '${volume}' does not exist`);
    return { device: option, volume: found, cdrom: isCdrom(drive) };
  });
  const networks = [...vm.config]
    .filter(([option]) => /^net\d+$/.test(option))
    .map(([device, text]) => {
      const card = parseNetwork(text);
      if (card.bridge !== undefined && !world.nodes.get(vm.node)?.bridges.includes(card.bridge)) {
        throw died(`bridge '${card.bridge}' does not exist`);
      }
      return {
        device,
        mac: card.macaddr ?? "",
        bridge: card.bridge ?? "",
        ...(card.tag === undefined ? {} : { vlan: card.tag }),
      };
    });
  let offAlready = false;
  const machine = await world.backend.start(
    {
      vmid: vm.vmid,
      node: vm.node,
      config: vm.config,
      disks: drives.filter((drive) => !drive.cdrom),
      cdroms: drives.filter((drive) => drive.cdrom),
      networks,
      smbiosUuid: /uuid=([^,]+)/.exec(vm.config.get("smbios1") ?? "")?.[1] ?? "",
      memoryMiB: memoryMiB(vm.config),
      cores: Number(vm.config.get("cores") ?? 1),
    },
    // A guest that switches itself off leaves no task behind.
    {
      poweredOff: () => {
        offAlready = true;
        vm.stopped();
      },
      console: (text) => vm.printed(text),
    },
  );
  if (offAlready) return;
  vm.machine = machine;
  vm.startedAt = world.clock.now();
}

/** Root's own option, which a token of root's may not use either. */
export function checkSkipLock({ who, params }: Call): void {
  if (params.get("skiplock") !== undefined && who !== "root@pam") {
    throw badParameters({ skiplock: "Only root may use this option." });
  }
}

/** The VM of a task: a missing one is found missing by the task, not by the call. */
function vmOfTask(world: World, worker: Worker): Vm {
  return world.vm(Number(worker.task.id), worker.task.node);
}

function start(call: Call): string {
  checkSkipLock(call);
  const { world, who, node, params } = call;
  return world.tasks.start(node, "qmstart", params.need("vmid"), who, async (worker) => {
    const vm = vmOfTask(world, worker);
    await world.exclusive(vm, async () => {
      vm.checkLock();
      if (vm.isTemplate || vm.machine) return await startMachine(world, vm);
      await worker.work();
      await startMachine(world, vm);
    });
  });
}

async function pull(vm: Vm): Promise<void> {
  const { machine } = vm;
  if (!machine) return;
  await machine.kill();
  vm.stopped();
}

function stop(call: Call): string {
  checkSkipLock(call);
  const { world, who, node, params } = call;
  return world.tasks.start(node, "qmstop", params.need("vmid"), who, async (worker) => {
    const vm = vmOfTask(world, worker);
    if (!vm.machine) return;
    if (params.flag("overrule-shutdown")) {
      for (const task of world.tasks.active())
        if (task.kind === "qmshutdown" && task.id === worker.task.id) task.stop();
    }
    vm.checkLock();
    await worker.work();
    await pull(vm);
  });
}

/** A guest is asked to switch itself off, and waited for; `forceStop` pulls it when it does not. */
function shutdown(call: Call): string {
  checkSkipLock(call);
  const { world, who, node, params } = call;
  const timeoutMs = (params.int("timeout") ?? 60) * 1000;
  return world.tasks.start(node, "qmshutdown", params.need("vmid"), who, async (worker) => {
    const vm = vmOfTask(world, worker);
    if (!vm.machine) return;
    vm.checkLock();
    if (hasAgent(vm.config) && !(await vm.machine.agent.up())) {
      worker.log(`QEMU Guest Agent is not running - VM ${vm.vmid} qga command 'guest-ping' failed - got timeout`);
    }
    await worker.work();
    vm.machine?.shutdown();
    const waited = new AbortController();
    const inTime = await Promise.race([
      vm.whenStopped().then(() => true),
      world.clock.sleep(timeoutMs, AbortSignal.any([worker.signal, waited.signal])).then(() => false),
    ]).finally(() => waited.abort());
    if (inTime) return;
    if (!params.flag("forceStop")) throw new TaskFailure("VM quit/powerdown failed - got timeout");
    worker.log("VM still running - terminating now with SIGTERM");
    await pull(vm);
  });
}

export const power = { start, stop, shutdown };
