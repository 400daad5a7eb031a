import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import type { Api } from "./api.ts";
import type { ServerCertificate } from "./certificate.ts";
import type { Fault, FaultHook } from "./faults.ts";
import { isTaskFault } from "./faults.ts";
import { FORM_LIMIT, isMultipart, parseBody, parseForm, parseMultipart } from "./http/body.ts";
import { errorAnswer, okAnswer, type PlainAnswer, readBody, send, wireBody } from "./http/answer.ts";
import { refuseUpgrade, serveConsole } from "./http/console-socket.ts";
import { Refusal } from "./refusal.ts";
import { type Transcript, type TranscriptEntry, withoutSecrets } from "./transcript.ts";
import { claimTerminal } from "./vms/console.ts";
import type { World } from "./world.ts";

export interface ServerSettings {
  port: number;
  idleMs: number;
  latencyMs: number;
  unauthorizedMs: number;
}

/** pveproxy: HTTP/1.1 over TLS on loopback, before the API. */
export class ProxyServer {
  readonly #world: World;
  readonly #api: Api;
  readonly #server: Server;
  readonly #settings: ServerSettings;
  readonly #transcript: Transcript;
  readonly #connections = new Map<Socket, { number: number; requests: number }>();
  readonly #answering = new Set<Promise<unknown>>();
  #connectionCount = 0;
  #reopening: NodeJS.Timeout | undefined;
  #hook: FaultHook | undefined;
  port = 0;

  constructor(
    world: World,
    api: Api,
    certificate: ServerCertificate,
    settings: ServerSettings,
    transcript: Transcript,
  ) {
    this.#world = world;
    this.#api = api;
    this.#settings = settings;
    this.#transcript = transcript;
    this.#server = createServer(
      {
        key: certificate.key,
        cert: certificate.certificate,
        keepAliveTimeout: settings.idleMs,
        keepAliveTimeoutBuffer: 0,
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#server.on("secureConnection", (socket: TLSSocket) => {
      this.#connections.set(socket, { number: ++this.#connectionCount, requests: 0 });
      socket.on("close", () => this.#connections.delete(socket));
      socket.on("error", () => socket.destroy());
    });
    this.#server.on("tlsClientError", () => {});
    this.#server.on("upgrade", (request: IncomingMessage, socket: Duplex) => this.#upgrade(request, socket));
  }

  inject(hook: FaultHook | undefined): void {
    this.#hook = hook;
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.port || this.#settings.port, "127.0.0.1", () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    clearTimeout(this.#reopening);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#connections.keys()) socket.destroy();
    await closed;
  }

  /** Stops taking connections for a while, as a host that restarts its proxy does. */
  #refuseFor(ms: number): void {
    this.#server.close();
    for (const socket of this.#connections.keys()) socket.destroy();
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => void this.listen().catch(() => {}), ms);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const index = this.#transcript.entries.length;
    const entry = this.#transcript.open(this.#entryOf(request));
    let answer: PlainAnswer | undefined;
    try {
      answer = await this.#whileAnswering(this.#answer(request, entry, index));
    } catch (error) {
      answer = errorAnswer(error);
    }
    entry.ms = Math.round((performance.now() - started) * 100) / 100;
    if (answer === undefined) {
      request.socket.destroy();
    } else {
      entry.status = answer.status;
      entry.reason = answer.reason;
      const body = wireBody(request, answer);
      entry.bytesOut = body.bytes.length;
      await send(request, response, answer, body);
    }
    this.#transcript.finish(entry);
  }

  /** The requests that have arrived and are not carried out yet; their senders may be gone. */
  answering(): Promise<unknown>[] {
    return [...this.#answering];
  }

  async #whileAnswering<T>(answer: Promise<T>): Promise<T> {
    this.#answering.add(answer);
    try {
      return await answer;
    } finally {
      this.#answering.delete(answer);
    }
  }

  /** A WebSocket: only the console of a VM has one. */
  #upgrade(request: IncomingMessage, socket: Duplex): void {
    const entry = this.#transcript.open(this.#entryOf(request));
    socket.on("error", () => socket.destroy());
    try {
      const { who } = this.#world.signIn.identify(request.headers, false);
      const route = this.#api.find("GET", entry.path);
      const params = { ...parseForm(entry.query), ...route.pathParams };
      this.#api.permit(route, who, params);
      const call = this.#api.callOf(route, who, params, undefined);
      serveConsole(this.#world, claimTerminal(call), request, socket);
      Object.assign(entry, { status: 101, reason: "Switching Protocols" });
    } catch (error) {
      const { status, reason } = errorAnswer(error);
      Object.assign(entry, { status, reason });
      refuseUpgrade(socket, status, reason);
    }
    this.#transcript.finish(entry);
  }

  #entryOf(request: IncomingMessage): TranscriptEntry {
    const connection = this.#connections.get(request.socket) ?? { number: 0, requests: 0 };
    connection.requests++;
    const [path = "", query = ""] = (request.url ?? "").split("?");
    const run = /\brun\/([\w.-]+)/.exec(request.headers["user-agent"] ?? "")?.[1];
    return {
      ...(run === undefined ? {} : { run }),
      connection: connection.number,
      newConnection: connection.requests === 1,
      tlsResumed: (request.socket as TLSSocket).isSessionReused(),
      method: request.method ?? "",
      path: pathOf(path).path,
      query,
      status: 0,
      reason: "",
      ms: 0,
      bytesIn: 0,
      bytesOut: 0,
    };
  }

  /** Undefined when the connection is to be cut. */
  async #answer(request: IncomingMessage, entry: TranscriptEntry, index: number): Promise<PlainAnswer | undefined> {
    const method = request.method ?? "";
    const [rawPath = ""] = (request.url ?? "").split("?");
    const { path, format } = pathOf(rawPath);
    checkFraming(request, path, format);
    const { body, tooLarge } = await readBody(
      request,
      isMultipart(request.headers["content-type"]) ? Infinity : FORM_LIMIT,
    );
    entry.bytesIn = body.length;
    const query = parseForm(entry.query);
    const hook = this.#hook;
    const shown = { method, path, params: { ...query, ...looseForm(request, body) } };
    const before = hook?.({ ...shown, phase: "before" }, index);
    const cut = await this.#before(before);
    if (cut !== undefined) return cut.answer;
    await this.#world.clock.sleep(this.#settings.latencyMs);
    let answer: PlainAnswer;
    try {
      if (tooLarge) throw new Refusal(501, "for data too large", { bare: "text" });
      const run = () => this.#carryOut(request, method, path, query, body, entry);
      answer = okAnswer(await this.#world.tasks.withFault(isTaskFault(before) ? before : undefined, run), format);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401)
        await this.#world.clock.sleep(this.#settings.unauthorizedMs);
      answer = errorAnswer(error, format);
    }
    const after = before ?? hook?.({ ...shown, phase: "after", status: answer.status }, index);
    if (after?.kind === "reset-after") return undefined;
    return after?.kind === "answer-after" ? faultAnswer(after) : answer;
  }

  /** What a fault does before the request is carried out; undefined: go on. */
  async #before(fault: Fault | undefined): Promise<{ answer: PlainAnswer | undefined } | undefined> {
    switch (fault?.kind) {
      case "reset-before":
        return { answer: undefined };
      case "refuse":
        this.#refuseFor(fault.ms);
        return { answer: undefined };
      case "answer":
        return { answer: faultAnswer(fault) };
      case "delay":
        await this.#world.clock.sleep(fault.ms);
        return undefined;
      default:
        return undefined;
    }
  }

  async #carryOut(
    request: IncomingMessage,
    method: string,
    path: string,
    query: Record<string, unknown>,
    body: Buffer,
    entry: TranscriptEntry,
  ): Promise<Record<string, unknown>> {
    const writes = method !== "GET";
    const isSignIn = method === "POST" && path === "/access/ticket";
    const who = isSignIn ? "" : this.#world.signIn.identify(request.headers, writes).who;
    const route = this.#api.find(method, path);
    const contentType = request.headers["content-type"];
    if (isMultipart(contentType) && path.endsWith("/upload")) {
      try {
        this.#api.permit(route, who, route.pathParams);
      } catch (error) {
        throw error instanceof Refusal ? new Refusal(error.status, error.message, { bare: "empty" }) : error;
      }
      const { fields, file } = parseMultipart(contentType ?? "", body);
      entry.form = { ...fields, bytes: file?.bytes.length };
      return await this.#api.carryOut(route, who, { ...route.pathParams, ...fields }, file);
    }
    const form = writes ? parseBody(contentType, body) : {};
    if (Object.keys(form).length > 0) entry.form = withoutSecrets(form);
    const params = { ...query, ...form, ...route.pathParams };
    this.#api.permit(route, who, params);
    return await this.#api.carryOut(route, who, params, undefined);
  }
}

/** Splits `/api2/json/version`; several slashes count as one, and one at the end as none. */
function pathOf(url: string): { path: string; format: string } {
  let decoded = url;
  try {
    decoded = decodeURIComponent(url);
  } catch {
    // Left as it came: the API finds nothing under it.
  }
  const match = /^\/+api2\/+([^/]*)(.*)$/s.exec(decoded);
  const path = (match?.[2] ?? decoded).replace(/\/+/g, "/").replace(/\/$/, "");
  return { path: path === "" ? "/" : path, format: match?.[1] ?? "" };
}

/** What pveproxy refuses before it looks at the path. */
function checkFraming(request: IncomingMessage, path: string, format: string): void {
  const { method = "", headers } = request;
  if (!["GET", "POST", "PUT", "DELETE"].includes(method)) {
    throw new Refusal(501, `method '${method}' not available`, { bare: "empty" });
  }
  if (headers["transfer-encoding"] !== undefined) {
    throw new Refusal(501, "chunked transfer encoding not supported", { bare: "text" });
  }
  if ((method === "GET" || method === "DELETE") && Number(headers["content-length"] ?? 0) > 0) {
    throw new Refusal(501, `Unexpected content for method '${method}'`, { bare: "text" });
  }
  if (format !== "json" && format !== "extjs") {
    throw new Refusal(501, `no formatter for uri ${path}, ${format}`, { bare: "text" });
  }
}

/** Parameters of the body as a fault hook sees them, also of bodies that will be refused. */
function looseForm(request: IncomingMessage, body: Buffer): Record<string, unknown> {
  if (isMultipart(request.headers["content-type"])) return {};
  try {
    return parseBody(request.headers["content-type"], body);
  } catch {
    return {};
  }
}

function faultAnswer(fault: { status: number; reason: string; body?: unknown }): PlainAnswer {
  const body = fault.body === undefined ? "" : typeof fault.body === "string" ? fault.body : JSON.stringify(fault.body);
  return { status: fault.status, reason: fault.reason, body, json: typeof fault.body === "object" };
}
