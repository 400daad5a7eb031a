/** A line of the benchmark's table. */
export interface Row {
  name: string;
  /** Absent where it could not be measured; the detail says why. */
  value?: number;
  unit: "ms" | "×" | "calls" | "connections" | "KB" | "MB" | "MiB" | "%" | "s";
  /** At most this; no target where it is only told. */
  target?: number;
  /** Told in the README, too: those with a target are. */
  headline?: boolean;
  /** How it came about: runs, spread, what it was compared with. */
  detail: string;
}

export function isMet(row: Row): boolean {
  return row.target === undefined || (row.value !== undefined && row.value <= row.target);
}

export function formatValue(value: number, unit: Row["unit"]): string {
  if (unit === "calls" || unit === "connections") return `${value} ${value === 1 ? unit.slice(0, -1) : unit}`;
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)} ${unit}`;
}

/** The rows as a Markdown table, which is also what is printed. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const target = row.target === undefined ? "" : `≤ ${formatValue(row.target, row.unit)}`;
    const met = row.target === undefined ? "" : isMet(row) ? "met" : "**missed**";
    return `| ${row.name} | ${row.value === undefined ? "–" : formatValue(row.value, row.unit)} | ${target} | ${met} | ${row.detail} |`;
  });
  return ["| row | figure | target | | how |", "| --- | --- | --- | --- | --- |", ...lines].join("\n");
}

/** What the README shows: the rows with a target, and those of peers. */
export function figuresTable(rows: readonly Row[]): string {
  const lines = rows
    .filter((row) => row.target !== undefined || row.headline === true)
    .map((row) => {
      const target = row.target === undefined ? "" : `≤ ${formatValue(row.target, row.unit)}`;
      const value = row.value === undefined ? row.detail : formatValue(row.value, row.unit);
      return `| ${row.name} | ${isMet(row) ? value : `${value} (missed)`} | ${target} |`;
    });
  return ["| | measured | target |", "| --- | --- | --- |", ...lines].join("\n");
}
