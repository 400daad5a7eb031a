import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Vm } from "../../stand-in/proxmox/index.ts";
import type { World } from "./world.ts";

export const tagsOf = {
  talos: (version: string) => ["kubehenge", "talos", `talos-${version}`],
  ubuntu: (release: string) => ["kubehenge", "ubuntu", `ubuntu-${release}`],
  kubeadm: (version: string, release: string) => ["kubeadm", "kubehenge", `kubernetes-${version}`, `ubuntu-${release}`],
};

/** The one VM that carries exactly these tags. */
export function vmWithTags(world: World, tags: readonly string[]): Vm {
  const found = [...world.proxmox.state.vms.values()].filter((vm) =>
    isDeepStrictEqual((vm.config.get("tags") ?? "").split(";").sort(), [...tags].sort()),
  );
  assert.equal(found.length, 1, `${found.length} VMs carry ${tags.join(";")}`);
  return found[0] as Vm;
}

export interface Manifest {
  distribution: string;
  version: string;
  image: { url: string; sha256?: string; file: string };
  verified: { what: string; by: string; signer?: string }[];
  packages?: Record<string, string>;
  packageCount?: number;
}

/** The manifest in a template's notes. */
export function manifestOf(vm: Vm): Manifest {
  const notes = vm.config.get("description") ?? "";
  assert.ok(Buffer.byteLength(notes) < 8192, `the notes are ${Buffer.byteLength(notes)} bytes long`);
  const block = /```json\n(.*)\n```\s*$/.exec(notes)?.[1] ?? assert.fail(`no JSON in the notes:\n${notes}`);
  const note = JSON.parse(block) as { kubehenge: string; manifest: Manifest };
  assert.equal(note.kubehenge, "template");
  return note.manifest;
}

/** What every template must be, whatever is in it. */
export function assertTemplate(world: World, tags: readonly string[], storage = "shared-storage"): Vm {
  const vm = vmWithTags(world, tags);
  const { config } = vm;
  assert.equal(config.get("template"), "1");
  assert.match(config.get("scsi0") ?? "", new RegExp(`^${storage}:(\\d+/)?base-${vm.vmid}-disk-\\d+`));
  assert.equal(config.get("boot"), "order=scsi0");
  assert.match(config.get("agent") ?? "", /^(1|enabled=1)(,|$)/);
  assert.equal(config.get("serial0"), "socket");
  assert.equal(config.get("cores"), "1");
  assert.equal(config.get("memory"), "512");
  const unwanted = /^(ide\d|sata\d+|net\d+|scsi[1-9]\d*|unused\d+|ipconfig\d+|cicustom|ciuser|lock|parent)$/;
  assert.deepEqual(
    [...config.keys()].filter((option) => unwanted.test(option)),
    [],
  );
  manifestOf(vm);
  return vm;
}
