/** Foreign text for a terminal: one line, without control characters that the terminal would obey. */
export function plain(text: string): string {
  return (
    text
      .replace(/[\r\n\t]+/g, " ")
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u001f\u007f-\u009f]/g, "")
  );
}

/** Columns padded to their widest cell, two spaces apart; no trailing spaces. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((text, at) => Math.max(widest[at] ?? 0, text.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
