import type { Distribution, Ingredients } from "../distributions/distribution.ts";
import type { Target } from "../distributions/target.ts";
import type { GuestRow } from "../proxmox/cluster.ts";
import type { Context } from "./context.ts";
import { volumeOf } from "./images.ts";
import { findPlace, type Place } from "./place.ts";
import { buildNeeds, checkNeeds } from "./privileges.ts";
import type { CreateRequest } from "./request.ts";

export interface Prepared {
  place: Place;
  /** By the target's name. */
  ingredients: ReadonlyMap<string, Ingredients>;
}

/** All that can be checked before anything is made: place, versions, signatures, privileges. @throws Failure */
export async function preflight(
  context: Context,
  request: CreateRequest,
  distribution: Distribution,
  targets: readonly Target[],
  guests: readonly GuestRow[],
): Promise<Prepared> {
  const { proxmox } = context;
  const boots = request.distribution !== "talos";
  const place = await findPlace(proxmox, request, guests, boots);
  const needsOf = (downloads: boolean) =>
    buildNeeds({
      node: place.node,
      pool: place.pool,
      diskStorage: place.disk.name,
      importStorage: place.importStorage.name,
      isoStorage: place.iso?.name,
      bridge: boots ? request.bridge : undefined,
      vlan: request.vlan,
      downloads,
      smokeTest: request.smokeTest,
    });
  // What is needed in any case first: a missing privilege should not cost a round to the sources.
  checkNeeds(place.permissions, needsOf(false), proxmox.tokenName);
  const parts = await Promise.all(
    targets.map(
      async (target) => [target.name, await distribution.ingredients(target, place.arch, context.sources)] as const,
    ),
  );
  const present = new Set(place.images.map((one) => one.id));
  const downloads = parts.some(([, { image }]) => !present.has(volumeOf({ storage: place.importStorage.name }, image)));
  checkNeeds(place.permissions, needsOf(downloads), proxmox.tokenName);
  return { place, ingredients: new Map(parts) };
}
