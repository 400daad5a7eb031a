/** A file that the action wrote against the rules; the runner fails the step with this text. */
export class FileCommandError extends Error {
  override readonly name: string = "FileCommandError";
}

/**
 * Parses what an action wrote to GITHUB_OUTPUT, GITHUB_STATE or GITHUB_ENV: `name=value`, or `name<<delimiter`, the
 * value's lines, and the delimiter alone on a line. The first of `=` and `<<` decides, as in the runner.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#multiline-strings
 * @throws FileCommandError on a line that is neither, an empty name or delimiter, or a delimiter that never comes.
 */
export function parseFileCommand(content: string): Record<string, string> {
  const values: Record<string, string> = {};
  const lines = content.split(/\r?\n/);
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (line === "") continue;
    const equals = line.indexOf("=");
    const heredoc = line.indexOf("<<");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      const name = line.slice(0, equals);
      if (name === "") throw new FileCommandError(`Invalid format '${line}'. Name must not be empty`);
      values[name] = line.slice(equals + 1);
    } else if (heredoc >= 0) {
      const name = line.slice(0, heredoc);
      const delimiter = line.slice(heredoc + 2);
      if (name === "" || delimiter === "") {
        throw new FileCommandError(`Invalid format '${line}'. Name must not be empty and delimiter must not be empty`);
      }
      const end = lines.indexOf(delimiter, index + 1);
      if (end < 0) throw new FileCommandError(`Invalid value. Matching delimiter not found '${delimiter}'`);
      values[name] = lines.slice(index + 1, end).join("\n");
      index = end;
    } else {
      throw new FileCommandError(`Invalid format '${line}'`);
    }
  }
  return values;
}

/** Parses what an action wrote to GITHUB_PATH: a directory a line. */
export function parsePathFile(content: string): string[] {
  return content.split(/\r?\n/).filter((line) => line !== "");
}
