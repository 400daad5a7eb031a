export type { GuestPlan, KubernetesPlan } from "./plan.ts";
export { parseGuestNetwork, type GuestNetwork } from "./network.ts";
export { firstSignalSeconds, guestSteps, type GuestStep } from "./steps.ts";
export type { GuestReason } from "./reasons.ts";
export { readHostNameSignal, readSignal, type GuestSignal } from "./signal.ts";
export { lastLines, parseReport, type GuestReport } from "./report.ts";
export { logPath, markerDevice, reportPath } from "./paths.ts";
export type { SeedFiles } from "./seed-iso.ts";
export { seedFiles, seedIso } from "./seed.ts";
