import { Command, CommanderError } from "commander";
import { version } from "../shell/version.ts";
import type { Options } from "./inputs.ts";
import { addConnectionOptions, addCreateOptions, addDeleteOptions, addListOptions, addSweepOptions, addUpstreamOptions } from "./options.ts";

const program = new Command("kubehenge").description("VM templates on Proxmox VE for Cluster API clusters").version(version).exitOverride();
const template = program.command("template").description("create, list, delete and sweep VM templates").exitOverride();
const distribution = "talos, rke2, k3s or kubeadm";

addUpstreamOptions(addConnectionOptions(addCreateOptions(template.command("create").description("create a template, or reuse the one that is there").argument("<distribution>", distribution))))
  .exitOverride()
  .action(async (name: string, options: Options) => {
    const [{ doWork }, { createWork }] = await Promise.all([import("./work.ts"), import("./create.ts")]);
    await doWork(() => createWork(name, options));
  });

addConnectionOptions(addListOptions(template.command("list").description("list the templates")))
  .exitOverride()
  .action(async (options: Options) => {
    const [{ doWork }, { listWork }] = await Promise.all([import("./work.ts"), import("./list.ts")]);
    await doWork(() => listWork(options));
  });

addUpstreamOptions(addConnectionOptions(addDeleteOptions(template.command("delete").description("delete a template, or what a failed build left").argument("<distribution>", distribution))))
  .exitOverride()
  .action(async (name: string, options: Options) => {
    const [{ doWork }, { deleteWork }] = await Promise.all([import("./work.ts"), import("./delete.ts")]);
    await doWork(() => deleteWork(name, options));
  });

addConnectionOptions(addSweepOptions(template.command("sweep").description("remove what dead runs have left: build VMs, seeds and images that have outlived their lease")))
  .exitOverride()
  .action(async (options: Options) => {
    const [{ doWork }, { sweepWork }] = await Promise.all([import("./work.ts"), import("./sweep.ts")]);
    await doWork(() => sweepWork(options));
  });

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Help and version end well; everything else that commander refuses is a mistake in the arguments.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
