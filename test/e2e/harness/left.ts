import assert from "node:assert/strict";
import type { World } from "./world.ts";

/** Nothing of ours is there but templates that are whole and tagged; give `templates: 0` where there must be none. */
export function assertNothingLeft(world: World, templates?: number): void {
  const whole = ({ template, tags }: { template: boolean; tags: string }) =>
    template && tags.split(";").includes("kubehenge");
  assert.deepEqual(world.proxmox.leftovers(whole), { vms: [], volumes: [], tasks: [] });
  if (templates === undefined) return;
  const made = [...world.proxmox.state.vms.values()].filter((vm) => !vm.seeded);
  assert.equal(made.length, templates, `VMs: ${made.map(({ vmid, name }) => `${vmid} ${name}`).join(", ")}`);
}
