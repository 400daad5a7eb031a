import type { Call } from "../call.ts";
import { died } from "../refusal.ts";
import { type Volume, volid } from "../storage/volumes.ts";
import { TaskFailure, type Worker } from "../tasks.ts";
import type { World } from "../world.ts";
import { drivesOf, isCdrom } from "./disks.ts";
import { checkSkipLock } from "./power.ts";
import type { Vm } from "./vm.ts";

/** `DELETE /nodes/{node}/qemu/{vmid}`: a running or protected VM is refused at once, a locked one by the task. */
export function destroy(call: Call): string {
  checkSkipLock(call);
  const { world, who, node, params } = call;
  const vm = world.vm(params.int("vmid") ?? 0, node);
  if (vm.config.get("protection") === "1") throw died(`can't remove VM ${vm.vmid} - protection mode enabled`);
  if (vm.machine) throw died(`VM ${vm.vmid} is running - destroy failed`);
  const purge = params.flag("purge");
  const unreferenced = params.flag("destroy-unreferenced-disks");
  return world.tasks.start(node, "qmdestroy", String(vm.vmid), who, async (worker) => {
    world.vm(vm.vmid, node);
    await world.exclusive(vm, () => run(world, worker, vm, purge, unreferenced));
  });
}

async function run(world: World, worker: Worker, vm: Vm, purge: boolean, unreferenced: boolean): Promise<void> {
  vm.checkLock();
  if (vm.machine) throw died(`VM ${vm.vmid} is running - destroy failed`);
  const disks = ownDisks(world, worker, vm, unreferenced);
  checkNoClones(world, disks);
  await worker.work();
  // A clone may have been made meanwhile.
  checkNoClones(world, disks);
  for (const volume of disks) {
    await world.backend.free(volume);
    world.volumes.remove(volume);
  }
  if (purge) {
    worker.log(`purging VM ${vm.vmid} from related configurations..`);
    world.access.dropAcl(`/vms/${vm.vmid}`);
  }
  for (const pool of world.pools.values()) pool.vms.delete(vm.vmid);
  world.vms.delete(vm.vmid);
}

function checkNoClones(world: World, disks: Iterable<Volume>): void {
  for (const volume of disks) {
    if (world.volumes.childrenOf(volume).length > 0) {
      throw new TaskFailure(`base volume '${volid(volume)}' is still in use by linked cloned`);
    }
  }
}

/** Disks that the configuration names and that are the VM's own; with `unreferenced` all that bear its id. */
function ownDisks(world: World, worker: Worker, vm: Vm, unreferenced: boolean): Set<Volume> {
  const disks = new Set<Volume>();
  const named = drivesOf(vm.config)
    .filter(({ drive, volume }) => !isCdrom(drive) || volume.includes(`vm-${vm.vmid}-cloudinit`))
    .map(({ volume }) => volume);
  const unused = [...vm.config].filter(([option]) => /^unused\d+$/.test(option)).map(([, id]) => id);
  for (const id of [...named, ...unused]) {
    const volume = world.findVolume(id, vm.node);
    if (!volume) {
      const [storage = "", name = ""] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
      worker.log(`disk image '${world.storage(storage).pathOf(name)}' does not exist`);
    } else if (volume.vmid === vm.vmid) disks.add(volume);
  }
  if (!unreferenced) return disks;
  for (const volume of world.volumes) {
    if (volume.vmid === vm.vmid && (volume.node === "" || volume.node === vm.node)) disks.add(volume);
  }
  return disks;
}
