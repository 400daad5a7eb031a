import { parseUpstreams } from "../../src/distributions/upstreams.ts";
import { Failure } from "../../src/failure/failure.ts";
import { parseConnection } from "../../src/proxmox/connection.ts";
import { journalInto } from "../../src/shell/journal.ts";
import { withSession } from "../../src/shell/session.ts";
import type { Context } from "../../src/templates/context.ts";
import { createTemplates } from "../../src/templates/create.ts";
import type { CreateReport } from "../../src/templates/outcome.ts";
import type { Remnant } from "../../src/templates/remnant.ts";
import type { Reporter } from "../../src/templates/reporter.ts";
import { parseCreateRequest } from "../../src/templates/request.ts";
import type { Clock } from "../../src/time/clock.ts";
import type { ProxmoxStandIn } from "../stand-in/proxmox/index.ts";
import type { Upstreams } from "../stand-in/upstreams/index.ts";
import { scaledClock } from "./scaled-clock.ts";

export interface Stage {
  proxmox: ProxmoxStandIn;
  upstreams: Upstreams;
}

/** What one run in this process came to. */
export interface RunEnd {
  report: CreateReport | undefined;
  /** The run's failure, or that of its only target. */
  failure: Failure | undefined;
  /** Anything thrown that is no Failure: a defect. */
  defect: unknown;
  /** What the journal still holds. */
  open: readonly Remnant[];
  /** All that the reporter was told. */
  said: readonly string[];
}

let runs = 0;

/** Runs the core as the two shells do, with the stand-in's time for its own. */
export async function createInProcess(
  stage: Stage,
  inputs: Record<string, string>,
  signal: AbortSignal = new AbortController().signal,
): Promise<RunEnd> {
  const said: string[] = [];
  const journal = journalInto(() => {});
  let report: CreateReport | undefined;
  let failure: Failure | undefined;
  let defect: unknown;
  try {
    report = await inSession(stage, { signal, said, journal }, (context) =>
      createTemplates(
        context,
        parseCreateRequest({ node: "pve1", ...inputs }, (input) => input),
      ),
    );
    failure = report.outcomes.find((outcome) => outcome.failure)?.failure;
  } catch (error) {
    if (error instanceof Failure) failure = error;
    else defect = error;
  }
  return { report, failure, defect, open: journal.open, said };
}

interface SessionParts {
  signal: AbortSignal;
  said: string[];
  journal: ReturnType<typeof journalInto>;
  /** By default the stand-in's own time. */
  clock?: Clock;
}

/** A session against the stage, for whatever of the core is to be run. */
export async function inSession<T>(
  { proxmox, upstreams }: Stage,
  { signal, said, journal, clock = timeOf(proxmox) }: SessionParts,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  runs += 1;
  return await withSession(
    {
      connection: parseConnection(
        { url: proxmox.url, token: proxmox.token, fingerprint: proxmox.fingerprint, insecure: false },
        (option) => option,
      ),
      upstreams: {
        ...parseUpstreams(upstreams.inputs, (input) => input),
        ubuntuKeyring: Buffer.from(upstreams.ubuntuKeyring),
        githubApiUrl: upstreams.githubApiUrl,
      },
      environment: {},
      signal,
      reporter: listReporter(said),
      journal,
      run: { id: `run-${process.pid}-${runs}` },
      clock,
    },
    work,
  );
}

function timeOf({ state }: ProxmoxStandIn): Clock {
  return scaledClock(() => state.clock.now(), state.clock.speed);
}

export function listReporter(said: string[]): Reporter {
  const say = (...words: (string | undefined)[]) => void said.push(words.filter(Boolean).join(": "));
  return {
    phase: (template, title) => say(template, title),
    progress: (template, text) => say(template, text),
    note: (text, template) => say(template, text),
    warn: (title, text, template) => say(title, template, text),
    done: () => {},
  };
}
