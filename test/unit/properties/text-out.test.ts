import assert from "node:assert/strict";
import { suite, test } from "node:test";
import * as fc from "fast-check";
import { parseDocument } from "yaml";
import { createSummary, failureSummary, listSummary, templateSelector } from "../../../src/action/summary.ts";
import { cell, codeBlock, ganttText, logLine } from "../../../src/action/text.ts";
import { plain } from "../../../src/cli/text.ts";
import { talosTarget } from "../../../src/distributions/target.ts";
import { Failure } from "../../../src/failure/failure.ts";
import { networkConfig } from "../../../src/guest/network-config.ts";
import { parseGuestNetwork } from "../../../src/guest/network.ts";
import { lastLines, parseReport } from "../../../src/guest/report.ts";
import { shellQuoted } from "../../../src/guest/settings.ts";
import { yamlText } from "../../../src/guest/yaml-text.ts";
import type { Outcome } from "../../../src/templates/outcome.ts";
import { orFailure, strangeText } from "./strange-text.ts";

suite("text of others, where it leaves", () => {
  test("is one line of the job's log which the runner takes for no command", () => {
    fc.assert(
      fc.property(strangeText, (text) => {
        const line = logLine(text);
        // oxlint-disable-next-line no-control-regex
        assert.doesNotMatch(line, /[\r\n\u0000-\u0008\u000b-\u001f]|##\[|::/);
      }),
      { numRuns: 400 },
    );
  });

  test("is one line of a terminal without control characters", () => {
    // oxlint-disable-next-line no-control-regex
    fc.assert(fc.property(strangeText, (text) => assert.doesNotMatch(plain(text), /[\u0000-\u001f\u007f-\u009f]/)));
  });

  test("stays in its cell of a table, its block of code and its bar of a gantt", () => {
    fc.assert(
      fc.property(fc.array(strangeText, { minLength: 1, maxLength: 5 }), (texts) => {
        for (const text of texts) assert.doesNotMatch(cell(text), /[\r\n<>]|(^|[^\\])[|`]/);
        const lines = codeBlock(texts).split("\n");
        const [fence = ""] = lines;
        assert.equal(lines.length, texts.length + 2, "a line of others became two");
        assert.ok(
          lines.slice(1, -1).every((line) => !line.includes(fence)),
          "a line of others ends the block",
        );
        for (const text of texts) assert.doesNotMatch(ganttText(text), /[:;,#\r\n]/);
      }),
      { numRuns: 300 },
    );
  });

  test("makes no heading, table, HTML or block of its own in the summary, wherever it comes from", () => {
    fc.assert(
      fc.property(
        strangeText,
        strangeText,
        fc.array(strangeText, { maxLength: 4 }),
        fc.array(strangeText, { maxLength: 4 }),
        (message, why, remedy, evidence) => {
          const failure = new Failure("failure", message, { remedy, evidence });
          const outcome: Outcome = {
            target: talosTarget("v1.14.4"),
            result: "failed",
            why,
            failure,
            verified: [{ what: why, by: "signature", signer: message }],
            warnings: [],
            left: [{ remnant: { kind: "volume", node: why, volume: message }, why }],
            phases: [{ title: message, startedAt: 0, endedAt: 1 }],
            startedAt: 0,
            endedAt: 1,
          };
          for (const text of [
            createSummary({ outcomes: [outcome], left: outcome.left, warnings: [], pruned: [] }),
            failureSummary(failure),
          ])
            assertOnlyOurs(text);
        },
      ),
      { numRuns: 150 },
    );
    assertOnlyOurs(listSummary([]));
  });

  test("a shell takes a setting for one word, which is the text itself", () => {
    fc.assert(
      fc.property(strangeText, (text) => {
        assert.equal(unquoted(shellQuoted(text)), text);
      }),
    );
  });

  test("YAML that is written is read back as it was", () => {
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        strangeText,
        fc.boolean(),
        fc.integer(),
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (written) => {
        const read = parseDocument(yamlText(written), { version: "1.1" });
        assert.deepEqual(read.errors, []);
        assert.deepEqual(read.toJS(), JSON.parse(JSON.stringify(written)));
      }),
      { numRuns: 300 },
    );
  });

  test("tags become a selector that YAML reads as the same tags", () => {
    const read = parseDocument(templateSelector(talosTarget("v1.14.4").tags).join("\n")).toJS() as {
      templateSelector: { matchTags: string[] };
    };
    assert.deepEqual(read.templateSelector.matchTags, talosTarget("v1.14.4").tags);
  });
});

suite("text of others, where it comes in", () => {
  const octet = fc.nat(255);
  const address = fc.oneof(
    strangeText,
    fc.tuple(octet, octet, octet, octet, fc.nat(40)).map(([a, b, c, d, prefix]) => `${a}.${b}.${c}.${d}/${prefix}`),
    fc.tuple(fc.ipV6(), fc.nat(140)).map(([ip, prefix]) => `${ip}/${prefix}`),
  );
  const host = fc.oneof(strangeText, fc.ipV4(), fc.ipV6());

  test("a network is refused, or its network-config holds these values and no others", () => {
    fc.assert(
      fc.property(
        fc.option(address, { nil: undefined }),
        fc.option(host, { nil: undefined }),
        fc.array(host, { maxLength: 3 }),
        (given, gateway, dns) => {
          const network = orFailure(() => parseGuestNetwork({ address: given, gateway, dns }));
          if (network instanceof Failure) return assert.equal(network.kind, "usage");
          const read = parseDocument(networkConfig("BC:24:11:00:00:01", network), { version: "1.1" }).toJS() as {
            version: number;
            ethernets: Record<string, Record<string, unknown>>;
          };
          assert.deepEqual([Object.keys(read), Object.keys(read.ethernets)], [["version", "ethernets"], ["build"]]);
          if (network.kind === "static") assert.deepEqual(read.ethernets["build"]?.["addresses"], [given]);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a guest's report and log are read or refused", () => {
    fc.assert(
      fc.property(fc.oneof(strangeText, fc.json()), (text) => {
        orFailure(() => parseReport(text));
        assert.ok(lastLines(text, 5).length <= 5);
      }),
    );
  });
});

/** Headings, tables, blocks and HTML of a summary are all this product's own. */
function assertOnlyOurs(summary: string): void {
  const lines = summary.split("\n");
  let fence: string | undefined;
  const outside = lines.filter((line) => {
    const opened = /^(`{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (line === fence) fence = undefined;
      return false;
    }
    if (opened !== undefined) fence = opened;
    return opened === undefined;
  });
  assert.equal(fence, undefined, "a block of code is left open");
  for (const line of outside) {
    if (line.startsWith("#"))
      assert.match(
        line,
        /^#{2,3} (\d+ templates?: |\d+ templates?$|Talos v1\\?\.14\\?\.4|Failed$|Left behind$|Verified$|For Cluster API$)/,
      );
    if (/<|>/.test(line)) assert.match(line, /^(<details><summary>Where the time went<\/summary>|<\/details>)$/);
    // oxlint-disable-next-line no-control-regex
    assert.doesNotMatch(line, /[\r\u0000]/);
  }
}

/** POSIX shell 2.2: quoted parts and escaped quotes, as `shellQuoted` writes them and nothing else. */
function unquoted(word: string): string {
  let rest = word;
  let text = "";
  while (rest !== "") {
    const quoted = /^'([^']*)'/.exec(rest);
    const escaped = /^\\'/.exec(rest);
    const part = quoted ?? escaped;
    assert.ok(part, `a shell would read on at: ${rest}`);
    text += quoted ? quoted[1] : "'";
    rest = rest.slice(part[0].length);
  }
  return text;
}
