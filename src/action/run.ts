import type { RunIdentity } from "../templates/context.ts";
import type { Prepare, PreparedCommand } from "./commands/command.ts";
import type { Command, Inputs } from "./inputs.ts";

/** Each command's code is loaded when it is asked for. */
const loaders: Record<Command, () => Promise<{ prepare: Prepare }>> = {
  create: () => import("./commands/create.ts"),
  list: () => import("./commands/list.ts"),
  delete: () => import("./commands/delete.ts"),
  sweep: () => import("./commands/sweep.ts"),
  plan: () => import("./commands/plan.ts"),
  verify: () => import("./commands/verify.ts"),
  rollback: () => import("./commands/rollback.ts"),
  prune: () => import("./commands/prune.ts"),
};

/** @throws Failure `usage` */
export async function prepareCommand({ command, raw }: Inputs): Promise<PreparedCommand> {
  const { prepare } = await loaders[command]();
  return prepare(raw);
}

/** This job's run, by the runner's variables. */
export function runIdentity(environment: NodeJS.ProcessEnv): Omit<RunIdentity, "program"> {
  const {
    GITHUB_RUN_ID: run = "local",
    GITHUB_RUN_ATTEMPT: attempt = "1",
    GITHUB_SERVER_URL: server,
    GITHUB_REPOSITORY: repository,
  } = environment;
  return {
    id: `${run}-${attempt}`,
    url: server && repository ? `${server}/${repository}/actions/runs/${run}` : undefined,
  };
}
