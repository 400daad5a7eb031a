/** Which part of a matrix a process runs. */
export interface Shard {
  shard: number;
  shards: number;
  /** Every so many-th case only; 1 runs them all. */
  sample: number;
  /** Distributions; all when left out. */
  only?: readonly string[] | undefined;
  seed: number;
}

/** What a part came to: counts by row and column, and each case that was not as promised. */
export interface Tally {
  rows: Record<string, Record<string, number>>;
  bad: string[];
}

export function addTallies(tallies: readonly Tally[]): Tally {
  const sum: Tally = { rows: {}, bad: [] };
  for (const { rows, bad } of tallies) {
    sum.bad.push(...bad);
    for (const [name, columns] of Object.entries(rows)) {
      const row = (sum.rows[name] ??= {});
      for (const [column, count] of Object.entries(columns)) row[column] = (row[column] ?? 0) + count;
    }
  }
  return sum;
}

/** The rows as text, and their sum below. */
export function table(title: string, { rows }: Tally): string {
  const names = Object.keys(rows);
  const columns = [...new Set(names.flatMap((name) => Object.keys(rows[name] ?? {})))];
  const total = Object.fromEntries(
    columns.map((column) => [column, names.reduce((sum, name) => sum + (rows[name]?.[column] ?? 0), 0)]),
  );
  const lines = [
    [title, ...columns],
    ...names.map((name) => [name, ...columns.map((column) => String(rows[name]?.[column] ?? 0))]),
    ["all", ...columns.map((column) => String(total[column]))],
  ];
  const widths = lines[0]?.map((_cell, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join("  "),
    )
    .join("\n");
}
