import assert from "node:assert/strict";
import type { Vm } from "../../stand-in/proxmox/index.ts";
import type { CommandEnd } from "./command.ts";
import type { World } from "./world.ts";

export const retiredTag = "kubehenge-retired";

/** Those of a VM, sorted. */
export const tagsOn = (vm: Vm | undefined): string[] =>
  (vm?.config.get("tags") ?? "").split(";").filter(Boolean).sort();

/** The tags that a request to Proxmox VE sets; "" where it sets none. */
export const tagsSet = ({ tags }: Readonly<Record<string, unknown>>): string => (typeof tags === "string" ? tags : "");

/** The build that a template's manifest names. */
export function buildOf(vm: Vm): string {
  return (
    /"build":"([0-9a-f]{12})"/.exec(vm.config.get("description") ?? "")?.[1] ??
    assert.fail(`VM ${vm.vmid} names no build`)
  );
}

/** The retired templates that are there, in the order of their ids. */
export function retiredOn(world: World): Vm[] {
  return [...world.proxmox.state.vms.values()]
    .filter((vm) => tagsOn(vm).includes(retiredTag))
    .sort((one, other) => one.vmid - other.vmid);
}

/** Beside what was seeded there are only so many templates with a tag set, and so many retired ones. */
export function assertKept(world: World, templates: number, retired: number): void {
  const whole = ({ template, tags }: { template: boolean; tags: string }) =>
    template && tags.split(";").some((tag) => tag === "kubehenge" || tag === retiredTag);
  assert.deepEqual(world.proxmox.leftovers(whole), { vms: [], volumes: [], tasks: [] });
  assert.equal(retiredOn(world).length, retired, "retired templates");
  const tagged = [...world.proxmox.state.vms.values()].filter(
    (vm) => vm.isTemplate && tagsOn(vm).includes("kubehenge"),
  );
  assert.equal(tagged.length, templates, "templates");
}

/** What the command told of its only template, with `-o json`. */
export function told(end: CommandEnd): { result: string; why: string; vmid: number; node: string; digest: string } {
  return (JSON.parse(end.stdout) as ReturnType<typeof told>[])[0] ?? assert.fail("nothing was told");
}

/** Makes a template look as if it had been made so many days ago. */
export function age(vm: Vm, days: number): void {
  const made = new Date(Date.now() - days * 86_400_000).toISOString();
  vm.config.set(
    "description",
    (vm.config.get("description") ?? "").replace(/"created":"[^"]*"/, `"created":"${made}"`),
  );
}
