import type { FailureKind } from "../failure/failure.ts";

/** Exit codes of the command; 130 and 143 are those of the signals. */
export const exitCodes: Record<FailureKind, number> = {
  failure: 1,
  usage: 2,
  "not-found": 3,
  access: 4,
  conflict: 5,
  verification: 6,
  deadline: 124,
  interrupted: 130,
};
