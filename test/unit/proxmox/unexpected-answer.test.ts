import assert from "node:assert/strict";
import { test } from "node:test";
import { listGuests, nextVmid } from "../../../src/proxmox/cluster.ts";
import { readConfig } from "../../../src/proxmox/vm.ts";
import { answering } from "./answering.ts";

test("an answer of the wrong shape is told in English, with the place where it is wrong", async () => {
  await assert.rejects(
    readConfig(
      answering(() => ({ name: 5 })),
      "pve1",
      100,
    ),
    {
      message:
        "GET /nodes/pve1/qemu/100/config: Proxmox VE answered something unexpected at name: Invalid input: expected string, received number",
    },
  );
  await assert.rejects(nextVmid(answering(() => "99")), {
    message:
      "GET /cluster/nextid: Proxmox VE answered something unexpected at its top: Too small: expected number to be >=100",
  });
});

test("of many guests the one whose row is wrong is named by its place, and what is wrong with it", async () => {
  const guest = { vmid: 100, node: "pve1", type: "qemu" };
  await assert.rejects(listGuests(answering(() => [guest, { type: "lxc" }, { ...guest, vmid: "100" }])), {
    message:
      "GET /cluster/resources: Proxmox VE answered something unexpected at 2.vmid: Invalid input: expected number, received string",
  });
  await assert.rejects(listGuests(answering(() => [{ ...guest, type: "other" }])), {
    message:
      "GET /cluster/resources: Proxmox VE answered something unexpected at 0.type: Invalid discriminator value. Expected 'qemu' | 'lxc'",
  });
});

test("guests without tags have none, tags are compared in lower case, and containers are left out", async () => {
  const guest = { vmid: 100, node: "pve1", type: "qemu" };
  const rows = await listGuests(
    answering(() => [guest, { type: "lxc", vmid: 101 }, { ...guest, tags: "b;A", template: "1" }]),
  );
  assert.deepEqual(rows, [
    { ...guest, tags: [], status: "unknown" },
    { ...guest, tags: ["a", "b"], status: "unknown", template: 1 },
  ]);
});
