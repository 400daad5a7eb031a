import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Lab } from "./world.ts";

const command = path.resolve(import.meta.dirname, "../../dist/cli.mjs");

export interface CommandEnd {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Seconds of real time. */
  seconds: number;
}

/**
 * Runs the bundled command with these arguments, and shows what it says as it says it.
 * @param during called when the command has said something, with all that it said so far
 */
export async function kubehenge(
  lab: Lab,
  argv: readonly string[],
  during?: (text: string) => void,
): Promise<CommandEnd> {
  const began = performance.now();
  console.log(`$ kubehenge ${argv.join(" ")}`);
  const child = spawn(process.execPath, [command, ...argv], {
    cwd: lab.directory,
    env: lab.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  const take = (name: "stdout" | "stderr") => (text: string) => {
    texts[name] += text;
    const seconds = ((performance.now() - began) / 1000).toFixed(0).padStart(4);
    for (const line of text.trimEnd().split("\n")) console.log(`  ${seconds} s  ${line}`);
    during?.(`${texts.stdout}${texts.stderr}`);
  };
  child.stdout.setEncoding("utf8").on("data", take("stdout"));
  child.stderr.setEncoding("utf8").on("data", take("stderr"));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...texts, seconds: Math.round((performance.now() - began) / 1000) };
}
