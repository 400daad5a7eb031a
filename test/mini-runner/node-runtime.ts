import { existsSync } from "node:fs";
import path from "node:path";

/** Node 24 as `using: node24` has it: this process's own where that is one, else the one that npm installed. */
export function node24(projectRoot: string): string {
  const installed = path.join(projectRoot, "node_modules/.bin/node");
  if (process.versions.node.startsWith("24.") || !existsSync(installed)) return process.execPath;
  return installed;
}
