import type { Call } from "../call.ts";
import { badParameters, died } from "../refusal.ts";
import { formatSize, parseSize } from "../sizes.ts";
import { parseDrive, printDrive } from "./disks.ts";
import { checkSkipLock } from "./power.ts";

/** `PUT resize`: to a size, or by one with `+`. A disk does not shrink: the call passes and changes nothing. */
export async function resize(call: Call): Promise<string> {
  checkSkipLock(call);
  const { world, who, node, params } = call;
  const vm = world.vm(params.int("vmid") ?? 0, node);
  const option = params.need("disk");
  const text = params.need("size");
  vm.checkLock();
  const digest = params.get("digest");
  if (digest !== undefined && digest !== vm.digest) throw died("checksum mismatch (file change by other user?)");
  const current = vm.config.get(option);
  if (current === undefined) throw badParameters({ disk: `disk '${option}' does not exist` });
  const drive = parseDrive(option, current);
  if (drive.get("media") === "cdrom") throw died("you can't resize a cdrom");
  const volume = world.findVolume(drive.get("file") ?? "", node);
  if (!volume) throw died(`volume '${drive.get("file")}' does not exist`);
  world.access.check(who, `/storage/${volume.storage}`, ["Datastore.AllocateSpace"]);
  const bytes = parseSize(text.replace(/^\+/, "")) ?? 0;
  const wanted = text.startsWith("+") ? volume.sizeBytes + bytes : bytes;
  return world.tasks.start(node, "resize", String(vm.vmid), who, (worker) =>
    world.exclusive(vm, async () => {
      vm.checkLock();
      if (wanted <= volume.sizeBytes) return;
      await worker.work();
      if (volume.format === "qcow2" && !vm.machine) worker.log("Image resized.");
      await world.backend.resize(volume, wanted, vm.machine);
      volume.sizeBytes = wanted;
      volume.virtualBytes = wanted;
      vm.config.set(option, printDrive(new Map(drive).set("size", formatSize(wanted))));
    }),
  );
}
