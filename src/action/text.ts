import { escapeMarkdown } from "../templates/notes.ts";

/**
 * Foreign text on one line of the log: the runner takes a line that starts with `::` or holds `##[` for a command, and
 * terminals take control characters for theirs.
 */
export function logLine(text: string): string {
  return (
    text
      .replace(/[\r\n]+/g, " ")
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
      .replace(/:(?=:)/g, ":\u200b")
      .replace(/##\[/g, "#\u200b#[")
  );
}

/** Foreign text in a cell of a Markdown table. */
export function cell(text: string): string {
  return escapeMarkdown(text);
}

/** Foreign lines as a block of code, which no line of theirs can end. */
export function codeBlock(lines: readonly string[]): string {
  // oxlint-disable-next-line no-control-regex
  const shown = lines.map((line) => line.replace(/[\r\n]+/g, " ").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ""));
  const longest = Math.max(2, ...shown.flatMap((line) => [...line.matchAll(/`+/g)].map((ticks) => ticks[0].length)));
  const fence = "`".repeat(longest + 1);
  return [fence, ...shown, fence].join("\n");
}

/** Text of a mermaid gantt: its own separators mean something there. */
export function ganttText(text: string): string {
  return text.replace(/[:;,#\r\n%"'`<>{}]/g, " ").trim() || "work";
}
