import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { action } from "../e2e/harness/action.ts";
import { kubehenge } from "../e2e/harness/command.ts";
import { startWorld, type World, type WorldOptions } from "../e2e/harness/world.ts";
import { stateFiles } from "../faults/bundle-world.ts";
import { seedText } from "../stand-in/guest/index.ts";
import type { Fault, FaultHook } from "../stand-in/proxmox/index.ts";

// Characters that look different in a URL and in base64, so that each form is really searched for.
const secret = "p+q/r?s&t%u~9f3c-Zz";
const tokenId = "root@pam!shown";
const options: WorldOptions = { tokens: [{ id: tokenId, secret, privilegeSeparated: false }], useToken: tokenId };

/** The secret as it stands, as a URL, a form or JSON has it, and as base64 at each of the three places a text can begin. */
const forms: readonly (readonly [string, string])[] = [
  ["plain", secret],
  ["URL-encoded", encodeURIComponent(secret)],
  ["form-encoded", new URLSearchParams({ s: secret }).toString().slice(2)],
  ...["", "x", "xx"].flatMap((lead): [string, string][] => {
    // The first and last characters of base64 depend on what stands around.
    const inner = (text: string) => text.replace(/=+$/, "").slice(lead.length === 0 ? 0 : 4, -2);
    const bytes = Buffer.from(lead + secret);
    return [
      [`base64 after ${lead.length}`, inner(bytes.toString("base64"))],
      [`base64url after ${lead.length}`, inner(bytes.toString("base64url"))],
    ];
  }),
  ["hex", Buffer.from(secret).toString("hex")],
];

function found(where: string, text: string): string[] {
  return forms.filter(([, form]) => text.includes(form)).map(([name]) => `${name} in ${where}`);
}

/** Watches what the product writes on the Proxmox VE and in its state folder, at each call; strikes with `fault` as well. */
function watch(world: World, strike: FaultHook): { seen: Map<string, string> } {
  const seen = new Map<string, string>();
  world.proxmox.inject((request, index) => {
    seen.set(`call ${index}`, `${request.method} ${request.path} ${JSON.stringify(request.params)}`);
    for (const [name, text] of Object.entries(stateFiles(world))) seen.set(`state ${index} ${name}`, text);
    for (const vm of world.proxmox.state.vms.values())
      seen.set(`VM ${vm.vmid} ${index}`, JSON.stringify([...vm.config]));
    for (const volume of world.proxmox.state.volumes)
      if (volume.content === "iso" && volume.file && !seen.get(volume.name))
        seen.set(volume.name, seedIfThere(volume.file));
    return strike(request, index);
  });
  return { seen };
}

function seedIfThere(file: string): string {
  try {
    return seedText(readFileSync(file));
  } catch {
    return "";
  }
}

const at =
  (method: string, path: RegExp, fault: Fault): FaultHook =>
  (request) =>
    request.phase === "before" && request.method === method && path.test(request.path) ? fault : undefined;

const strikes: Record<string, FaultHook> = {
  "no fault": () => undefined,
  "a wrong token": at("GET", /\/cluster\/resources$/, {
    kind: "answer",
    status: 401,
    reason: "permission denied - invalid token value!",
  }),
  "an error page that quotes the request's headers": at("POST", /\/qemu$/, {
    kind: "answer",
    status: 502,
    reason: "Bad Gateway",
    body: `<pre>authorization: PVEAPIToken=${tokenId}=${secret}</pre>`,
  }),
  "a reason that quotes them": at("PUT", /\/config$/, {
    kind: "answer",
    status: 500,
    reason: `unexpected header PVEAPIToken=${tokenId}=${secret}`,
    body: { message: `unexpected header PVEAPIToken=${tokenId}=${secret}` },
  }),
  "a task that fails": at("POST", /\/template$/, { kind: "task-fails", text: "Input/output error" }),
};

describe("the token's secret, in any form,", () => {
  for (const [name, strike] of Object.entries(strikes)) {
    test(`occurs in nothing that the command emits, with ${name}`, async () => {
      await using world = await startWorld(options);
      const { seen } = watch(world, strike);
      const end = await kubehenge(world, "template create rke2 --ubuntu-release 26.04 --node pve1 --keep-on-failure");
      assert.equal(end.code === 0, name === "no fault", end.stderr);
      assert.doesNotMatch(end.stderr, /^\s+at /m, "a failure is told without a stack");
      assert.ok(seen.size > 0);
      assert.deepEqual(
        [
          ...found("stdout", end.stdout),
          ...found("stderr", end.stderr),
          ...[...seen].flatMap(([where, text]) => found(where, text)),
        ],
        [],
      );
    });

    test(`occurs in nothing that the Action emits but its masks, with ${name}`, async () => {
      await using world = await startWorld(options);
      const { seen } = watch(world, strike);
      const end = await action(world, { distribution: "rke2", versions: "26.04" });
      const emitted = end.emitted.split("\n").filter((line) => !line.startsWith("::add-mask::"));
      assert.ok(emitted.length < end.emitted.split("\n").length, "the secret is masked");
      assert.deepEqual(
        [...found("what it emitted", emitted.join("\n")), ...[...seen].flatMap(([where, text]) => found(where, text))],
        [],
      );
    });
  }
});
