import type { Context, RunIdentity } from "../templates/context.ts";
import { parseCreateRequest, parseDeleteRequest, parseListRequest, parseSweepRequest } from "../templates/request.ts";
import type { Failure } from "../failure/failure.ts";
import { nameInput, type Inputs } from "./inputs.ts";
import { outputOfDeletion, outputOfListed, outputOfOutcome, setOutputs } from "./outputs.ts";
import { createSummary, deleteSummary, listSummary, sweepSummary } from "./summary.ts";

/** What a command came to: its summary, and what failed, by the title of the annotation. */
export interface CommandEnd {
  summary: string;
  failures: readonly { title: string; failure: Failure }[];
}

/** A command with its inputs checked, and the bound that a `timeout` puts on it. */
export interface PreparedCommand {
  timeoutMs: number;
  /** Several templates may be made at once, so their lines in the log interleave. */
  interleaved: boolean;
  run(context: Context): Promise<CommandEnd>;
}

/** Each command's code is loaded when it runs. @throws Failure `usage` */
export function prepareCommand({ command, raw }: Inputs): PreparedCommand {
  if (command === "list") {
    const request = parseListRequest({ pool: raw["pool"] || undefined }, nameInput);
    return {
      timeoutMs: 10 * 60_000,
      interleaved: false,
      async run({ proxmox }) {
        const { listTemplates } = await import("../templates/list.ts");
        const rows = await listTemplates(proxmox, request);
        setOutputs(rows.map(outputOfListed), false);
        return { summary: listSummary(rows), failures: [] };
      },
    };
  }
  if (command === "delete") {
    const request = parseDeleteRequest({ ...raw, pool: raw["pool"] || undefined }, nameInput);
    return {
      timeoutMs: request.timeoutMs,
      interleaved: false,
      async run(context) {
        const { deleteTemplate } = await import("../templates/delete.ts");
        const deletions = await deleteTemplate(context, request);
        setOutputs(deletions.map(outputOfDeletion), deletions.some(({ deleted }) => deleted));
        return { summary: deleteSummary(deletions), failures: [] };
      },
    };
  }
  if (command === "sweep") {
    const request = parseSweepRequest({ ...raw, pool: raw["pool"] || undefined }, nameInput);
    return {
      timeoutMs: request.timeoutMs,
      interleaved: false,
      async run(context) {
        const { sweep } = await import("../templates/sweep.ts");
        const swept = await sweep(context, request);
        setOutputs([], swept.removed.length > 0 && !request.dryRun);
        return { summary: sweepSummary(swept, request.dryRun), failures: [] };
      },
    };
  }
  const request = parseCreateRequest(raw, nameInput);
  return {
    timeoutMs: request.timeoutMs,
    interleaved: request.parallel > 1 && request.versions.length > 1,
    async run(context) {
      const { createTemplates } = await import("../templates/create.ts");
      const report = await createTemplates(context, request);
      const there = report.outcomes.filter(({ result }) => result !== "failed");
      setOutputs(there.map(outputOfOutcome), report.outcomes.some(({ result }) => result === "created"));
      return {
        summary: createSummary(report),
        failures: report.outcomes.flatMap(({ target, failure }) => (failure ? [{ title: `${target.title} failed`, failure }] : [])),
      };
    },
  };
}

/** This job's run, by the runner's variables. */
export function runIdentity(environment: NodeJS.ProcessEnv): Omit<RunIdentity, "program"> {
  const { GITHUB_RUN_ID: run = "local", GITHUB_RUN_ATTEMPT: attempt = "1", GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = environment;
  return { id: `${run}-${attempt}`, url: server && repository ? `${server}/${repository}/actions/runs/${run}` : undefined };
}
