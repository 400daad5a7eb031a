export interface Annotation {
  level: "error" | "warning" | "notice";
  message: string;
  title?: string;
  file?: string;
}

export interface WorkflowCommand {
  name: string;
  properties: Record<string, string>;
  data: string;
}

const unescapeData = (text: string): string =>
  text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");

const unescapeProperty = (text: string): string => unescapeData(text.replaceAll("%3A", ":").replaceAll("%2C", ","));

/** The commands that the runner carries out; a line with any other name is plain text to it. */
const registered = new Set(
  (
    "add-mask add-matcher add-path debug echo endgroup error group notice " +
    "remove-matcher save-state set-env set-output stop-commands warning"
  ).split(" "),
);

function parseProperties(text: string, separator: string): Record<string, string> {
  const properties: Record<string, string> = {};
  for (const pair of text.split(separator)) {
    const equals = pair.indexOf("=");
    if (equals > 0) properties[pair.slice(0, equals).trim()] = unescapeProperty(pair.slice(equals + 1));
  }
  return properties;
}

function parseHead(head: string, separator: string, data: string): WorkflowCommand | undefined {
  const space = head.indexOf(" ");
  const name = (space < 0 ? head : head.slice(0, space)).toLowerCase();
  if (!registered.has(name)) return undefined;
  return {
    name,
    properties: space < 0 ? {} : parseProperties(head.slice(space + 1), separator),
    data: unescapeData(data),
  };
}

/**
 * Finds the workflow command in a line of output: `::name key=value,key=value::data` at its start (after blanks), or the
 * older `##[name key=value;]data` anywhere in it, which the runner still obeys.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function parseWorkflowCommand(line: string): WorkflowCommand | undefined {
  const trimmed = line.trimStart();
  const end = trimmed.indexOf("::", 2);
  if (trimmed.startsWith("::") && end >= 0) return parseHead(trimmed.slice(2, end), ",", trimmed.slice(end + 2));
  const older = /##\[([^\]]*)\](.*)$/s.exec(line);
  return older === null ? undefined : parseHead(older[1] ?? "", ";", older[2] ?? "");
}
