import * as fc from "fast-check";
import { Failure } from "../../../src/failure/failure.ts";

/** Text as strangers write it: any characters, and pieces that mean something to a log, a shell, YAML, HTML or Markdown. */
export const strangeText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        "\n",
        "\r",
        "\r\n",
        "\u0000",
        "\u001b[31m",
        "\u2028",
        "::set-output name=x::y",
        "::error::",
        "##[error]",
        "::stop-commands::t",
        "'",
        '"',
        "`",
        "```",
        "````json",
        "$(id)",
        "${{ secrets.X }}",
        ";",
        "|",
        "&",
        "<img src=x onerror=1>",
        "</details>",
        "[a](javascript:b)",
        "# ",
        "- ",
        "key: value",
        "{}",
        "*a",
        "&a",
        "../",
        "%2e",
        "%0A",
        "-----BEGIN",
        "latest",
        "v1.37.1",
        "~1.36",
        "26.04",
        "192.0.2.1/24",
        "://",
        "@",
        "!",
        "=",
      ),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(""));

/** Calls it; a Failure with a message is an answer, anything else thrown is a defect. */
export function orFailure<T>(call: () => T): T | Failure {
  try {
    return call();
  } catch (error) {
    if (error instanceof Failure && error.message.length > 10) return error;
    throw error;
  }
}
