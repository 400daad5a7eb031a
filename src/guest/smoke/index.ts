export type { SmokePlan } from "./plan.ts";
export { proofsOf, type Proof } from "./proofs.ts";
export { smokeSeedFiles, smokeSeedIso } from "./seed.ts";
export { smokeSteps } from "./steps.ts";
