import assert from "node:assert/strict";
import test from "node:test";
import { evaluate, interpolate } from "../../mini-runner/expressions.ts";
import type { ExpressionScope } from "../../mini-runner/expressions.ts";

const scope: ExpressionScope = {
  contexts: { github: { server_url: "https://github.com", token: "t", empty: "" } },
  functions: { always: () => true, failure: () => false },
};

for (const [source, expected] of [
  ["github.server_url == 'https://GITHUB.com'", true],
  ["github.server_url != 'https://github.com'", false],
  ["github.empty || 'or'", "or"],
  ["github.token && github.empty || 'or'", "or"],
  ["!(github.empty == 0)", false],
  ["github.absent", null],
  ["always() && !failure()", true],
  ["'it''s'", "it's"],
] as const) {
  test(`${source} is ${JSON.stringify(expected)}`, () => assert.equal(evaluate(source, scope), expected));
}

test("what is outside the known part of the language is refused, not guessed", () => {
  for (const source of ["fromJSON('1')", "github.a[0]", "secrets.TOKEN", "1 +", "always() true", "(github.token"]) {
    assert.throws(() => evaluate(source, scope), source);
  }
});

test("a text keeps what stands around its expressions", () => {
  assert.equal(interpolate("a ${{ github.token }}-${{ github.absent }} b", scope), "a t- b");
});
