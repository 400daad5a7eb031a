import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLock } from "../../../src/templates/pins.ts";

const entry = {
  distribution: "talos",
  version: "v1.14.2",
  tags: ["Talos", "kubehenge"],
  digest: `sha256:${"a".repeat(64)}`,
};
const lock = (change: object): string => JSON.stringify({ schema: 1, templates: [{ ...entry, ...change }] });

test("a lock file's tags are compared in lower case and as sets", () => {
  assert.deepEqual(parseLock(lock({}), "templates.lock.json"), [
    { tags: ["kubehenge", "talos"], digest: entry.digest },
  ]);
});

for (const [change, wrong] of [
  [{ version: undefined }, "templates.0.version: Invalid input: expected string, received undefined"],
  [{ tags: [] }, "templates.0.tags: Too small: expected array to have >=1 items"],
  [{ digest: "sha256:abc" }, "templates.0.digest: is not a digest such as sha256:…"],
  [{ vmid: 1.5 }, "templates.0.vmid: Invalid input: expected int, received number"],
] as const) {
  test(`a lock file is refused in English: ${wrong}`, () => {
    assert.throws(() => parseLock(lock(change), "templates.lock.json"), {
      kind: "usage",
      message: `templates.lock.json is not a lock file of templates: ${wrong}`,
    });
  });
}
