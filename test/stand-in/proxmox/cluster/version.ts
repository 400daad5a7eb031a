import type { World } from "../world.ts";

/** What `GET /version` answers. */
export const versionOf = (world: World) => ({
  version: world.version,
  release: world.version.split(".").slice(0, 2).join("."),
  repoid: "14a22df35955d97d",
});
