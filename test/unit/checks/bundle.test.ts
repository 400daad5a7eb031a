import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { importsOf, sourceFiles } from "../../checks/imports.ts";

const root = path.resolve(import.meta.dirname, "../../..");

// rolldown.config.ts puts a short index in undici's place; any other name would be undefined in the bundle, and only there.
test("src takes nothing but ProxyAgent from undici's index", () => {
  const takers = sourceFiles(root, "src").filter((file) => {
    const source = readFileSync(path.join(root, file), "utf8")
      .replaceAll(/^\s*import type .*$/gm, "")
      .replaceAll(/\{ ProxyAgent \} = await import\("undici"\)/g, "");
    return importsOf(file, source).some(({ specifier }) => specifier === "undici");
  });
  assert.deepEqual(takers, []);
});
