/** What went wrong, by what a caller does about it; the command turns each into its exit code. */
export type FailureKind =
  /** Anything not named below. */
  | "failure"
  /** Wrong input: an option, an input of the Action, a combination of them. */
  | "usage"
  /** A node, storage, version, image or template that is not there. */
  | "not-found"
  /** Authentication or a missing privilege. */
  | "access"
  /** Something else holds it: a lock, a kept VM, several matches. */
  | "conflict"
  /** A signature, digest, fingerprint or proof that does not hold. */
  | "verification"
  /** A bound of time has passed. */
  | "deadline"
  /** A signal or a cancelled run. */
  | "interrupted";

export interface FailureDetail {
  /** What to do, one action a line: the `pveum` line, the option, the command. */
  remedy?: readonly string[];
  /** Last lines in the words of a task or a guest. Foreign text: escape it where it leaves. */
  evidence?: readonly string[];
  cause?: unknown;
}

/**
 * A failure that a person is to read: the message says what was tried, on what, and why it failed in the words of
 * whoever refused. Everything this product throws on purpose is one; anything else is a defect and keeps its stack.
 */
export class Failure extends Error {
  override readonly name: string = "Failure";
  readonly kind: FailureKind;
  readonly remedy: readonly string[];
  readonly evidence: readonly string[];

  constructor(kind: FailureKind, message: string, detail: FailureDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.kind = kind;
    this.remedy = detail.remedy ?? [];
    this.evidence = detail.evidence ?? [];
  }
}
