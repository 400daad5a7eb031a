import type * as z from "zod/mini";
import { Failure } from "../failure/failure.ts";
import { inEnglish } from "../failure/in-english.ts";
import type { Clock } from "../time/clock.ts";
import { authenticate, identityOf } from "./authentication.ts";
import type { Connection } from "./connection.ts";
import { kindOf, ProxmoxError, remedyFor, treatment } from "./error.ts";
import { multipart, type Upload } from "./multipart.ts";
import { mayRepeat, pauseMs } from "./repeat.ts";
import { NoAnswer, type Answer, type Transport } from "./transport.ts";
import type { WebSocket, WebSocketRequest } from "./websocket.ts";

export type Parameters = Record<string, string | number | undefined>;

export interface Call<T> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Made with `apiPath`. */
  path: string;
  /** For GET and DELETE they go into the query (a DELETE with a body is 501), else into a form. */
  parameters?: Parameters | undefined;
  upload?: Upload | undefined;
  schema: z.ZodMiniType<T>;
}

export interface WebSocketCall extends Pick<WebSocketRequest, "protocol" | "onData" | "onClose"> {
  /** Made with `apiPath`. */
  path: string;
  parameters: Parameters;
}

/** The Proxmox VE API, one call at a time: strict answers, coded errors, repeats where they are safe. */
export interface Proxmox {
  call<T>(call: Call<T>): Promise<T>;
  /** A WebSocket to a path of the API, over a connection of its own. @throws ProxmoxError */
  openWebSocket(call: WebSocketCall): Promise<WebSocket>;
  /** The same client under another signal, e.g. for cleaning up after the first one was aborted; under none with undefined. */
  under(signal: AbortSignal | undefined): Proxmox;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
  /** `USER@REALM!TOKENID` without the secret, or the user of a session. */
  readonly tokenName: string;
  readonly origin: string;
  /** Calls made so far and bytes of bodies. */
  readonly count: { calls: number; readonly up: number; readonly down: number };
  close(): void;
}

/** Joins literal parts and encoded values: apiPath`/nodes/${node}/qemu/${vmid}/config`. An empty value would ask another path (cases.md B34). */
export function apiPath(literals: TemplateStringsArray, ...values: (string | number)[]): string {
  return literals.reduce((path, literal, at) => {
    const value = values[at - 1];
    if (value === "" || value === "." || value === "..")
      throw new Failure("usage", `An empty or relative name cannot be asked for below ${path}`);
    return path + encodeURIComponent(String(value)) + literal;
  });
}

export interface ProxmoxOptions {
  connection: Connection;
  transport: Transport;
  clock: Clock;
  signal?: AbortSignal | undefined;
}

export function createProxmox(options: ProxmoxOptions): Proxmox {
  const { connection, transport, clock } = options;
  const count = {
    calls: 0,
    get up() {
      return transport.traffic.up;
    },
    get down() {
      return transport.traffic.down;
    },
  };
  const tokenName = identityOf(connection.authentication);
  const authenticator = authenticate(connection.authentication, clock, (exchange) => {
    count.calls += 1;
    return transport.send(exchange, options.signal);
  });

  const once = async <T>(call: Call<T>, signal: AbortSignal | undefined): Promise<T> => {
    signal?.throwIfAborted();
    const name = `${call.method} ${call.path}`;
    const inQuery = call.method === "GET" || call.method === "DELETE";
    const form = encodeForm(call.parameters);
    const body = call.upload
      ? multipart(call.parameters ?? {}, call.upload)
      : !inQuery
        ? { type: "application/x-www-form-urlencoded", bytes: Buffer.from(form) }
        : undefined;
    count.calls += 1;
    let answer: Answer;
    let credentials: Record<string, string> = {};
    try {
      credentials = await authenticator.headers(call.method);
      answer = await transport.send(
        {
          method: call.method,
          path: `/api2/json${call.path}${inQuery && form ? `?${form}` : ""}`,
          headers: { ...credentials, accept: "application/json", ...(body ? { "content-type": body.type } : {}) },
          body: body?.bytes,
        },
        call.method === "GET" ? signal : later(signal, writeGraceMs),
      );
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      throw unanswered(name, connection.origin, error);
    }
    if (answer.status !== 200) throw refused(name, withoutCredentials(answer, credentials), tokenName);
    return parse(name, answer, call.schema);
  };

  const openWebSocket = async (call: WebSocketCall, signal: AbortSignal | undefined): Promise<WebSocket> => {
    signal?.throwIfAborted();
    const name = `GET ${call.path}`;
    const { startWebSocket, UpgradeRefused } = await import("./websocket.ts");
    count.calls += 1;
    try {
      const headers = await authenticator.headers("GET");
      const { host } = new URL(connection.origin);
      const path = `/api2/json${call.path}?${encodeForm(call.parameters)}`;
      const request = { ...call, host, path, headers, timeoutMs: upgradeMs };
      return await startWebSocket(await transport.open(), request);
    } catch (error) {
      if (error instanceof Failure) throw error;
      if (error instanceof UpgradeRefused)
        throw refused(name, { status: error.status, reason: error.reason, text: "" }, tokenName);
      throw unanswered(name, connection.origin, error instanceof NoAnswer ? error : new NoAnswer(error as Error, true));
    }
  };

  const under = (signal: AbortSignal | undefined): Proxmox => ({
    openWebSocket: (call) => openWebSocket(call, signal),
    call: async (call) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await once(call, signal);
        } catch (error) {
          if (!mayRepeat(call.method, error, attempt)) throw error;
          await clock.sleep(pauseMs(error, attempt), signal);
        }
      }
    },
    under,
    signal,
    clock,
    tokenName,
    origin: connection.origin,
    count,
    close: () => transport.close(),
  });
  return under(options.signal);
}

/**
 * A write that is under way when the run is ended is given this long to be answered: what it made can then be undone,
 * while the trace of a write that was cut off has to be searched for.
 */
const writeGraceMs = 3000;

/** Milliseconds until a WebSocket is open; pveproxy connects to the node and its port meanwhile. */
const upgradeMs = 30_000;

function later(signal: AbortSignal | undefined, graceMs: number): AbortSignal | undefined {
  if (!signal) return undefined;
  const controller = new AbortController();
  const end = () => setTimeout(() => controller.abort(signal.reason), graceMs).unref();
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return controller.signal;
}

function encodeForm(parameters: Parameters = {}): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) form.append(name, String(value));
  return form.toString();
}

/** A proxy on the way may quote the request's headers in its error page. */
function withoutCredentials(answer: Answer, credentials: Record<string, string>): Answer {
  // A header holds NAME=USER=SECRET or NAME=TICKET: all that follows a `=` and is long enough to be a secret.
  const secrets = Object.values(credentials).flatMap((value) =>
    value.split("=").map((_part, at, parts) => parts.slice(at).join("=")),
  );
  const hide = (text: string) =>
    secrets.filter((secret) => secret.length >= 6).reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
  return { ...answer, reason: hide(answer.reason), text: hide(answer.text) };
}

function unanswered(call: string, origin: string, error: NoAnswer): ProxmoxError {
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? "";
  const details = { call, status: 0, reason: error.message, cause: error };
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) {
    return new ProxmoxError("verification", `${call}: the certificate of ${origin} is not trusted: ${error.message}`, {
      ...details,
      treatment: "final",
      remedy: [
        "give the authority's certificate (on a node: /etc/pve/pve-root-ca.pem) or the certificate's SHA-256 fingerprint (`pvenode cert info`)",
      ],
    });
  }
  return new ProxmoxError("failure", `${call}: ${origin} gave no answer: ${error.message}`, {
    ...details,
    treatment: error.sent ? "ambiguous" : "not-sent",
    remedy: [
      `check that ${origin} is the address of the Proxmox VE API (port 8006) and can be reached from here; proxies are taken from HTTPS_PROXY and NO_PROXY`,
    ],
  });
}

function refused(call: string, answer: Answer, tokenName: string): ProxmoxError {
  const { message, errors } = errorBody(answer.text);
  const words =
    message && message !== "Parameter verification failed." ? message : answer.reason || `HTTP status ${answer.status}`;
  const fields = Object.entries(errors).map(([field, text]) => `${field}: ${text.trim()}`);
  const reason = [words, ...fields].join("; ");
  return new ProxmoxError(kindOf(answer.status, reason), `${call}: Proxmox VE answered ${answer.status} ${reason}`, {
    call,
    status: answer.status,
    reason,
    treatment: treatment(answer.status, reason),
    remedy: remedyFor(answer.status, reason, tokenName),
  });
}

/** The error's text stands in `message` and, per parameter, in `errors`; a 401 has an empty body, a proxy's may be HTML (cases.md B35). */
function errorBody(text: string): { message: string; errors: Record<string, string> } {
  try {
    const body = JSON.parse(text) as { message?: unknown; errors?: unknown };
    const errors =
      typeof body.errors === "object" && body.errors !== null
        ? Object.entries(body.errors).map(([key, value]) => [key, String(value)])
        : [];
    return {
      message: typeof body.message === "string" ? body.message.trim() : "",
      errors: Object.fromEntries(errors) as Record<string, string>,
    };
  } catch {
    return { message: "", errors: {} };
  }
}

function parse<T>(call: string, answer: Answer, schema: z.ZodMiniType<T>): T {
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    throw new Failure("failure", `${call}: the answer is not JSON: is this the Proxmox VE API?`, {
      remedy: ["check the address; a login page or another service answers there"],
    });
  }
  const checked = schema.safeParse((body as { data?: unknown }).data, inEnglish);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    throw new Failure(
      "failure",
      `${call}: Proxmox VE answered something unexpected at ${issue?.path.join(".") || "its top"}: ${issue?.message}`,
      { cause: checked.error },
    );
  }
  return checked.data;
}
