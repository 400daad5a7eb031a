import type { Call } from "../call.ts";
import { died } from "../refusal.ts";
import { volid } from "../storage/volumes.ts";
import { TaskFailure } from "../tasks.ts";
import { drivesOf, isCdrom, printDrive } from "./disks.ts";

/**
 * `POST template`: writes template=1 first and makes the disks base volumes after it, so that a conversion that fails
 * leaves a template whose disk is none.
 */
export function template(call: Call): string {
  const { world, who, node, params } = call;
  const vm = world.vm(params.int("vmid") ?? 0, node);
  vm.checkLock();
  if (vm.isTemplate) throw died("you can't convert a template to a template");
  if (vm.machine) throw died("you can't convert a VM to template if VM is running");
  return world.tasks.start(node, "qmtemplate", String(vm.vmid), who, (worker) =>
    world.exclusive(vm, async () => {
      vm.checkLock();
      if (vm.machine) throw died("you can't convert a VM to template if VM is running");
      vm.config.set("template", "1");
      const drives = drivesOf(vm.config).filter(({ drive }) => !isCdrom(drive));
      for (const { volume: id } of drives) {
        if (world.findVolume(id, node)) continue;
        const [storage = "", name = ""] = [id.slice(0, id.indexOf(":")), id.slice(id.indexOf(":") + 1)];
        worker.log(`failed to stat '${world.storage(storage).pathOf(name)}'`);
        throw new TaskFailure(`file_size_info on '${name}' failed`);
      }
      await worker.work();
      for (const { option, drive, volume: id } of drives) {
        const volume = world.findVolume(id, node);
        if (!volume) continue;
        if (/(^|\/)base-[^/]*$/.test(volume.name)) continue;
        const oldName = volume.name;
        volume.name = oldName.replace(/(^|\/)vm-([^/]*)$/, "$1base-$2");
        volume.ctime = world.clock.seconds();
        await world.backend.convertToBase(volume, oldName);
        vm.config.set(option, printDrive(new Map(drive).set("file", volid(volume))));
      }
    }),
  );
}
