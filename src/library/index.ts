/**
 * For programs that make templates themselves, such as an appliance's administration page with the administrator's own
 * session. Described in docs/library.md.
 */
import { Failure } from "../failure/failure.ts";
import type { Upstreams } from "../distributions/upstreams.ts";
import type { Authentication } from "../proxmox/authentication.ts";
import { journalInto } from "../shell/journal.ts";
import { withSession } from "../shell/session.ts";
import type { Deletion } from "../templates/delete.ts";
import type { Listed } from "../templates/list.ts";
import type { CreateReport } from "../templates/outcome.ts";
import type { Remnant } from "../templates/remnant.ts";
import type { Reporter } from "../templates/reporter.ts";
import type { RawInputs } from "../templates/request-inputs.ts";
import type { RolledBack } from "../templates/rollback.ts";
import type { Pruned } from "../templates/prune.ts";

export { Failure };
export type {
  Authentication,
  CreateReport,
  Deletion,
  Listed,
  Pruned,
  RawInputs,
  Remnant,
  Reporter,
  RolledBack,
  Upstreams,
};

export interface TemplatesOptions {
  /** `https://HOST:8006` */
  origin: string;
  authentication: Authentication;
  /** PEM certificates to trust instead of the system's. */
  ca?: string;
  /** SHA-256 of the server's certificate, 64 lower-case hex digits. */
  fingerprint?: string;
  upstreams?: Upstreams;
  /** Told what is being done; texts may be foreign: escape them. */
  reporter?: Partial<Reporter>;
  /** Told what is about to exist, before each call that makes something, so that it outlives a crash of yours. */
  journal?: (open: readonly Remnant[]) => void;
  /** Names this run in leases. */
  run: { id: string; url?: string };
  signal?: AbortSignal;
}

/** Inputs are those of the Action, by their names in action.yml. Every function throws `Failure`. */
export interface Templates {
  create(inputs: RawInputs): Promise<CreateReport>;
  list(inputs?: RawInputs): Promise<readonly Listed[]>;
  delete(inputs: RawInputs): Promise<readonly Deletion[]>;
  rollback(inputs: RawInputs): Promise<RolledBack>;
  prune(inputs: RawInputs): Promise<readonly Pruned[]>;
}

const name = (input: string): string => input;
const silent: Reporter = { phase() {}, progress() {}, note() {}, warn() {}, done() {} };

/** Opens nothing yet: each call opens its own connections and closes them. */
export function openTemplates(options: TemplatesOptions): Templates {
  const session = {
    connection: {
      origin: options.origin,
      authentication: options.authentication,
      ca: options.ca,
      fingerprint: options.fingerprint,
      insecure: false,
    },
    upstreams: options.upstreams ?? {},
    environment: process.env,
    signal: options.signal ?? new AbortController().signal,
    reporter: { ...silent, ...options.reporter },
    journal: journalInto((open) => options.journal?.(open)),
    run: options.run,
  };
  // Loaded by the call that needs it: whoever only lists does not pay for the rest.
  return {
    create: async (inputs) => {
      const { parseCreateRequest } = await import("../templates/request.ts");
      const { createTemplates } = await import("../templates/create.ts");
      const request = parseCreateRequest(inputs, name);
      return await withSession(session, (context) => createTemplates(context, request));
    },
    list: async (inputs = {}) => {
      const { parseListRequest } = await import("../templates/upkeep-requests.ts");
      const { listTemplates } = await import("../templates/list.ts");
      const request = parseListRequest(inputs, name);
      return await withSession(session, ({ proxmox }) => listTemplates(proxmox, request));
    },
    delete: async (inputs) => {
      const { parseDeleteRequest } = await import("../templates/upkeep-requests.ts");
      const { deleteTemplate } = await import("../templates/delete.ts");
      const request = parseDeleteRequest(inputs, name);
      return await withSession(session, (context) => deleteTemplate(context, request));
    },
    rollback: async (inputs) => {
      const { parseRollbackRequest } = await import("../templates/upkeep-requests.ts");
      const { rollback } = await import("../templates/rollback.ts");
      const request = parseRollbackRequest(inputs, name);
      return await withSession(session, (context) => rollback(context, request));
    },
    prune: async (inputs) => {
      const { parsePruneRequest } = await import("../templates/upkeep-requests.ts");
      const { pruneTemplates } = await import("../templates/prune.ts");
      const request = parsePruneRequest(inputs, name);
      return await withSession(session, (context) => pruneTemplates(context, request));
    },
  };
}
