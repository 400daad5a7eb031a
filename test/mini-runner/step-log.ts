import type { Masks } from "./masks.ts";
import { parseWorkflowCommand } from "./workflow-commands.ts";
import type { Annotation, WorkflowCommand } from "./workflow-commands.ts";

/** What a step printed, read line by line as the runner reads it: commands are carried out, the rest is logged masked. */
export class StepLog {
  readonly annotations: Annotation[] = [];
  /** Values that the action asked to mask, in order. */
  readonly maskRequests: string[] = [];
  /** Titles of the groups that were opened. */
  readonly groups: string[] = [];
  /** Commands that an action of today must not use: `set-output`, `save-state`, `set-env`, `add-path`. */
  readonly outdatedCommands: string[] = [];
  /** The lines as the process wrote them, before any masking. */
  readonly rawLines: string[] = [];
  readonly lines: string[] = [];
  private readonly masks: Masks;
  private resumeToken: string | undefined;
  private openGroups = 0;

  constructor(masks: Masks) {
    this.masks = masks;
  }

  /** Takes in one line without its end, and gives back what the log shows of it. */
  take(line: string): string {
    this.rawLines.push(line);
    const shown = this.masks.hide(this.process(line));
    this.lines.push(shown);
    return shown;
  }

  /** How many groups were opened and not closed. */
  get unclosedGroups(): number {
    return this.openGroups;
  }

  /** Whether commands are still stopped, which a step must not end with. */
  get commandsStopped(): boolean {
    return this.resumeToken !== undefined;
  }

  private process(line: string): string {
    if (this.resumeToken !== undefined) {
      if (line.trim() === `::${this.resumeToken}::`) this.resumeToken = undefined;
      return line;
    }
    const command = parseWorkflowCommand(line);
    return command === undefined ? line : this.obey(command, line);
  }

  private obey(command: WorkflowCommand, line: string): string {
    switch (command.name) {
      case "add-mask":
        this.masks.add(command.data);
        this.maskRequests.push(command.data);
        return "::add-mask::***";
      case "stop-commands":
        this.resumeToken = command.data;
        return line;
      case "group":
        this.groups.push(command.data);
        this.openGroups += 1;
        return `##[group]${command.data}`;
      case "endgroup":
        this.openGroups = Math.max(0, this.openGroups - 1);
        return "##[endgroup]";
      case "error":
      case "warning":
      case "notice":
        this.annotate(command.name, command);
        return `##[${command.name}]${command.data}`;
      case "debug":
        return `##[debug]${command.data}`;
      case "set-output":
      case "save-state":
      case "set-env":
      case "add-path":
        this.outdatedCommands.push(command.name);
        return line;
      default:
        return line;
    }
  }

  private annotate(level: Annotation["level"], { properties, data }: WorkflowCommand): void {
    this.annotations.push({
      level,
      message: this.masks.hide(data),
      ...(properties["title"] === undefined ? {} : { title: this.masks.hide(properties["title"]) }),
      ...(properties["file"] === undefined ? {} : { file: properties["file"] }),
    });
  }
}
