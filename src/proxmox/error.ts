import { Failure, type FailureDetail, type FailureKind } from "../failure/failure.ts";

/** How a failed call is treated; the one place that knows is `treatment` below. */
export type Treatment =
  /** The request never reached anybody: any call may be sent again. */
  | "not-sent"
  /** Proxmox VE may or may not have done it: a read may be sent again, a write is resolved by reading. */
  | "ambiguous"
  /** Another operation holds a lock: the call was not carried out and may be sent again. */
  | "locked"
  /** Final. */
  | "final";

export interface ProxmoxErrorDetail extends FailureDetail {
  /** `METHOD /path` */
  call: string;
  /** 0 when no answer came. */
  status: number;
  /** Proxmox VE's own words. */
  reason: string;
  treatment: Treatment;
}

/** A call that Proxmox VE refused, or that it did not answer. */
export class ProxmoxError extends Failure {
  override readonly name = "ProxmoxError";
  readonly call: string;
  readonly status: number;
  readonly reason: string;
  readonly treatment: Treatment;

  constructor(kind: FailureKind, message: string, detail: ProxmoxErrorDetail) {
    super(kind, message, detail);
    this.call = detail.call;
    this.status = detail.status;
    this.reason = detail.reason;
    this.treatment = detail.treatment;
  }
}

/**
 * Classes of failed answers. Proxmox VE puts its error into the HTTP reason phrase; a missing thing is 500, never 404.
 * 595 (no route), 596 (late) and 599 (too many redirections) come from pveproxy's own hop to another node;
 * 502 to 504 from a reverse proxy before it.
 */
export function treatment(status: number, reason: string): Treatment {
  if (/can't lock file .* got timeout|got lock timeout|unable to acquire .*lock|cfs-lock .* error/i.test(reason))
    return "locked";
  if (status === 595) return "not-sent";
  if (status === 596 || status === 599 || status === 502 || status === 503 || status === 504) return "ambiguous";
  return "final";
}

export function kindOf(status: number, reason: string): FailureKind {
  if (status === 401 || status === 403) return "access";
  if (/does not exist|no such/i.test(reason)) return "not-found";
  if (/is locked|can't lock file|lock timeout|already exists|protection mode/i.test(reason)) return "conflict";
  return "failure";
}

/** The VM's node cannot be reached from the one that was asked. */
export function isNodeDown(error: ProxmoxError): boolean {
  return error.status === 595 || /no route to host|hostname lookup/i.test(error.reason);
}

/** The VM is not there: `Configuration file 'nodes/N/qemu-server/ID.conf' does not exist`. */
export function isMissingVm(error: unknown): boolean {
  return error instanceof ProxmoxError && /^Configuration file '.*' does not exist/.test(error.reason);
}

/** What a person can do about an answer, as far as it can be told from the answer alone. */
export function remedyFor(status: number, reason: string, tokenName: string): string[] {
  if (status === 401) {
    return /ticket/i.test(reason)
      ? ["give an API token as USER@REALM!TOKENID=SECRET"]
      : [
          `check the token ${tokenName} and its secret: the secret is shown once, when the token is made (\`pveum user token add\`)`,
        ];
  }
  if (status === 403) return privilegeRemedy(reason, tokenName);
  if (status === 596 && /certificate verify|ssl|tls/i.test(reason)) {
    return [
      "this is between the cluster's nodes, not about this program's TLS options: run `pvecm updatecerts` on the nodes",
    ];
  }
  if (status === 595)
    return ["a node of the cluster cannot be reached from the one that was asked: look at `pvecm status`"];
  if (status === 596 || status === 599)
    return ["the node answered too late: a slow or hanging storage is the usual reason (`pvesm status` on that node)"];
  if (/no space left/i.test(reason))
    return ["uploads are spooled in /var/tmp on the node that is asked: make room there"];
  return [];
}

function privilegeRemedy(reason: string, tokenName: string): string[] {
  const named = /\((\/[^,\s)]*),\s*([A-Za-z.]+)/.exec(reason);
  if (!named?.[1] || !named[2])
    return [`look at what the token may do: pveum user permissions '${tokenName.split("!")[0]}'`];
  // Of several that would do (`A|B`), the first.
  return grantLines(named[1], [named[2]], tokenName);
}

/**
 * The `pveum` lines that grant privileges at a path to the user and to its token: with privilege separation (the
 * default) a token has only what both have. Takes `USER@REALM!TOKENID`, or the user of a session.
 */
export function grantLines(path: string, privileges: readonly string[], tokenName: string): string[] {
  const role = `Kubehenge${
    path
      .split("/")
      .filter(Boolean)
      .slice(0, 1)
      .join("")
      .replace(/^./, (c) => c.toUpperCase()) || "Root"
  }`;
  const user = tokenName.split("!")[0] ?? tokenName;
  return [
    `pveum role add ${role} --privs "${privileges.join(" ")}" || pveum role modify ${role} --append 1 --privs "${privileges.join(" ")}"`,
    `pveum acl modify ${path} --roles ${role} --users '${user}'${tokenName.includes("!") ? ` --tokens '${tokenName}'` : ""}`,
  ];
}
