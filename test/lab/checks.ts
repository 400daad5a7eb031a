import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Vm } from "../stand-in/proxmox/index.ts";
import type { Lab } from "./world.ts";

const only = process.env["KUBEHENGE_LAB_ONLY"]?.split(",");

/** Skips a test when only others were asked for (KUBEHENGE_LAB_ONLY, parts of names). */
export function wanted(t: TestContext): boolean {
  if (isWanted(t.name)) return true;
  t.skip("not asked for");
  return false;
}

export function isWanted(name: string): boolean {
  return only === undefined || only.some((part) => name.includes(part));
}

/** The only template that carries this tag. */
export function templateWith(lab: Lab, tag: string): Vm {
  const found = [...lab.proxmox.state.vms.values()].filter(
    (vm) => vm.isTemplate && (vm.config.get("tags") ?? "").split(";").includes(tag),
  );
  assert.equal(found.length, 1, `${found.length} templates carry ${tag}`);
  return found[0] as Vm;
}

export function diskOf(lab: Lab, vm: Vm): string {
  const id = (vm.config.get("scsi0") ?? "").split(",")[0] ?? "";
  const volume = lab.proxmox.state.findVolume(id, vm.node);
  assert.ok(volume, `${id} is not there`);
  return lab.machines.fileOf(volume);
}

export function assertTemplate({ config }: Vm): void {
  assert.equal(config.get("template"), "1");
  assert.match(config.get("scsi0") ?? "", /:(\d+\/)?base-/);
  const unwanted = /^(ide\d|net\d+|scsi[1-9]\d*|unused\d+|lock)$/;
  assert.deepEqual(
    [...config.keys()].filter((option) => unwanted.test(option)),
    [],
  );
  assert.match(config.get("description") ?? "", /"kubehenge":\s*"template"/);
}

/** Templates apart, nothing that the product made is there. */
export function assertNothingLeft(lab: Lab): void {
  assert.deepEqual(
    lab.proxmox.leftovers(({ template, tags }) => template && tags.includes("kubehenge")),
    { vms: [], volumes: [], tasks: [] },
  );
}
