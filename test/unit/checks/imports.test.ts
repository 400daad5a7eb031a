import assert from "node:assert/strict";
import test from "node:test";
import { importsOf } from "../../checks/imports.ts";

test("static, type, bare, re-exporting and dynamic imports are found, those in comments are not", () => {
  const source = `
// import a from "./comment.ts"
/* import b from "./comment.ts" */
import type { A } from "../failure/failure.ts";
import {
  b,
} from "./b.ts";
import "side-effect";
export { c } from "./c.ts";
export * from "zod";
const { d } = await import("openpgp");
const text = "content import", more = names["import-storage"];
`;
  assert.deepEqual(
    importsOf("src/x/index.ts", source).map(({ specifier, target }) => [specifier, target]),
    [
      ["../failure/failure.ts", "src/failure/failure.ts"],
      ["./b.ts", "src/x/b.ts"],
      ["side-effect", undefined],
      ["./c.ts", "src/x/c.ts"],
      ["zod", undefined],
      ["openpgp", undefined],
    ],
  );
});
