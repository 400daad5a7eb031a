import { Command, CommanderError } from "commander";
import { version } from "../shell/version.ts";
import * as add from "./options.ts";

const program = new Command("kubehenge")
  .description("VM templates on Proxmox VE for Cluster API clusters")
  .version(version)
  .exitOverride();
const template = program.command("template").description("make and keep VM templates").exitOverride();
const distribution = "talos, rke2, k3s or kubeadm";

type AddOptions = (command: Command) => Command;
const optionsOf = new WeakMap<Command, readonly AddOptions[]>();
// Only the subcommand that is asked for, or whose help is, needs its options.
template.hook("preSubcommand", (_template, command) => {
  for (const addOptions of optionsOf.get(command) ?? []) addOptions(command);
});

/** A subcommand; what it does is loaded when it runs. */
function subcommand(
  usage: string,
  description: string,
  options: readonly AddOptions[],
  load: () => Promise<(...given: never[]) => Promise<void>>,
): void {
  const command = template.command(usage).description(description).exitOverride();
  optionsOf.set(command, options);
  command.action(async (...given: unknown[]) => {
    const run = await load();
    // commander hands over the arguments, the options, and the command itself.
    await run(...(given.slice(0, -1) as never[]));
  });
}

const { addConnectionOptions: connection, addUpstreamOptions: upstreams } = add;
subcommand(
  "create <distribution>",
  `create a template, or reuse the one that is there; the distribution is ${distribution}`,
  [add.addCreateOptions, connection, upstreams],
  async () => (await import("./create.ts")).create,
);
subcommand(
  "list",
  "list the templates",
  [add.addListOptions, connection],
  async () => (await import("./list.ts")).list,
);
subcommand(
  "delete <distribution>",
  "delete a template, or what a failed build left",
  [add.addDeleteOptions, connection, upstreams],
  async () => (await import("./delete.ts")).deleteTemplates,
);
subcommand(
  "plan [distributions...]",
  "say what would have to be built, and why",
  [add.addPlanOptions, connection, upstreams],
  async () => (await import("./plan.ts")).plan,
);
subcommand(
  "verify <distribution>",
  "prove that a template is the pinned one",
  [add.addVerifyOptions, connection, upstreams],
  async () => (await import("./verify.ts")).verify,
);
subcommand(
  "rollback <distribution>",
  "bring the build before back, and retire the present one",
  [add.addRollbackOptions, connection, upstreams],
  async () => (await import("./rollback.ts")).rollBack,
);
subcommand(
  "prune [distribution]",
  "delete old builds and old versions that no clone hangs on",
  [add.addPruneOptions, connection],
  async () => (await import("./prune.ts")).prune,
);
subcommand(
  "sweep",
  "remove what dead runs have left: build VMs, seeds and images that have outlived their lease",
  [add.addSweepOptions, connection],
  async () => (await import("./sweep.ts")).sweepLeft,
);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  // Help and version end well; everything else that commander refuses is a mistake in the arguments.
  process.exitCode = error.exitCode === 0 ? 0 : 2;
}
