import { STATUS_CODES } from "node:http";
import { Failure, type FailureKind } from "../failure/failure.ts";
import { faultCode } from "./retry.ts";
import { TooLarge } from "./too-large.ts";
import { shownUrl } from "./url.ts";

/** What is known of a request when it has failed. */
export interface Asked {
  method: string;
  url: URL;
  attempts: number;
  /** The option that names another address for this upstream, such as "--ubuntu-url". */
  mirrorOption?: string | undefined;
  /** The proxy that was used. */
  proxy?: string | undefined;
}

/** The failure for a status that the caller did not expect. */
export function statusFailure(asked: Asked, status: number, body: Uint8Array): Failure {
  const kind: FailureKind =
    status === 401 || status === 403 || status === 407
      ? "access"
      : status === 404 || status === 410
        ? "not-found"
        : "failure";
  const evidence = firstLine(body);
  return new Failure(
    kind,
    `${what(asked)} was answered ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd() + `${times(asked)}.`,
    {
      remedy:
        status >= 500 || status === 429
          ? [`The server's trouble may pass: run it again later${orMirror(asked)}.`]
          : mirror(asked),
      ...(evidence === undefined ? {} : { evidence: [evidence] }),
    },
  );
}

/** The failure for a connection that could not be made, was cut, or was too slow. */
export function faultFailure(asked: Asked, error: unknown, timeoutSeconds: number): Failure {
  if (error instanceof TooLarge) {
    return new Failure("failure", `${what(asked)} was given up: ${error.message}, which nothing here needs.`, {
      cause: error,
      remedy: mirror(asked),
    });
  }
  const code = faultCode(error);
  if (error instanceof Error && error.name === "TimeoutError") {
    return new Failure("failure", `${what(asked)} had no whole answer within ${timeoutSeconds} s${times(asked)}.`, {
      cause: error,
      remedy: network(asked),
    });
  }
  const said = error instanceof Error && error.message !== "" ? error.message : String(error);
  const reason = code === "" || said.includes(code) ? said : `${said} (${code})`;
  return new Failure("failure", `${what(asked)} failed${times(asked)}: ${reason}.`, {
    cause: error,
    remedy: /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_)/.test(code) ? certificate(asked) : network(asked),
  });
}

function what(asked: Asked): string {
  return `${asked.method} ${shownUrl(asked.url)}${asked.proxy === undefined ? "" : ` through the proxy ${shownUrl(asked.proxy)}`}`;
}

function times(asked: Asked): string {
  return asked.attempts > 1 ? `, ${asked.attempts} times` : "";
}

function network(asked: Asked): string[] {
  const variable = asked.url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy =
    asked.proxy === undefined
      ? `If this machine reaches ${asked.url.host} only through a proxy, set ${variable}.`
      : `See whether the proxy lets ${asked.url.host} through, or name the host in NO_PROXY.`;
  return [proxy, ...mirror(asked)];
}

function certificate(asked: Asked): string[] {
  return [
    `If ${asked.url.host} has a certificate of your own authority, set NODE_EXTRA_CA_CERTS to its file before Node starts.`,
    ...mirror(asked),
  ];
}

function mirror(asked: Asked): string[] {
  return asked.mirrorOption === undefined ? [] : [`A mirror of this upstream is named with ${asked.mirrorOption}.`];
}

function orMirror(asked: Asked): string {
  return asked.mirrorOption === undefined ? "" : `, or name a mirror with ${asked.mirrorOption}`;
}

/** The server's own words where they are one short text and no page. */
function firstLine(body: Uint8Array): string | undefined {
  const text = Buffer.from(body.subarray(0, 2000)).toString("utf8").trim();
  if (text === "" || text.startsWith("<")) return undefined;
  return text.split("\n")[0]?.slice(0, 300);
}
