import { Failure } from "../failure/failure.ts";
import type { Proof } from "../guest/smoke/index.ts";

/** A clone of the candidate did not prove what every clone has to be. */
export class SmokeFailure extends Failure {
  /** What it did prove, and last of all what it did not. */
  readonly proofs: readonly Proof[];

  constructor(why: Failure, proofs: readonly Proof[]) {
    super(why.kind, why.message, { remedy: why.remedy, evidence: why.evidence, cause: why });
    this.proofs = proofs;
  }
}
