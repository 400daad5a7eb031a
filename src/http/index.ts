import { setTimeout as pause } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { Failure } from "../failure/failure.ts";
import type { Traffic, WireRequest, WireResponse } from "./attempt.ts";
import { type Asked, faultFailure, statusFailure } from "./failures.ts";
import { type Environment, proxyFor } from "./proxy.ts";
import { isPassingFault, isPassingStatus, pauseBefore } from "./retry.ts";
import { TooLarge } from "./too-large.ts";
import { parseUrl, shownUrl, splitCredentials } from "./url.ts";

export { type Environment, proxyFor } from "./proxy.ts";
export { shownUrl } from "./url.ts";

export interface HttpRequest {
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: string;
  /** Bound of the answer's body in bytes; default 4 MiB. */
  maxBytes?: number;
  /** Bound of one attempt, from the connection to the last byte; default 30 s. */
  timeoutSeconds?: number;
  /** Attempts in all; default 4 for GET and HEAD, 1 for POST. */
  attempts?: number;
  /** Statuses that are returned instead of thrown, besides 2xx. They are not tried again. */
  expect?: readonly number[];
  /** Asks for a compressed answer. Not for signed files: servers label `.gz` files as if they were encoded. */
  compressed?: boolean;
  /** The option that names another address for this upstream; it goes into the remedies. */
  mirrorOption?: string;
}

export interface HttpResponse {
  status: number;
  /** The address that answered, after redirects, without userinfo. */
  url: string;
  /** Names in lower case; repeated ones joined by ", ". */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The body as UTF-8. */
  text(): string;
  /** The body as JSON. @throws Failure when it is none. */
  json(): unknown;
}

export interface Http {
  /**
   * Asks once, with retries of what may pass (5xx, 429, faults of the connection), at most 5 redirects and never from https
   * to http. Userinfo in the address becomes an Authorization header, which does not follow to another origin.
   * @throws Failure: "access" for 401, 403 and 407, "not-found" for 404 and 410, "usage" for an address that is none,
   * "interrupted" when the signal came, "failure" for the rest.
   */
  (url: string, request?: HttpRequest): Promise<HttpResponse>;
  /** Bytes that went over the wire, heads included. */
  readonly traffic: { up: number; down: number };
  /** Cuts what is open. */
  close(): Promise<void>;
}

export interface HttpOptions {
  /** Where the proxy variables are read from. */
  environment: Environment;
  signal?: AbortSignal;
  /** Ours, for the user agent. */
  version: string;
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const maxRedirects = 5;
const defaultMaxBytes = 4 * 1024 * 1024;
const defaultTimeoutSeconds = 30;

/** One way to the upstreams for the whole run: connections are kept and shared, traffic is counted. */
export function createHttp(options: HttpOptions): Http {
  const traffic: Traffic = { up: 0, down: 0 };
  const dispatchers = new Map<string, Promise<Dispatcher>>();
  const sleep = options.sleep ?? ((ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }));

  const dispatcherFor = (proxy: string | undefined): Promise<Dispatcher> => {
    const key = proxy ?? "";
    const dispatcher = dispatchers.get(key) ?? openDispatcher(proxy);
    dispatchers.set(key, dispatcher);
    return dispatcher;
  };

  /** One address with its retries; redirects are the caller's. */
  const ask = async (wire: Omit<WireRequest, "signal">, request: HttpRequest): Promise<WireResponse> => {
    const attempts = request.attempts ?? (wire.method === "POST" ? 1 : 4);
    const timeoutSeconds = request.timeoutSeconds ?? defaultTimeoutSeconds;
    const proxy = proxyFor(wire.url, options.environment);
    const { attempt } = await import("./attempt.ts");
    const dispatcher = await dispatcherFor(proxy);
    for (let number = 1; ; number += 1) {
      const asked: Asked = {
        method: wire.method,
        url: wire.url,
        attempts: number,
        proxy,
        mirrorOption: request.mirrorOption,
      };
      let retryAfter: string | undefined;
      let failure: Failure;
      try {
        stopIfAborted(options.signal, asked);
        const answer = await attempt(dispatcher, { ...wire, signal: bound(options.signal, timeoutSeconds) }, traffic);
        if (isTaken(answer.status, request.expect) || !isPassingStatus(answer.status)) return answer;
        retryAfter = answer.headers["retry-after"];
        failure = statusFailure(asked, answer.status, answer.body);
      } catch (error) {
        stopIfAborted(options.signal, asked);
        if (error instanceof Failure) throw error;
        failure = faultFailure(asked, error, timeoutSeconds);
        if (error instanceof TooLarge || !isPassingFault(error)) throw failure;
      }
      const wait = pauseBefore(number + 1, retryAfter, Date.now(), Math.random);
      if (number >= attempts || wait === undefined) throw failure;
      await sleep(wait, options.signal).catch(() => stopIfAborted(options.signal, asked));
    }
  };

  const http = async (address: string, request: HttpRequest = {}): Promise<HttpResponse> => {
    const first = splitCredentials(address);
    let url = first.url;
    let headers: Record<string, string> = {
      "user-agent": `kubehenge/${options.version}`,
      "accept-encoding": request.compressed === true ? "gzip" : "identity",
      accept: "*/*",
      ...(first.authorization === undefined ? {} : { authorization: first.authorization }),
      ...lowerCased(request.headers ?? {}),
    };
    const method = request.method ?? "GET";
    for (let redirects = 0; ; redirects += 1) {
      const answer = await ask(
        {
          method,
          url,
          headers,
          ...(request.body === undefined ? {} : { body: request.body }),
          maxBytes: request.maxBytes ?? defaultMaxBytes,
        },
        request,
      );
      const location = answer.headers["location"];
      const asked: Asked = { method, url, attempts: 1, mirrorOption: request.mirrorOption };
      if (isTaken(answer.status, request.expect)) return response(url, answer);
      if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) {
        throw statusFailure(asked, answer.status, answer.body);
      }
      const next = redirected(asked, location, redirects);
      // RFC 9110 §15.4: credentials are for the origin they were given for.
      if (next.origin !== url.origin) headers = withoutCredentials(headers);
      url = next;
    }
  };

  return Object.assign(http, {
    traffic,
    close: async (): Promise<void> => {
      const open = await Promise.allSettled(dispatchers.values());
      dispatchers.clear();
      for (const result of open) if (result.status === "fulfilled") await result.value.destroy();
    },
  });
}

async function openDispatcher(proxy: string | undefined): Promise<Dispatcher> {
  // Loaded at the first request: a run that reuses what is there with exact versions asks no upstream.
  if (proxy === undefined) {
    const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
    return new Agent({ connect: { timeout: 10_000 } });
  }
  // Its index, for a proxy agent needs what only that puts together.
  const { ProxyAgent } = await import("undici");
  // Plain http goes to a proxy as a whole address, as curl does it: many proxies refuse CONNECT to port 80.
  return new ProxyAgent({ uri: proxy, proxyTunnel: false, connect: { timeout: 10_000 } });
}

function redirected(asked: Asked, location: string, redirects: number): URL {
  const from = shownUrl(asked.url);
  const next = parseUrl(location, asked.url);
  if (next === undefined || (next.protocol !== "http:" && next.protocol !== "https:")) {
    throw new Failure("failure", `${from} redirects to something that is not an http or https address.`);
  }
  if (asked.method === "POST") {
    throw new Failure("failure", `POST ${from} is redirected to ${shownUrl(next)}; what is sent does not follow.`, {
      remedy: [
        `Give ${next.origin} as the address${asked.mirrorOption === undefined ? "" : ` with ${asked.mirrorOption}`}, if it is meant.`,
      ],
    });
  }
  if (asked.url.protocol === "https:" && next.protocol === "http:") {
    throw new Failure(
      "failure",
      `${from} redirects from https to ${shownUrl(next)}, which anybody on the way could change; not followed.`,
    );
  }
  if (redirects >= maxRedirects)
    throw new Failure("failure", `${from} redirects once more, after ${maxRedirects} redirects; given up.`);
  next.username = "";
  next.password = "";
  return next;
}

function bound(signal: AbortSignal | undefined, seconds: number): AbortSignal {
  const time = AbortSignal.timeout(Math.ceil(seconds * 1000));
  return signal === undefined ? time : AbortSignal.any([signal, time]);
}

function stopIfAborted(signal: AbortSignal | undefined, asked: Asked): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof Failure) throw signal.reason;
  throw new Failure("interrupted", `Stopped while asking ${shownUrl(asked.url)}.`, { cause: signal.reason });
}

function isTaken(status: number, expect: readonly number[] | undefined): boolean {
  return (status >= 200 && status < 300) || (expect?.includes(status) ?? false);
}

function response(url: URL, answer: WireResponse): HttpResponse {
  const text = (): string => Buffer.from(answer.body).toString("utf8");
  return {
    ...answer,
    url: url.href,
    text,
    json: () => {
      try {
        return JSON.parse(text()) as unknown;
      } catch (error) {
        throw new Failure("failure", `${shownUrl(url)} did not answer with JSON.`, { cause: error });
      }
    },
  };
}

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !["authorization", "cookie", "proxy-authorization"].includes(name)),
  );
}
