import { n as sweepVms, r as sweepVolumes, t as sweep } from "./sweep.mjs";

export { sweepVms };