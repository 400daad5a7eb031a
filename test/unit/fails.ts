import assert from "node:assert/strict";
import { Failure, type FailureKind } from "../../src/failure/failure.ts";

/** Holds that the promise fails with this kind and message, and gives the failure. */
export async function fails(promise: Promise<unknown>, kind: FailureKind, message: RegExp): Promise<Failure> {
  let failure: Failure | undefined;
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    failure = error;
    return true;
  });
  assert.ok(failure);
  return failure;
}
