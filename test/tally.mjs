// A reporter of node:test that writes, for test/run.mjs, node's own totals and why tests were skipped.

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* tally(events) {
  /** @type {Map<string, string[]>} */
  const skipped = new Map();
  let counts;
  let seconds = 0;
  for await (const { type, data } of events) {
    if (type === "test:pass" && data.skip !== undefined) {
      const reason = typeof data.skip === "string" && data.skip !== "" ? data.skip : "no reason given";
      skipped.set(reason, [...(skipped.get(reason) ?? []), data.name]);
    }
    // One comes for each file and one, without a file, for the whole run.
    if (type === "test:summary" && data.file === undefined) {
      counts = data.counts;
      seconds = data.duration_ms / 1000;
    }
  }
  yield JSON.stringify({ counts, seconds, skipped: [...skipped].map(([reason, names]) => ({ reason, names })) });
}
