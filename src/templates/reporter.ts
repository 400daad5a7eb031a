/** Where the run tells what it is doing. Texts may hold foreign words: whoever prints them escapes them. */
export interface Reporter {
  /** A part of the work on one template begins: "importing the image". */
  phase(template: string, title: string): void;
  /** News within the phase: a line of a task's log, a step of the guest. */
  progress(template: string, text: string): void;
  /** Worth knowing, for one template or for the run. */
  note(text: string, template?: string): void;
  warn(title: string, text: string, template?: string): void;
  /** The work on one template has ended, well or not. */
  done(template: string): void;
}
