import { endGroup, info, startGroup, warning } from "@actions/core";
import type { Reporter } from "../templates/reporter.ts";
import { logLine } from "./text.ts";

/**
 * Tells the job's log: one group per template. Groups cannot be interleaved, so while several templates are made at
 * once each one's lines are held back until it is done, and only its phases are told at once.
 */
export function actionReporter(options: { interleaved: boolean }): Reporter {
  const held = new Map<string, string[]>();
  const tell = (template: string, line: string) => {
    if (options.interleaved) held.set(template, [...(held.get(template) ?? []), line]);
    else {
      if (!held.has(template)) startGroup(logLine(template));
      held.set(template, []);
      info(line);
    }
  };
  return {
    phase(template, title) {
      if (options.interleaved) info(logLine(`${template}: ${title}`));
      tell(template, logLine(title));
    },
    progress: (template, text) => tell(template, `  ${logLine(text)}`),
    note: (text, template) => info(logLine(template ? `${template}: ${text}` : text)),
    warn: (title, text, template) =>
      warning(logLine(template ? `${template}: ${text}` : text), { title: logLine(title) }),
    done(template) {
      const lines = held.get(template);
      if (!lines) return;
      if (options.interleaved) {
        startGroup(logLine(template));
        for (const line of lines) info(line);
      }
      endGroup();
      held.delete(template);
    },
  };
}
