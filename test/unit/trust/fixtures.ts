import { readFileSync } from "node:fs";
import { fails } from "../fails.ts";

/** A file of test/fixtures/trust. */
export function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`../../fixtures/trust/${name}`, import.meta.url));
}

/** After every real signature that is held here, and before the end of the Kubernetes key. */
export const now = new Date("2026-12-15T00:00:00Z");

/** The real signed lists of Ubuntu's cloud images, as published in summer 2026. */
export const realLists = [
  { name: "jammy-20260722", signedAt: "2026-07-22T19:16:08.000Z" },
  { name: "noble-20260725", signedAt: "2026-07-25T22:34:07.000Z" },
  { name: "resolute-20260731", signedAt: "2026-08-04T20:46:14.000Z" },
];

/** Holds that the promise fails as a verification, with a message that says why. */
export async function isRefused(promise: Promise<unknown>, why: RegExp): Promise<void> {
  await fails(promise, "verification", why);
}
