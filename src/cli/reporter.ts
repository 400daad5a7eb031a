import type { Reporter } from "../templates/reporter.ts";
import { plain } from "./text.ts";

export interface Terminal {
  write(text: string): void;
  isTTY: boolean;
  columns: number;
  color: boolean;
}

export interface TerminalReporter extends Reporter {
  /** Takes the live line away before anything else is printed. */
  clear(): void;
}

/** Progress on stderr: one live line on a terminal, plain lines elsewhere. */
export function terminalReporter(terminal: Terminal): TerminalReporter {
  let live = false;
  const clear = () => {
    if (live) terminal.write("\r\u001b[2K");
    live = false;
  };
  const line = (text: string) => {
    clear();
    terminal.write(`${text}\n`);
  };
  const phaseOf = new Map<string, string>();
  const show = (template: string, text: string) => {
    const whole = plain(`${template}: ${text}`);
    if (!terminal.isTTY) return line(whole);
    clear();
    terminal.write(whole.slice(0, Math.max(20, terminal.columns - 1)));
    live = true;
  };
  const yellow = (text: string) => (terminal.color ? `\u001b[33m${text}\u001b[39m` : text);
  return {
    clear,
    phase(template, title) {
      phaseOf.set(template, title);
      show(template, title);
    },
    progress: (template, text) =>
      show(template, terminal.isTTY ? `${phaseOf.get(template) ?? ""}: ${text}` : `  ${text}`),
    note: (text, template) => line(plain(template ? `${template}: ${text}` : text)),
    warn: (title, text, template) =>
      line(`${yellow("warning:")} ${plain(`${title}: ${template ? `${template}: ` : ""}${text}`)}`),
    done: () => clear(),
  };
}
