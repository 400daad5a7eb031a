export { simulatedGuest, type SimulatedGuestOptions } from "./simulated-guest.ts";
export { faults, type FaultName } from "./faults.ts";
export { freshDisk, guestDisk, type GuestDisk } from "./disk-content.ts";
export { readIso, type IsoVolume } from "./iso-reader.ts";
export { seedText } from "./seed-text.ts";
export { usualWorld, type GuestWorld } from "./world.ts";
